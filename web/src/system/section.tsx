/** The server and its database: their health, how the data would be distributed over shards, and what runs in the background. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

export const systemSection: Section = {
  name: 'System',
  icon: 'system',
  role: 'ADMIN',
  wide: true,
  pages: [
    {
      path: '/system',
      name: 'System',
      Content: lazyPage(() => import('./page.js').then((module) => module.SystemPage)),
    },
    {
      path: '/system/shards',
      name: 'Shard advice',
      Content: lazyPage(() => import('./shards/shards-page.js').then((module) => module.ShardsPage)),
    },
    {
      path: '/system/work',
      name: 'Background work',
      Content: lazyPage(() => import('./work/work-page.js').then((module) => module.WorkPage)),
      role: 'EDITOR',
    },
  ],
};
