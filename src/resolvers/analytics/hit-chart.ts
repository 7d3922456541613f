/** Hits: recording them, and their charts and rankings, including subscriptions. */
import type { FeedEvent } from '../../database/index.js';
import type { MutationResolvers, QueryResolvers, SubscriptionResolvers } from '../../generated/resolvers.js';
import { requireHit, requirePage } from '../../models/analytics/hits/hit.js';
import { findHitChart, type HitChart, type HitPoint } from '../../models/analytics/hits/hit-chart.js';
import { hitChartFeed, requireHitChartArgs } from '../../models/analytics/hits/hit-chart-feed.js';
import { recordHit, recordHits } from '../../models/analytics/hits/hit-recording.js';
import { findTopPages, type PageHits } from '../../models/analytics/hits/top-pages.js';
import { requireTopPagesArgs, topPagesFeed } from '../../models/analytics/hits/top-pages-feed.js';
import { normalizeHost } from '../../models/analytics/sites/site.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';

export const Query: Pick<QueryResolvers, 'hitChart' | 'topPages'> = {
  hitChart: (_root, { site, page, range, unit }, { db }) =>
    findHitChart(db, { site: normalizeHost('site', site), page: requirePage('page', page) }, range, unit),
  topPages: (_root, { site, range, first }, { db }) => findTopPages(db, normalizeHost('site', site), range, first),
};

export const Mutation: Pick<MutationResolvers, 'recordHit' | 'recordHits'> = {
  recordHit: (_root, { hit, durability }, context) => {
    const now = context.now();
    return recordHit(context, requireHit('hit', hit, now), { durability, now });
  },
  recordHits: (_root, { hits, durability }, context) => recordHits(context, hits, { durability, now: context.now() }),
};

export const Subscription: Pick<SubscriptionResolvers, 'hitChartChanged' | 'topPagesChanged'> = {
  hitChartChanged: {
    subscribe: (_root, { site, page, last, unit, after }, { hub, now }) => {
      const chart = { site: normalizeHost('site', site), page: requirePage('page', page), lastMs: last.ms, unit };
      return hub.follow(hitChartFeed, requireHitChartArgs(chart, now()), { after });
    },
    resolve: (event: FeedEvent<HitChart, readonly HitPoint[]>) =>
      event.kind === 'snapshot'
        ? ({ __typename: 'HitChartSnapshot', cursor: event.cursor, reset: event.reset, chart: event.view } as const)
        : ({ __typename: 'HitChartChange', cursor: event.cursor, reset: event.reset, points: event.change } as const),
  },
  topPagesChanged: {
    subscribe: (_root, { site, last, first, after }, { hub }) => {
      const args = requireTopPagesArgs({ site: normalizeHost('site', site), lastMs: last.ms, first });
      return hub.follow(topPagesFeed, args, { after });
    },
    resolve: (event: FollowedEvent<readonly PageHits[]>) => followedAs('pages', event),
  },
};
