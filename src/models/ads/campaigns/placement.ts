/**
 * The ads of campaigns in the zones. Zones are written from the campaigns and their units, never the other way round.
 *
 * A placement is one transaction, and it writes the campaign as well: so it conflicts with an end or a pause at the same moment, and
 * either finds the campaign no longer running, or is finished before the ads are pulled. Therefore, when `pullCampaign` has returned, no
 * zone has its ads, and none gets them any more.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { commitConcernOf, inTransaction, updateInTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type AdvertiserDocument, findAdvertiser } from '../advertisers/advertiser.js';
import { ADS_MAX, findNewZones, markFilled, type ZoneAd, zoneAt, zones } from '../zones/zone.js';
import { type AdUnitDocument, findUnitsOf } from './ad-unit.js';
import { type CampaignDocument, campaigns, isInFlight } from './campaign.js';
import { ecpmOf, pricesOf } from './pricing.js';

/**
 * Writes the ads of a campaign into its zones, and takes them out of all others. May be repeated.
 * @param share the share of decisions from now on. Default: as before
 * @returns false when the campaign is not running
 */
export async function placeCampaign(db: Db, id: string, now: Date, share?: number): Promise<boolean> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const campaign = await campaigns(db).findOneAndUpdate(
      { _id: id, state: 'RUNNING' }, // guard: see above; without flight or units there is nothing to place
      { $inc: { placements_made: 1 }, $unset: { is_stale: '' }, ...(share !== undefined && { $set: { share } }) },
      { returnDocument: 'after', session },
    );
    if (!campaign) return false;
    const advertiser = await findAdvertiser(db, campaign.advertiser_id);
    const units = isInFlight(campaign, now) ? await findUnitsOf(db, [id], session) : [];
    const isPlaced = await writeZones(db, session, campaign, adsOf(campaign, units, advertiser));
    if (isPlaced !== campaign.is_placed)
      await campaigns(db).updateOne({ _id: id }, { $set: { is_placed: isPlaced } }, { session }); // guard: written above
    return true;
  });
  return value;
}

/** @returns whether a zone has them */
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
  return wanted.some(({ size }) => ads.has(size));
}

const withoutAdsOf = (campaign: string): Document => ({
  $filter: { input: '$ads', cond: { $ne: ['$$this.campaign_id', { $literal: campaign }] } },
});

/** The update that replaces a campaign's ads in a zone: one step, so a decision sees the old ones or the new ones. */
function withAds(campaign: string, ads: readonly ZoneAd[]): Document[] {
  const all = { $concatArrays: [withoutAdsOf(campaign), { $literal: ads }] };
  return [{ $set: { ads: { $slice: [{ $sortArray: { input: all, sortBy: { ecpm: -1 } } }, ADS_MAX] } } }];
}

/** By size. */
export function adsOf(
  campaign: CampaignDocument,
  units: readonly AdUnitDocument[],
  advertiser: Pick<AdvertiserDocument, 'name'> | null,
): Map<string, ZoneAd[]> {
  const { price_model: model, price, caps, share, flight, advertiser_id } = campaign;
  const bySize = new Map<string, ZoneAd[]>();
  for (const unit of units) {
    const { _id, size, headline, text, image_id, sku, html } = unit;
    const ad: ZoneAd = {
      campaign_id: campaign._id,
      ad_unit_id: _id,
      advertiser_id,
      advertiser: advertiser?.name ?? '',
      ecpm: ecpmOf(model, price, unit),
      prices: pricesOf(model, price),
      keywords: unit.keywords.map(({ keyword, bid }) => ({
        keyword,
        ecpm: ecpmOf(model, bid, unit),
        prices: pricesOf(model, bid),
      })),
      caps,
      share,
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
    const isFull = { $gte: [{ $size: '$ads' }, ADS_MAX] };
    // In a full zone there is room again: campaigns that had none are asked by a worker (`fillNewZones`).
    const pulled = { ads: withoutAdsOf(id), is_new: { $cond: [isFull, true, '$is_new'] } };
    await zones(db).updateMany({ 'ads.campaign_id': id }, [{ $set: pulled }], { session });
  });
}

/** Makes the zones show a campaign as it is. May be repeated. */
export async function refreshZones(db: Db, id: string, now: Date): Promise<void> {
  if (!(await placeCampaign(db, id, now))) await pullCampaign(db, id);
}

/** Makes the zones show the campaigns that a dead process has changed. @returns how many */
export async function refreshStaleZones(db: Db, now: Date): Promise<number> {
  let count = 0;
  for await (const { _id } of campaigns(db).find({ is_stale: true }, { projection: { _id: 1 } })) {
    await refreshZones(db, _id, now);
    failpoint('campaign.refreshed');
    count += 1;
  }
  return count;
}

/** Places the running campaigns that want to be in a zone that was added or changed. May be repeated. */
export async function fillZone(db: Db, id: string, now: Date): Promise<void> {
  const wanting = campaigns(db).find({ placements: id, state: 'RUNNING' }, { projection: { _id: 1 } });
  for await (const { _id } of wanting) {
    await placeCampaign(db, _id, now);
    failpoint('zone.campaign-placed');
  }
  await markFilled(db, id);
}

/** Fills zones that a dead process has left. @returns how many */
export async function fillNewZones(db: Db, now: Date): Promise<number> {
  const left = await findNewZones(db);
  for (const { _id } of left) {
    await fillZone(db, _id, now);
    failpoint('zone.filled');
  }
  return left.length;
}
