/** Content for editors: pages, posts, pictures and what groups them; the trash and the tags. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

export const contentSection: Section = {
  domain: 'content',
  name: 'Content',
  icon: 'pen',
  role: 'EDITOR',
  wide: true,
  welcome: (
    <>
      To read, go to <a href="/blog">the blog</a>.
    </>
  ),
  pages: [
    {
      path: '/content',
      name: 'Content',
      Content: lazyPage(() => import('./browse/content-page.js').then((module) => module.ContentPage)),
    },
    {
      path: '/content/edit',
      name: 'Editor',
      Content: lazyPage(() => import('./editor/editor-page.js').then((module) => module.EditorPage)),
      titled: true,
      unlisted: true,
    },
    {
      path: '/content/gallery',
      name: 'Gallery',
      Content: lazyPage(() => import('./gallery/gallery-page.js').then((module) => module.GalleryPage)),
      titled: true,
      unlisted: true,
    },
    {
      path: '/content/tags',
      name: 'Tags',
      Content: lazyPage(() => import('./browse/tags-page.js').then((module) => module.TagsPage)),
    },
    {
      path: '/content/trash',
      name: 'Trash',
      Content: lazyPage(() => import('./browse/trash-page.js').then((module) => module.TrashPage)),
    },
  ],
};
