/**
 * The ads of campaigns in the zones. Zones are written from the campaigns and their units, never the other way round.
 *
 * A placement is one transaction, and it writes the campaign as well: so it conflicts with an end or a pause at the same moment, and
 * either finds the campaign no longer running, or is finished before the ads are pulled. Therefore, when `pullCampaign` has returned, no
 * zone has its ads, and none gets them any more.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { commitConcernOf, inTransaction, updateInTransaction } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { settleEach } from '../../commerce/orders/settle-each.js';
import { type AdvertiserDocument, findAdvertiser } from '../advertisers/advertiser.js';
import { findDecisionsPerMinute } from '../stats/ad-stats.js';
import { foldKeyword } from '../zones/keyword.js';
import {
  ADS_MAX,
  findNewZones,
  findRoomMade,
  markFilled,
  newVersion,
  type ZoneAd,
  zoneAt,
  zones,
} from '../zones/zone.js';
import { type AdUnitDocument, findUnitsOf } from './ad-unit.js';
import { type CampaignDocument, campaigns, isInFlight } from './campaign.js';
import { firstPace, neededPerMinute, type Pace, perMinuteOf } from './pacing.js';
import { canPay, ecpmOf, ecpmWithBids, pricesOf } from './pricing.js';

/**
 * Writes the ads of a campaign into its zones, and takes them out of all others. May be repeated.
 * @param pace the stored one, with its share of decisions from now on. Default: as before, or what a campaign begins with
 * @returns false when the campaign is not running, or has another pace
 */
export async function placeCampaign(db: Db, id: string, now: Date, pace: Pace | null = null): Promise<boolean> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const campaign = await campaigns(db).findOneAndUpdate(
      // Guard: see above; without flight or units there is nothing to place. A share is that of its pace only.
      { _id: id, state: 'RUNNING', ...(pace && { 'paced.at': pace.paced.at }) },
      { $inc: { placements_made: 1 }, $unset: { is_stale: '' }, ...(pace && { $set: { share: pace.share } }) },
      { returnDocument: 'after', session },
    );
    if (!campaign) return false;
    const advertiser = await findAdvertiser(db, campaign.advertiser_id);
    const units = isInFlight(campaign, now) ? await findPayableUnits(db, session, campaign) : [];
    const begun = await beginPace(db, session, campaign, units, now);
    const isPlaced = await writeZones(db, session, campaign, adsOf({ ...campaign, ...begun }, units, advertiser, now));
    const placed = {
      is_placed: isPlaced,
      placed_from: { spent: campaign.spent, needed: neededPerMinute(campaign, now) },
    };
    await campaigns(db).updateOne({ _id: id }, { $set: { ...placed, ...begun } }, { session }); // guard: written above
    return true;
  });
  return value;
}

/** The units of a campaign, with the bids for which there is money left. None if there is none for its price. */
async function findPayableUnits(db: Db, session: ClientSession, campaign: CampaignDocument): Promise<AdUnitDocument[]> {
  if (!canPay(campaign, campaign.price)) return [];
  const units = await findUnitsOf(db, [campaign._id], session);
  return units.map((unit) => ({ ...unit, keywords: unit.keywords.filter(({ bid }) => canPay(campaign, bid)) }));
}

/** @returns the pace of a campaign whose ads enter the zones, estimated from what the zones have decided. Null for one that has a pace */
async function beginPace(
  db: Db,
  session: ClientSession,
  campaign: CampaignDocument,
  units: readonly AdUnitDocument[],
  now: Date,
): Promise<Pace | null> {
  if (units.length === 0 || (campaign.is_placed && campaign.paced)) return null;
  const decisions =
    campaign.pacing === 'ASAP' ? 0 : await findDecisionsPerMinute(db, session, campaign.placements, now);
  // As if it won all of them, with the best of its units and bids: then it may run behind at first, but not ahead.
  return firstPace(campaign, decisions * ecpmWithBids(campaign, units), now);
}

