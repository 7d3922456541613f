/** Hits: recording them, and their charts and rankings, including subscriptions. */
import { type Durability, type FeedEvent, noteWrite } from '../../database/index.js';
import type {
  HitInput,
  MutationResolvers,
  QueryResolvers,
  RejectedItem,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { type Hit, requireHit, requirePage } from '../../models/analytics/hits/hit.js';
import { findHitChart, type HitChart, type HitPoint } from '../../models/analytics/hits/hit-chart.js';
import { hitChartFeed, requireHitChartArgs } from '../../models/analytics/hits/hit-chart-feed.js';
import { isOutcomeUnknown } from '../../models/analytics/hits/hit-group.js';
import { findTopPages, type PageHits } from '../../models/analytics/hits/top-pages.js';
import { requireTopPagesArgs, topPagesFeed } from '../../models/analytics/hits/top-pages-feed.js';
import { normaliseHost, noteSites } from '../../models/analytics/sites/site.js';
import type { Context } from '../../server/context/context.js';
import { type ErrorCode, InputError, LimitError, SextantError } from '../../shared/errors.js';

const HITS_MAX = 10_000;

export const Query: Pick<QueryResolvers, 'hitChart' | 'topPages'> = {
  hitChart: (_root, { site, page, range, unit }, { db }) =>
    findHitChart(db, { site: normaliseHost('site', site), page: requirePage('page', page) }, range, unit),
  topPages: (_root, { site, range, first }, { db }) => findTopPages(db, normaliseHost('site', site), range, first),
};

export const Mutation: Pick<MutationResolvers, 'recordHit' | 'recordHits'> = {
  recordHit: async (_root, { hit, durability }, context) => {
    const checked = requireHit('hit', hit, context.now());
    const { recorded, documentsTouched } = await record(context, [checked], durability);
    return { recorded, documentsTouched, rejected: [] };
  },
  recordHits: async (_root, { hits, durability }, context) => {
    if (hits.length > HITS_MAX) throw new LimitError(`${hits.length} hits are too many for one request`, HITS_MAX);
    const { checked, indexes, rejected } = checkHits(hits, context.now());
    const { failed, ...result } = await record(context, checked, durability);
    for (const { index, error } of failed) rejected.push(rejectedItem(indexes[index] ?? index, error));
    return { ...result, rejected: rejected.sort((a, b) => a.index - b.index) };
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'hitChartChanged' | 'topPagesChanged'> = {
  hitChartChanged: {
    subscribe: (_root, { site, page, last, unit, after }, { hub, now }) => {
      const chart = { site: normaliseHost('site', site), page: requirePage('page', page), lastMs: last.ms, unit };
      return hub.follow(hitChartFeed, requireHitChartArgs(chart, now()), { after });
    },
    resolve: (event: FeedEvent<HitChart, readonly HitPoint[]>) =>
      event.kind === 'snapshot'
        ? ({ __typename: 'HitChartSnapshot', cursor: event.cursor, reset: event.reset, chart: event.view } as const)
        : ({ __typename: 'HitChartChange', cursor: event.cursor, reset: event.reset, points: event.change } as const),
  },
  topPagesChanged: {
    subscribe: (_root, { site, last, first, after }, { hub }) => {
      const args = requireTopPagesArgs({ site: normaliseHost('site', site), lastMs: last.ms, first });
      return hub.follow(topPagesFeed, args, { after });
    },
    resolve: (event: FeedEvent<readonly PageHits[], readonly PageHits[]>) => ({
      cursor: event.cursor,
      reset: event.reset,
      pages: event.kind === 'snapshot' ? event.view : event.change,
    }),
  },
};

/** Records hits, and lists their sites if they are new. @throws the database's error when it stored none of the hits */
async function record(context: Context, hits: readonly Hit[], durability: Durability) {
  const sites = hits.map(({ site }) => site);
  const list = () => noteSites(context.db, sites, context.now());
  const { writtenAt, ...result } = await context.hits.record(hits, durability, list);
  if (result.recorded === 0 && result.failed[0]) {
    const unknown = result.failed.find(({ error }) => isOutcomeUnknown(error)); // one is enough: the whole call must not be retried
    throw (unknown ?? result.failed[0]).error;
  }
  noteWrite(context.db, writtenAt); // the group's transaction is not part of this operation
  return result;
}

/** Separates valid hits from invalid ones. @returns `indexes`: the position of each valid hit in the input list */
function checkHits(hits: readonly HitInput[], now: Date) {
  const checked: Hit[] = [];
  const indexes: number[] = [];
  const rejected: RejectedItem[] = [];
  for (const [index, hit] of hits.entries()) {
    try {
      checked.push(requireHit(`hits.${index}`, hit, now));
      indexes.push(index);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      rejected.push(rejectedItem(index, error));
    }
  }
  return { checked, indexes, rejected };
}

function rejectedItem(index: number, error: unknown): RejectedItem {
  if (error instanceof SextantError) return { index, code: error.code, message: error.message };
  const code: ErrorCode = 'INTERNAL_SERVER_ERROR';
  return { index, code, message: 'The database did not store this hit' };
}
