/** The server and its database: how they do, and how the data would lie on many servers. */
import { Section, type SectionPage } from '../parts/section.js';
import { SystemPage } from './page.js';
import { ShardsPage } from './shards-page.js';

const pages: readonly [SectionPage, ...SectionPage[]] = [
  { path: '/system', name: 'System', Content: SystemPage },
  { path: '/system/shards', name: 'Shard advice', Content: ShardsPage },
];

export const SystemSection = () => <Section label="System" pages={pages} wide />;
