/** What is done for campaigns each minute: flights begin and end, click-through rates move the eCPM, and paces are kept. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import type { PaymentProvider } from '../../commerce/money/payment.js';
import { settleEach } from '../../commerce/orders/settle-each.js';
import { adsOfCampaign, zones } from '../zones/zone.js';
import { type AdUnitDocument, findUnitsOf } from './ad-unit.js';
import { type CampaignDocument, campaigns, isInFlight } from './campaign.js';
import { type EndInput, endCampaign } from './campaign-end.js';
import { neededPerMinute, nextPace } from './pacing.js';
import { placeCampaign } from './placement.js';
import { canPay, ecpmOf } from './pricing.js';

/** Zones are rewritten when an eCPM, a share or what a pace needs has moved by more than this part. */
export const MOVED_MIN = 0.05;
const BATCH = 100;

/** Ends campaigns whose flight is over, or whose budget pays for nothing more. @returns how many @throws AggregateError some failed */
export function endFlights(db: Db, provider: PaymentProvider, now: Date): Promise<number> {
  return settleEach('Ends of flights', overFlights(db, now), async (end) => {
    await endCampaign(db, provider, end, now);
    failpoint('campaign.flight-ended');
  });
}

async function* overFlights(db: Db, now: Date): AsyncGenerator<EndInput> {
  const projection = { flight: 1, price_model: 1, price: 1, paid: 1, spent: 1, payment: 1 } as const;
  for (const state of ['RUNNING', 'PAUSED'] as const)
    for await (const campaign of campaigns(db).find({ state }, { projection })) {
      const { _id: id, flight, paid, price, payment } = campaign;
      if (flight.to <= now) yield { id, by: 'DATE', as: { 'flight.to': flight.to } };
      // Usually the recording ends it. Not while a higher budget is being paid, which may then be declined.
      else if (state === 'RUNNING' && !payment && !canPay(campaign, price))
        yield { id, by: 'BUDGET', as: { state, paid, price } };
    }
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
  const { is_placed: isPlaced, placed_from: from, paced } = campaign;
  const pace = inFlight && isPlaced && paced ? nextPace({ ...campaign, paced }, now) : null;
  if (pace) {
    const { matchedCount } = await campaigns(db).updateOne(
      { _id: campaign._id, state: 'RUNNING', 'paced.at': paced?.at ?? now }, // guard: its pace has not begun again meanwhile
      { $set: { paced: pace.paced } },
    );
    if (matchedCount === 0) return false; // a change or a pause, which has placed it
  }
  failpoint('campaign.paced');
  const hasMoved =
    !pace ||
    hasMovedFrom(campaign.share, pace.share) ||
    hasMovedFrom(from?.needed ?? 0, neededPerMinute(campaign, now)) ||
    isBidUsedUp(campaign, units) ||
    (campaign.price_model === 'CPC' && (await hasEcpmMoved(db, campaign, units)));
  if (!hasMoved) return false;
  const wasPlaced = await placeCampaign(db, campaign._id, now, pace);
  failpoint('campaign.adjusted');
  return wasPlaced;
}

/** Whether what is left has become too little for a bid since the zones were written. */
const isBidUsedUp = (campaign: CampaignDocument, units: readonly AdUnitDocument[]): boolean =>
  units.some(({ keywords }) =>
    keywords.some(
      ({ bid }) => !canPay(campaign, bid) && canPay({ ...campaign, spent: campaign.placed_from?.spent ?? 0 }, bid),
    ),
  );

const hasMovedFrom = (before: number, now: number): boolean => Math.abs(now - before) > before * MOVED_MIN;

/** Compares with what its zones have: each has the units of its size only. */
async function hasEcpmMoved(
  db: Db,
  { _id, price_model: model, price }: CampaignDocument,
  units: readonly AdUnitDocument[],
): Promise<boolean> {
  const ads = { $map: { input: adsOfCampaign(_id), in: { ad_unit_id: '$$this.ad_unit_id', ecpm: '$$this.ecpm' } } };
  const ecpms = new Map(units.map((unit) => [unit._id, ecpmOf(model, price, unit)]));
  for await (const zone of zones(db).find({ 'ads.campaign_id': _id }, { projection: { ads } }))
    if (zone.ads.some((ad) => hasMovedFrom(ad.ecpm, ecpms.get(ad.ad_unit_id) ?? ad.ecpm))) return true;
  return false;
}
