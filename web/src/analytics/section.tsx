/** The traffic section: hit charts, requests, sessions, and the growth of the log. */
import { lazyPage } from '../shell/lazy-page.js';
import { Section, type SectionPage } from '../shell/section.js';

const pages: readonly [SectionPage, ...SectionPage[]] = [
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
];

export const TrafficSection = () => <Section label="Traffic" pages={pages} wide />;
