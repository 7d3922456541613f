/** Takes sample ads back, except what somebody has changed or used since. */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, deleteInTransaction, inTransaction, updateInTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { removeUnusedSite, SAMPLE_AD_SITE } from '../../analytics/seed/sample-site.js';
import type { PaymentProvider } from '../../commerce/money/payment.js';
import { releaseAssets } from '../../system/assets/asset-claim.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { advertisers } from '../advertisers/advertiser.js';
import { type AdUnitDocument, adUnits } from '../campaigns/ad-unit.js';
import { type CampaignDocument, campaigns, findCampaign } from '../campaigns/campaign.js';
import { endCampaign } from '../campaigns/campaign-end.js';
import { countsOfReceipt, hourOf, recordedIdOf, recordedReceipts } from '../recording/recorded-receipt.js';
import { AdTally, adStats, subjectOf } from '../stats/ad-stats.js';
import { zoneAt, zoneIdOf, zones } from '../zones/zone.js';
import { type SampleCampaign, sampleAdvertisers, sampleCampaigns, sampleZones } from './sample-ads.js';
import { eventsOf, sampleId, unitKey } from './sample-history.js';

const deletions = (found: readonly { readonly _id: string }[]) =>
  found.map(({ _id }) => ({ q: { _id }, limit: 1 as const }));

/** Ends and removes the campaigns that are as they were added, with their units and statistics. Repeatable. */
export async function removeCampaigns(held: HeldWork, payment: PaymentProvider): Promise<void> {
  const { db, now } = held;
  for (const sample of sampleCampaigns) {
    const id = sampleId(held, sample.key);
    const campaign = await findCampaign(db, id);
    if (!campaign || !(await isAsAdded(held, campaign, sample))) continue;
    await endCampaign(db, payment, { id, by: 'HAND' }, now());
    failpoint('seed.campaign-ended');
    await inTransaction(db, commitConcernOf.MAJORITY, (session) => removeEnded(held, session, id));
    failpoint('seed.campaign-removed');
  }
}

async function isAsAdded(held: HeldWork, campaign: CampaignDocument, sample: SampleCampaign): Promise<boolean> {
  const { name, price, budget } = campaign;
  if (name !== sample.name || price !== sample.price || budget !== sample.budget) return false;
  const units = await adUnits(held.db).find({ campaign_id: campaign._id }).toArray();
  return units.every((unit) => isUnitAsAdded(held, unit, sample));
}

function isUnitAsAdded(held: HeldWork, unit: AdUnitDocument, sample: SampleCampaign): boolean {
  const index = sample.units.findIndex((_, at) => sampleId(held, unitKey(sample, at)) === unit._id);
  const added = sample.units[index];
  if (!added || unit.removed_at) return false;
  const isSame = (['size', 'headline', 'text', 'html'] as const).every((field) => unit[field] === added[field]);
  return isSame && unit.landing_url === added.landingUrl;
}

async function removeEnded({ db, now }: HeldWork, session: ClientSession, id: string): Promise<void> {
  const { deletedCount } = await campaigns(db).deleteOne(
    { _id: id, state: 'ENDED', closing: { $exists: false } }, // guard: the rest was paid back
    { session },
  );
  if (deletedCount === 0) throw new WorkFailure('The rest of a campaign could not be paid back. Try again later');
  const units = await adUnits(db).find({ campaign_id: id }, { session }).toArray();
  const options = { session, projection: { _id: 1 } } as const;
  const stats = [
    ...(await adStats(db)
      .find({ subject: subjectOf('campaign', id) }, options)
      .toArray()),
    ...(await adStats(db).find({ campaign_id: id }, options).toArray()),
  ];
  await deleteInTransaction(db, adUnits.collectionName, deletions(units), session);
  await deleteInTransaction(db, adStats.collectionName, deletions(stats), session);
  const pictures = units.flatMap(({ image_id }) => image_id ?? []);
  await releaseAssets(db, pictures, now(), session);
}

/** Of campaigns that are gone, and what the zones have counted of them. @returns how many stay, which is nothing that anybody has changed */
export async function removeReceipts(held: HeldWork, session: ClientSession, day: number): Promise<number> {
  const { db } = held;
  const left = await findLeft(held, session);
  const gone = eventsOf(held, day).filter(({ receipt }) => !left.has(receipt.campaign));
  const ids = gone.map(({ kind, receipt }) => recordedIdOf(kind, receipt));
  const receipts = await recordedReceipts(db)
    .find({ _id: { $in: ids } }, { session })
    .toArray();
  const tally = new AdTally();
  for (const { zone_id, ...receipt } of receipts) {
    const negative = Object.entries(countsOfReceipt(receipt)).map(([counter, count]) => [counter, -count]);
    tally.add(subjectOf('zone', zone_id), hourOf(receipt._id), Object.fromEntries(negative));
  }
  await updateInTransaction(db, adStats.collectionName, tally.statements(), session);
  await deleteInTransaction(db, recordedReceipts.collectionName, deletions(receipts), session);
  return 0;
}

async function findLeft(held: HeldWork, session: ClientSession): Promise<ReadonlySet<string>> {
  const ids = sampleCampaigns.map(({ key }) => sampleId(held, key));
  const found = await campaigns(held.db)
    .find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** Those without campaigns. @returns how many campaigns and advertisers stay */
export async function removeAdvertisers(held: HeldWork, session: ClientSession): Promise<number> {
  const { db } = held;
  let kept = (await findLeft(held, session)).size;
  for (const [key, name] of Object.entries(sampleAdvertisers)) {
    const _id = sampleId(held, key);
    const used = await campaigns(db).findOne({ advertiser_id: _id }, { session, projection: { _id: 1 } });
    if (!used) await advertisers(db).deleteOne({ _id, name }, { session }); // guard: read in this transaction
    if (await advertisers(db).findOne({ _id }, { session, projection: { _id: 1 } })) kept += 1;
  }
  return kept;
}

/** Those that are as they were added and have no ads, and then the site. @returns how many zones and sites stay */
export async function removeZones(db: Db, session: ClientSession): Promise<number> {
  for (const { size, design, floor, ...name } of sampleZones) {
    const _id = zoneIdOf(name);
    const unused = { ads: { $size: 0 }, blog: { $exists: false }, in_shop: { $exists: false } } as const;
    const { deletedCount } = await zones(db).deleteOne({ ...zoneAt(_id), size, design, floor, ...unused }, { session });
    if (deletedCount === 0) continue;
    const stats = await adStats(db)
      .find({ subject: subjectOf('zone', _id) }, { session, projection: { _id: 1 } })
      .toArray();
    await deleteInTransaction(db, adStats.collectionName, deletions(stats), session);
  }
  const [left] = await zones(db)
    .find({ site_id: SAMPLE_AD_SITE }, { session, projection: { _id: 1 } })
    .limit(1)
    .toArray();
  if (!left) return removeUnusedSite(db, session, SAMPLE_AD_SITE);
  return (await zones(db).countDocuments({ site_id: SAMPLE_AD_SITE }, { session })) + 1;
}