/** @returns whether a zone has some of them */
async function writeZones(
  db: Db,
  session: ClientSession,
  campaign: CampaignDocument,
  ads: ReadonlyMap<string, readonly ZoneAd[]>,
): Promise<boolean> {
  const { _id: id, placements } = campaign;
  const projection = { size: 1 } as const;
  const wanted = await zones(db)
    .find({ _id: { $in: placements } }, { session, projection })
    .toArray();
  const present = await zones(db).find({ 'ads.campaign_id': id }, { session, projection }).toArray();
  const wantedIds = new Set(wanted.map(({ _id }) => _id));
  const left = present.filter(({ _id }) => !wantedIds.has(_id));
  const updates = [
    ...wanted.map(({ _id, size }) => ({ q: zoneAt(_id), u: withAds(id, ads.get(size) ?? []), upsert: false })),
    ...left.map(({ _id }) => ({ q: zoneAt(_id), u: withAds(id, []), upsert: false })),
  ];
  await updateInTransaction(db, zones.collectionName, updates, session);
  // A full zone may have cut off all of them.
  return (await zones(db).findOne({ 'ads.campaign_id': id }, { session, projection: { _id: 1 } })) !== null;
}

const withoutAdsOf = (campaign: string): Document => ({
  $filter: { input: '$ads', cond: { $ne: ['$$this.campaign_id', { $literal: campaign }] } },
});

/** What the last of the ads is worth. */
const lowestOf = (ads: string): Document => ({ $ifNull: [{ $getField: { field: 'ecpm', input: { $last: ads } } }, 0] });

/**
 * The update that replaces a campaign's ads in a zone: one step, so a decision sees the old ones or the new ones. If the zone had turned
 * ads away, and now has room or a lower last ad, all that want to be there are asked again by a worker (`fillNewZones`).
 */
function withAds(campaign: string, ads: readonly ZoneAd[]): Document[] {
  const all = { $concatArrays: [withoutAdsOf(campaign), { $literal: ads }] };
  const sorted = { $sortArray: { input: all, sortBy: { ecpm: -1 } } };
  const kept = { $slice: ['$$sorted', ADS_MAX] };
  const count = { $size: '$$sorted' };
  // Full zones from before this was noted are taken for ones that have turned ads away.
  const hadTurnedAway = { $or: ['$turned_ads_away', { $gte: [{ $size: '$ads' }, ADS_MAX] }] };
  const hasRoom = { $or: [{ $lt: [count, ADS_MAX] }, { $lt: [lowestOf('$$kept'), lowestOf('$ads')] }] };
  const isAskedAgain = { $and: [hadTurnedAway, hasRoom] };
  const isSame = { $eq: ['$$kept', '$ads'] };
  const zone = {
    ads: '$$kept',
    version: { $cond: [isSame, '$version', { $literal: newVersion() }] },
    is_new: { $cond: [isAskedAgain, true, '$is_new'] },
    room_made: { $cond: [isAskedAgain, { $add: [{ $ifNull: ['$room_made', 0] }, 1] }, '$room_made'] },
    turned_ads_away: {
      $cond: [{ $gt: [count, ADS_MAX] }, true, { $cond: [isAskedAgain, '$$REMOVE', '$turned_ads_away'] }],
    },
  };
  const merged = { $let: { vars: { sorted }, in: { $let: { vars: { kept }, in: zone } } } };
  return [
    { $replaceWith: { $mergeObjects: [{ $unsetField: { field: 'turned_ads_away', input: '$$ROOT' } }, merged] } },
  ];
}

