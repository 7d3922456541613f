/** The traffic of the sites: charts of their hits, the requests behind them, the sessions of users, and how the log grows. */
import { GrowthPage } from '../growth/page.js';
import { Section, type SectionPage } from '../parts/section.js';
import { RequestsPage } from '../requests/page.js';
import { SessionsPage } from '../sessions/page.js';
import { TrafficPage } from './page.js';

const pages: readonly [SectionPage, ...SectionPage[]] = [
  { path: '/', name: 'Charts', Content: TrafficPage, titled: true },
  { path: '/traffic/requests', name: 'Requests', Content: RequestsPage },
  { path: '/traffic/sessions', name: 'Sessions', Content: SessionsPage },
  { path: '/traffic/growth', name: 'Growth', Content: GrowthPage },
];

export const TrafficSection = () => <Section label="Traffic" pages={pages} wide />;
