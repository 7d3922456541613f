/** The network: news, circles, people and walls; and for editors the posts that were reported. */
import { Link } from '../kit/controls/link.js';
import { useRole } from '../shell/access.js';
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

function Welcome() {
  const isMember = useRole('MEMBER');
  return (
    isMember && (
      <>
        To see what people share with you, go to <Link href="/social">Network</Link>.
      </>
    )
  );
}

export const socialSection: Section = {
  domain: 'social',
  name: 'Network',
  icon: 'circles',
  role: 'MEMBER',
  welcome: <Welcome />,
  pages: [
    {
      path: '/social',
      name: 'News',
      Content: lazyPage(() => import('./pages/news-page.js').then((module) => module.NewsPage)),
    },
    {
      path: '/social/wall',
      name: 'Wall',
      Content: lazyPage(() => import('./pages/wall-page.js').then((module) => module.OwnWallPage)),
    },
    {
      path: '/social/wall/:id',
      name: 'Profile',
      Content: lazyPage(() => import('./pages/wall-page.js').then((module) => module.WallPage)),
      titled: true,
      unlisted: true,
    },
    {
      path: '/social/circles',
      name: 'Circles',
      Content: lazyPage(() => import('./pages/circles-page.js').then((module) => module.CirclesPage)),
    },
    {
      path: '/social/people',
      name: 'Find people',
      Content: lazyPage(() => import('./pages/people-page.js').then((module) => module.PeoplePage)),
    },
    {
      path: '/social/incoming',
      name: 'Incoming',
      Content: lazyPage(() => import('./pages/incoming-page.js').then((module) => module.IncomingPage)),
    },
    {
      path: '/social/post/:id',
      name: 'Post',
      Content: lazyPage(() => import('./pages/post-page.js').then((module) => module.PostPage)),
      titled: true,
      unlisted: true,
      forVisitors: true,
    },
    {
      path: '/social/reports',
      name: 'Reports',
      role: 'EDITOR',
      Content: lazyPage(() => import('./pages/reports-page.js').then((module) => module.ReportsPage)),
    },
    {
      path: '/social/maintenance',
      name: 'Maintenance',
      role: 'ADMIN',
      Content: lazyPage(() => import('./pages/maintenance-page.js').then((module) => module.MaintenancePage)),
    },
  ],
};
