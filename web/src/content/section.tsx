/** Content for editors and authors: pages, posts, pictures and what groups them; the trash and the tags. */
import { Link } from '../kit/controls/link.js';
import { useRole } from '../shell/access.js';
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

function Welcome() {
  const writes = useRole('AUTHOR');
  return (
    <>
      {writes && (
        <>
          To write, go to <Link href="/content">Content</Link>.{' '}
        </>
      )}
      To read, go to <a href="/blog">the blog</a>.
    </>
  );
}

export const contentSection: Section = {
  domain: 'content',
  name: 'Content',
  icon: 'pen',
  role: 'AUTHOR',
  wide: true,
  welcome: <Welcome />,
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