/** By size. */
export function adsOf(
  campaign: CampaignDocument,
  units: readonly AdUnitDocument[],
  advertiser: Pick<AdvertiserDocument, 'name'> | null,
  now: Date,
): Map<string, ZoneAd[]> {
  const { price_model: model, price, caps, share, flight, advertiser_id } = campaign;
  const bySize = new Map<string, ZoneAd[]>();
  for (const unit of units) {
    const { _id, size, headline, text, image_id, sku, html } = unit;
    const ecpm = ecpmOf(model, price, unit);
    const perMinute = perMinuteOf(campaign, ecpm, now);
    const ad: ZoneAd = {
      campaign_id: campaign._id,
      ad_unit_id: _id,
      advertiser_id,
      advertiser: advertiser?.name ?? '',
      ecpm,
      prices: pricesOf(model, price),
      keywords: unit.keywords.map(({ keyword, bid }) => ({
        keyword,
        ...(foldKeyword(keyword) !== keyword && { folded: foldKeyword(keyword) }),
        ecpm: ecpmOf(model, bid, unit),
        prices: pricesOf(model, bid),
      })),
      caps,
      share,
      ...(perMinute !== null && { per_minute: perMinute }),
      flight,
      ...(headline !== undefined && { headline }),
      ...(text !== undefined && { text }),
      ...(image_id !== undefined && { image_id }),
      ...(html !== undefined && { has_html: true as const }),
      ...(sku !== undefined && { sku }),
    };
    bySize.set(size, [...(bySize.get(size) ?? []), ad]);
  }
  return bySize;
}

/** Takes the ads of a campaign that does not run out of all zones. May be repeated. Of one that runs again, nothing is taken out. */
export async function pullCampaign(db: Db, id: string): Promise<void> {
  await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const { matchedCount } = await campaigns(db).updateOne(
      { _id: id, state: { $ne: 'RUNNING' } }, // guard: conflicts with a placement that has begun before
      { $inc: { placements_made: 1 }, $set: { is_placed: false }, $unset: { is_stale: '' } },
      { session },
    );
    if (matchedCount === 0) return;
    await zones(db).updateMany({ 'ads.campaign_id': id }, withAds(id, []), { session });
  });
}

/** Makes the zones show a campaign as it is. May be repeated. @throws BusyError */
async function refreshZones(db: Db, id: string, now: Date): Promise<void> {
  if (!(await placeCampaign(db, id, now))) await pullCampaign(db, id);
}

/**
 * After a change that is stored and has marked the campaign as stale: it has been made, whatever becomes of the zones. Where too many write
 * to them at this moment, a worker follows.
 */
export async function refreshZonesOrLater(db: Db, id: string, now: Date): Promise<void> {
  await refreshZones(db, id, now).catch((error: unknown) => {
    if (!(error instanceof BusyError)) throw error;
  });
}

/**
 * Makes the zones show the campaigns that a dead process has changed, or one that came to zones in use.
 * @returns how many @throws AggregateError some failed
 */
export function refreshStaleZones(db: Db, now: Date): Promise<number> {
  const stale = campaigns(db).find({ is_stale: true }, { projection: { _id: 1 } });
  return settleEach('Changed campaigns', stale, async ({ _id }) => {
    await refreshZones(db, _id, now);
    failpoint('campaign.refreshed');
  });
}

/**
 * Places the running campaigns that want to be in a zone that was added or changed, or has room again. May be repeated. Where too many
 * write to one of them at this moment, the zone stays new, and a worker asks all of them again.
 * @throws AggregateError some failed
 */
export async function fillZone(db: Db, id: string, now: Date): Promise<void> {
  const roomMade = await findRoomMade(db, id);
  const wanting = campaigns(db).find({ placements: id, state: 'RUNNING' }, { projection: { _id: 1 } });
  let asked = 0;
  const placed = await settleEach('Campaigns for a zone', wanting, async ({ _id }) => {
    asked += 1;
    await placeCampaign(db, _id, now);
    failpoint('zone.campaign-placed');
  });
  if (placed === asked) await markFilled(db, id, roomMade);
}

/**
 * Fills zones that a dead process has left, and those that have room again.
 * @returns how many @throws AggregateError some failed
 */
export function fillNewZones(db: Db, now: Date): Promise<number> {
  return settleEach('New zones', findNewZones(db), async ({ _id }) => {
    await fillZone(db, _id, now);
    failpoint('zone.filled');
  });
}
