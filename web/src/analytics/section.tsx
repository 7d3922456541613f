/** The traffic section: hit charts, requests, sessions, and the growth of the log. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

export const trafficSection: Section = {
  domain: 'analytics',
  name: 'Traffic',
  icon: 'chart',
  role: 'EDITOR',
  wide: true,
  welcome:
    'Site analytics are for editors. When an administrator makes you an editor, they appear here without signing in again.',
  pages: [
    {
      path: '/',
      name: 'Charts',
      Content: lazyPage(() => import('./traffic/page.js').then((module) => module.TrafficPage)),
      titled: true,
    },
    {
      path: '/traffic/requests',
      name: 'Requests',
      Content: lazyPage(() => import('./requests/page.js').then((module) => module.RequestsPage)),
    },
    {
      path: '/traffic/sessions',
      name: 'Sessions',
      Content: lazyPage(() => import('./sessions/page.js').then((module) => module.SessionsPage)),
    },
    {
      path: '/traffic/growth',
      name: 'Growth',
      Content: lazyPage(() => import('./growth/page.js').then((module) => module.GrowthPage)),
    },
  ],
};
