/** The server and its database: their health, and how the data would be distributed over shards. */
import { lazyPage } from '../shell/lazy-page.js';
import { Section, type SectionPage } from '../shell/section.js';

const pages: readonly [SectionPage, ...SectionPage[]] = [
  { path: '/system', name: 'System', Content: lazyPage(() => import('./page.js').then((module) => module.SystemPage)) },
  {
    path: '/system/shards',
    name: 'Shard advice',
    Content: lazyPage(() => import('./shards-page.js').then((module) => module.ShardsPage)),
  },
];

export const SystemSection = () => <Section label="System" pages={pages} wide />;
