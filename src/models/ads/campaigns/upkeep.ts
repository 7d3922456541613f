/** What is done for campaigns each minute: flights begin and end, click-through rates move the eCPM, and paces are kept. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import type { PaymentProvider } from '../../commerce/money/payment.js';
import { settleEach } from '../../commerce/orders/settle-each.js';
import { zones } from '../zones/zone.js';
import { type AdUnitDocument, findUnitsOf } from './ad-unit.js';
import { type CampaignDocument, campaigns, isInFlight } from './campaign.js';
import { endCampaign } from './campaign-end.js';
import { nextPace } from './pacing.js';
import { placeCampaign } from './placement.js';
import { ecpmOf } from './pricing.js';

/** Zones are rewritten when an eCPM or a share has moved by more than this part. */
export const MOVED_MIN = 0.05;
const BATCH = 100;

/** Ends campaigns whose flight is over. @returns how many @throws AggregateError some failed */
export function endFlights(db: Db, provider: PaymentProvider, now: Date): Promise<number> {
  return settleEach('Ends of flights', overFlights(db, now), async (id) => {
    await endCampaign(db, provider, { id, by: 'DATE' }, now);
    failpoint('campaign.flight-ended');
  });
}

/** The ids of the campaigns. */
async function* overFlights(db: Db, now: Date): AsyncGenerator<string> {
  for (const state of ['RUNNING', 'PAUSED'] as const)
    for await (const { _id, flight } of campaigns(db).find({ state }, { projection: { flight: 1 } }))
      if (flight.to <= now) yield _id;
}

/**
 * Adjusts the running campaigns and rewrites their zones where something has moved.
 * @returns how many were placed @throws AggregateError some failed
 */
export async function adjustCampaigns(db: Db, now: Date): Promise<number> {
  let count = 0;
  await settleEach('Adjustments of campaigns', runningWithUnits(db), async ({ campaign, units }) => {
    if (await adjust(db, campaign, units, now)) count += 1;
  });
  return count;
}

interface WithUnits {
  readonly campaign: CampaignDocument;
  readonly units: readonly AdUnitDocument[];
}

async function* runningWithUnits(db: Db): AsyncGenerator<WithUnits> {
  let batch: CampaignDocument[] = [];
  for await (const campaign of campaigns(db).find({ state: 'RUNNING' })) {
    batch.push(campaign);
    if (batch.length < BATCH) continue;
    yield* withUnits(db, batch);
    batch = [];
  }
  yield* withUnits(db, batch);
}

async function* withUnits(db: Db, batch: readonly CampaignDocument[]): AsyncGenerator<WithUnits> {
  const ids = batch.map(({ _id }) => _id);
  const all = ids.length === 0 ? [] : await findUnitsOf(db, ids);
  for (const campaign of batch)
    yield { campaign, units: all.filter(({ campaign_id }) => campaign_id === campaign._id) };
}

/** @returns whether it was placed */
async function adjust(
  db: Db,
  campaign: CampaignDocument,
  units: readonly AdUnitDocument[],
  now: Date,
): Promise<boolean> {
  const inFlight = isInFlight(campaign, now);
  if (!inFlight && !campaign.is_placed) return false;
  const { is_placed: isPlaced, paced } = campaign;
  const pace = inFlight && isPlaced && paced ? nextPace({ ...campaign, paced }, now) : null;
  if (pace)
    await campaigns(db).updateOne(
      { _id: campaign._id, state: 'RUNNING', 'paced.at': paced?.at ?? now }, // guard: it has not begun anew meanwhile, after a pause
      { $set: { paced: pace.paced } },
    );
  failpoint('campaign.paced');
  const hasMoved =
    !pace ||
    hasMovedFrom(campaign.share, pace.share) ||
    (campaign.price_model === 'CPC' && (await hasEcpmMoved(db, campaign, units)));
  if (!hasMoved) return false;
  const wasPlaced = await placeCampaign(db, campaign._id, now, pace?.share);
  failpoint('campaign.adjusted');
  return wasPlaced;
}

const hasMovedFrom = (before: number, now: number): boolean => Math.abs(now - before) > before * MOVED_MIN;

/** Compares with what its zones have: each has the units of its size only. */
async function hasEcpmMoved(
  db: Db,
  { _id, price_model: model, price }: CampaignDocument,
  units: readonly AdUnitDocument[],
): Promise<boolean> {
  const own = { $filter: { input: '$ads', cond: { $eq: ['$$this.campaign_id', { $literal: _id }] } } };
  const ads = { $map: { input: own, in: { ad_unit_id: '$$this.ad_unit_id', ecpm: '$$this.ecpm' } } };
  const ecpms = new Map(units.map((unit) => [unit._id, ecpmOf(model, price, unit)]));
  for await (const zone of zones(db).find({ 'ads.campaign_id': _id }, { projection: { ads } }))
    if (zone.ads.some((ad) => hasMovedFrom(ad.ecpm, ecpms.get(ad.ad_unit_id) ?? ad.ecpm))) return true;
  return false;
}
