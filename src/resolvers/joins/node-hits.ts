/** The hits that analytics counts for nodes of content: those of a node's page on the public site. */
import type DataLoader from 'dataloader';
import type { PageResolvers } from '../../generated/resolvers.js';
import { findHitCharts, type HitChart } from '../../models/analytics/hits/hit-chart.js';
import type { TimeUnit } from '../../models/analytics/hits/hit-slot.js';
import { normalizeHost } from '../../models/analytics/sites/site.js';
import { pathOf } from '../../models/content/nodes/node-path.js';
import { publicPathOf } from '../../models/content/nodes/public-path.js';
import { isSeenInEveryState } from '../../models/content/nodes/rights.js';
import type { Context } from '../../server/context/context.js';
import { batched } from '../../shared/batched-loader.js';
import { groupBy } from '../../shared/group-by.js';
import { sightOf } from '../content/node-type.js';
import { readersOf } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';

/** A chart as the key of a loader. */
interface ChartKey {
  readonly site: string;
  readonly from: number;
  readonly to: number;
  readonly unit: TimeUnit;
  readonly page: string;
}

interface NodeHitsLoaders {
  /** The charts of all nodes of a list in one read. By a `ChartKey` as JSON. */
  readonly hitChart: DataLoader<string, HitChart>;
}

const seesAllHits = readersOf('HITS_READ');

const withHits: Pick<PageResolvers, 'hits'> = {
  hits: async (node, { range, unit }, context) => {
    if (!seesAllHits(context) && !isSeenInEveryState(node, sightOf(context))) return null; // the others of a list are answered
    const page = publicPathOf(pathOf(node, await context.loaders().lineage.load(node.parent_id)));
    const site = normalizeHost('site', new URL(context.publicUrl()).host);
    const key: ChartKey = { site, from: range.from.getTime(), to: range.to.getTime(), unit, page };
    return context.loaders().hitChart.load(JSON.stringify(key));
  },
};

async function findCharts(db: Context['db'], keys: readonly string[]): Promise<HitChart[]> {
  const wanted = keys.map((key) => JSON.parse(key) as ChartKey);
  const alike = groupBy(wanted, ({ site, from, to, unit }) => JSON.stringify([site, from, to, unit]));
  const charts = new Map<ChartKey, HitChart>();
  for (const group of alike.values()) {
    const [{ site, unit, from, to }] = group as [ChartKey, ...ChartKey[]]; // no group is empty
    const range = { from: new Date(from), to: new Date(to) };
    const pages = [...new Set(group.map(({ page }) => page))];
    const chartAt = await findHitCharts(db, site, pages, range, unit);
    for (const key of group) charts.set(key, chartAt(key.page));
  }
  return wanted.map((key) => charts.get(key) as HitChart); // every key is in a group
}

const types = ['Page', 'BlogPost', 'Photo', 'Video', 'ImagePost', 'Quote', 'Folder', 'Blog', 'Gallery'];

export const resolvers: DomainResolvers = {
  modules: [Object.fromEntries(types.map((type) => [type, withHits]))],
  nodes: {},
  loaders: (db): NodeHitsLoaders => ({ hitChart: batched((keys) => findCharts(db, keys)) }),
};

declare module '../../server/context/context.js' {
  interface Loaders extends NodeHitsLoaders {}
}
