/** Statistics of campaigns and zones. */
import { randomUUID } from 'node:crypto';
import type { FeedEvent } from '../../database/index.js';
import type {
  CampaignStatsResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  ZonePointResolvers,
  ZoneStatsResolvers,
} from '../../generated/resolvers.js';
import { findAdUnit } from '../../models/ads/campaigns/ad-unit.js';
import { type CampaignDocument, minorUnits, minorUnitsOfPart } from '../../models/ads/campaigns/campaign.js';
import {
  type AdPoint,
  type AdStats,
  findAdStats,
  findUnitCounts,
  hasZoneStats,
  type Subject,
  totalOf,
} from '../../models/ads/stats/ad-stats.js';
import { adStatsFeed, requireAdStatsArgs } from '../../models/ads/stats/ad-stats-feed.js';
import { startStatsExport } from '../../models/ads/stats-export.js';
import { findZone, requireZoneName, zoneIdOf } from '../../models/ads/zones/zone.js';
import type { WorkDocument } from '../../models/work.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import type { DateRange } from '../../shared/time.js';
import { findOwnCampaign, requireOwnCampaign } from './ownership.js';

type CampaignSums = 'impressions' | 'clicks' | 'conversions' | 'conversionValue' | 'spent' | 'clickThroughRate';

export const CampaignStats: Pick<CampaignStatsResolvers, CampaignSums | 'points' | 'byAdUnit'> = {
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
  byAdUnit: async ({ kind, id, range, points }, _args, { db }) => {
    const units = kind === 'unit' ? [{ unit: id, counts: totalOf(points) }] : await findUnitCounts(db, id, range);
    return units.map(({ unit, counts }) => ({ adUnitId: toGlobalId('AdUnit', unit), ...counts }));
  },
};

type ZoneSums = 'decisions' | 'filled' | 'impressions' | 'clicks' | 'conversions' | 'earned';

export const ZoneStats: Pick<ZoneStatsResolvers, ZoneSums | 'points'> = {
  decisions: ({ points }) => totalOf(points).decisions,
  filled: ({ points }) => totalOf(points).filled,
  impressions: ({ points }) => totalOf(points).impressions,
  clicks: ({ points }) => totalOf(points).clicks,
  conversions: ({ points }) => totalOf(points).conversions,
  earned: ({ points, currency }) => ({ amount: minorUnitsOfPart(totalOf(points).spent), currency }),
  points: ({ points }) => [...points],
};

export const ZonePoint: Pick<ZonePointResolvers, 'earned'> = { earned: ({ spent }) => spent };

/** @throws InputError `adUnitId` */
async function subjectIn(
  { db }: Context,
  campaign: CampaignDocument,
  adUnitId: string | null | undefined,
): Promise<Subject> {
  if (adUnitId == null) return ofCampaign(campaign);
  const unit = await findAdUnit(db, idOfType('AdUnit', adUnitId) ?? '');
  if (unit?.campaign_id !== campaign._id) throw new InputError('adUnitId', 'must be an ad unit of the campaign');
  return { kind: 'unit', id: unit._id, currency: campaign.currency };
}

const ofCampaign = ({ _id, currency }: { readonly _id: string; readonly currency: string }): Subject => ({
  kind: 'campaign',
  id: _id,
  currency,
});

/** @throws SextantError NOT_FOUND there is no such zone, and was none that has shown anything */
async function requireZone(
  { db, store }: Pick<Context, 'db' | 'store'>,
  name: { readonly site: string; readonly zone: string },
): Promise<Subject> {
  const id = zoneIdOf(requireZoneName('', name));
  if (!(await findZone(db, id)) && !(await hasZoneStats(db, id)))
    throw new SextantError('NOT_FOUND', 'There is no such zone');
  return { kind: 'zone', id, currency: store.currency };
}

export const Query: Pick<QueryResolvers, 'campaignStats' | 'zoneStats'> = {
  campaignStats: async (_root, { id, adUnitId, range, unit }, context) => {
    const campaign = await findOwnCampaign(context, id);
    return campaign && findAdStats(context.db, await subjectIn(context, campaign, adUnitId), range, unit);
  },
  zoneStats: async (_root, { range, unit, ...name }, context) =>
    findAdStats(context.db, await requireZone(context, name), range, unit),
};

async function exportStats(context: Context, subject: Subject, range: DateRange): Promise<WorkDocument> {
  const request = { id: randomUUID(), subject, range, owner: requirePerson(context.viewer) };
  const work = await startStatsExport(context.db, request, context.now());
  context.work.wake();
  return work;
}

export const Mutation: Pick<MutationResolvers, 'exportCampaignStats' | 'exportZoneStats'> = {
  exportCampaignStats: async (_root, { id, range }, context) =>
    exportStats(context, ofCampaign(await requireOwnCampaign(context, id)), range),
  exportZoneStats: async (_root, { range, ...name }, context) =>
    exportStats(context, await requireZone(context, name), range),
};

type StatsEvent = FeedEvent<AdStats, readonly AdPoint[]>;

const toldAs = <Name extends 'CampaignStats' | 'ZoneStats'>(name: Name, event: StatsEvent) =>
  event.kind === 'snapshot'
    ? ({ __typename: `${name}Snapshot`, cursor: event.cursor, reset: event.reset, stats: event.view } as const)
    : ({ __typename: `${name}Change`, cursor: event.cursor, reset: event.reset, points: event.change } as const);

export const Subscription: Pick<SubscriptionResolvers, 'campaignStatsChanged' | 'zoneStatsChanged'> = {
  campaignStatsChanged: {
    subscribe: async (_root, { id, adUnitId, last, unit, after }, context) => {
      const subject = await subjectIn(context, await requireOwnCampaign(context, id), adUnitId);
      return context.hub.follow(adStatsFeed, requireAdStatsArgs({ ...subject, lastMs: last.ms, unit }), { after });
    },
    resolve: (event: StatsEvent) => toldAs('CampaignStats', event),
  },
  zoneStatsChanged: {
    subscribe: async (_root, { last, unit, after, ...name }, context) => {
      const subject = await requireZone(context, name);
      return context.hub.follow(adStatsFeed, requireAdStatsArgs({ ...subject, lastMs: last.ms, unit }), { after });
    },
    resolve: (event: StatsEvent) => toldAs('ZoneStats', event),
  },
};
