/** The script of the public site. Every page is complete without it. */
import './site.css';
import { followBlog } from './blog.js';
import { followNode } from './node.js';
import { playInPlace } from './video.js';

playInPlace();
const { blog, node } = document.querySelector<HTMLElement>('main')?.dataset ?? {};
if (blog) followBlog(blog);
if (node) followNode(node);
