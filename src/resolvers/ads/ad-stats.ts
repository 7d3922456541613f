/** Statistics of campaigns and zones. */
import { randomUUID } from 'node:crypto';
import type { FeedEvent } from '../../database/index.js';
import type {
  CampaignStatsResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { minorUnits, minorUnitsOfPart } from '../../models/ads/campaigns/campaign.js';
import {
  type AdPoint,
  findCampaignStats,
  findUnitCounts,
  findZoneStats,
  hasZoneStats,
  type CampaignStats as Stats,
  totalOf,
} from '../../models/ads/stats/ad-stats.js';
import { campaignStatsFeed, requireCampaignStatsArgs } from '../../models/ads/stats/ad-stats-feed.js';
import { startStatsExport } from '../../models/ads/stats-export.js';
import { findZone, requireZoneName, zoneIdOf } from '../../models/ads/zones/zone.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { toGlobalId } from '../../shared/global-id.js';
import { findOwnCampaign, requireOwnCampaign } from './ownership.js';

type Sums =
  | 'impressions'
  | 'clicks'
  | 'conversions'
  | 'conversionValue'
  | 'spent'
  | 'clickThroughRate'
  | 'points'
  | 'byAdUnit';

export const CampaignStats: Pick<CampaignStatsResolvers, Sums> = {
  impressions: ({ points }) => totalOf(points).impressions,
  clicks: ({ points }) => totalOf(points).clicks,
  conversions: ({ points }) => totalOf(points).conversions,
  conversionValue: ({ points, currency }) => ({ amount: totalOf(points).value, currency }),
  spent: ({ points, currency }) => ({ amount: minorUnits(totalOf(points).spent), currency }),
  clickThroughRate: ({ points }) => {
    const { clicks, impressions } = totalOf(points);
    return impressions === 0 ? 0 : clicks / impressions;
  },
  points: ({ points }) => [...points],
  byAdUnit: async ({ campaign, range }, _args, { db }) =>
    (await findUnitCounts(db, campaign, range)).map(({ unit, counts }) => ({
      adUnitId: toGlobalId('AdUnit', unit),
      ...counts,
    })),
};

export const Query: Pick<QueryResolvers, 'campaignStats' | 'zoneStats'> = {
  campaignStats: async (_root, { id, range, unit }, context) => {
    const campaign = await findOwnCampaign(context, id);
    return campaign && findCampaignStats(context.db, campaign, range, unit);
  },
  zoneStats: async (_root, { range, ...name }, { db, store }) => {
    const id = zoneIdOf(requireZoneName('', name));
    if (!(await findZone(db, id)) && !(await hasZoneStats(db, id)))
      throw new SextantError('NOT_FOUND', 'There is no such zone');
    const { spent, ...counts } = await findZoneStats(db, id, range);
    return { ...counts, earned: { amount: minorUnitsOfPart(spent), currency: store.currency } };
  },
};

export const Mutation: Pick<MutationResolvers, 'exportCampaignStats'> = {
  exportCampaignStats: async (_root, { id, range }, context) => {
    const campaign = await requireOwnCampaign(context, id);
    const request = { id: randomUUID(), campaign: campaign._id, range, owner: requirePerson(context.viewer) };
    const work = await startStatsExport(context.db, request, context.now());
    context.work.wake();
    return work;
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'campaignStatsChanged'> = {
  campaignStatsChanged: {
    subscribe: async (_root, { id, last, unit, after }, context) => {
      const { _id, currency } = await requireOwnCampaign(context, id);
      const args = requireCampaignStatsArgs({ campaign: _id, currency, lastMs: last.ms, unit });
      return context.hub.follow(campaignStatsFeed, args, { after });
    },
    resolve: (event: FeedEvent<Stats, readonly AdPoint[]>) =>
      event.kind === 'snapshot'
        ? ({
            __typename: 'CampaignStatsSnapshot',
            cursor: event.cursor,
            reset: event.reset,
            stats: event.view,
          } as const)
        : ({
            __typename: 'CampaignStatsChange',
            cursor: event.cursor,
            reset: event.reset,
            points: event.change,
          } as const),
  },
};
