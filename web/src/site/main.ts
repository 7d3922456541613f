/** The script of the public site. Every page is complete without it. */
import './site.css';
import '../comments/discussion/discussion.css';
import { followBlog } from './blog.js';
import { followDiscussion } from './discussion.js';
import { followGallery } from './gallery.js';
import { followNode } from './node.js';
import { playInPlace } from './video.js';

playInPlace();
const { blog, gallery, node } = document.querySelector<HTMLElement>('main')?.dataset ?? {};
if (blog) followBlog(blog);
if (gallery) followGallery(gallery);
if (node) followNode(node);
const discussion = document.querySelector<HTMLElement>('#discussion');
if (discussion) followDiscussion(discussion);
