/**
 * What holds among campaigns, zones and statistics, and between the spending of campaigns and the money of commerce. What was counted is
 * compared with receipts in `receipt-invariants.ts`.
 */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import { beginningWith } from '../../database/index.js';
import { transactions } from '../commerce/money/transfer.js';
import type { Violation } from '../domain.js';
import { adUnits, findUnitsOf } from './campaigns/ad-unit.js';
import { type CampaignDocument, campaigns, minorUnits, THOUSANDTHS } from './campaigns/campaign.js';
import { canPay } from './campaigns/pricing.js';
import { adStats, type Counts, countsOf, NOTHING, subjectOf, sumOf, totalOf } from './stats/ad-stats.js';
import { ADS_MAX, adsOfCampaign, zones } from './zones/zone.js';

export type Found = Omit<Violation, 'domain'>;

/** Paid = spent + refunded + left, as the campaigns and the transfers of commerce have it. */
export async function* findCampaignViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches<CampaignDocument>(db, campaigns(db), { visited }))
    for (const campaign of documents) {
      const { _id: subject, paid, spent, refunded, state, closing } = campaign;
      if (spent > paid * THOUSANDTHS)
        yield { invariant: 'spent <= paid', subject, expected: paid * THOUSANDTHS, found: spent };
      const isSettled = state === 'ENDED' && !closing;
      const due = isSettled ? paid - minorUnits(spent) : 0;
      if (refunded !== due) yield { invariant: 'refunded = paid - spent', subject, expected: due, found: refunded };
      yield* findMoneyViolations(db, session, campaign);
      yield* findTotalViolations(db, session, campaign);
      yield* findPlacementViolations(db, session, campaign);
    }
}

/**
 * A campaign whose ads are shown has each of them in all zones of its size that it wants. One without any is placed each minute. Not
 * yet in a zone that is being filled, nor in one that was too full.
 */
async function* findPlacementViolations(
  db: Db,
  session: ClientSession,
  campaign: CampaignDocument,
): AsyncIterable<Found> {
  const { _id: id, state, is_placed: isPlaced, is_stale: isStale, price, placements } = campaign;
  if (state !== 'RUNNING' || !isPlaced || isStale || !canPay(campaign, price)) return;
  const wanted = await zones(db)
    .aggregate<{ _id: string; size: string; ads: number; own: number }>(
      [
        { $match: { _id: { $in: placements }, is_new: { $ne: true }, turned_ads_away: { $ne: true } } },
        { $project: { size: 1, ads: { $size: '$ads' }, own: { $size: adsOfCampaign(id) } } },
      ],
      { session },
    )
    .toArray();
  const units = await findUnitsOf(db, [id], session);
  for (const { _id: zone, size, ads, own: found } of wanted) {
    const expected = units.filter((unit) => unit.size === size).length;
    if (found !== expected && ads < ADS_MAX)
      yield { invariant: 'ads in all zones that a campaign wants', subject: `${id} ${zone}`, expected, found };
  }
}

/** Transfers of the default provider. */
async function* findMoneyViolations(
  db: Db,
  session: ClientSession,
  { _id: subject, payments, paid, refunded, closing }: CampaignDocument,
): AsyncIterable<Found> {
  const sumOfRetired = async (ids: readonly string[]) => {
    const found = await transactions(db)
      .find({ _id: { $in: [...ids] }, state: 'RETIRED' }, { session })
      .toArray();
    return found.reduce((sum, { amount }) => sum + amount, 0);
  };
  const charged = await sumOfRetired(payments);
  if (charged !== paid)
    yield { invariant: 'paid = transfers from the account', subject, expected: charged, found: paid };
  if (closing) return; // being paid back
  const refunds = transactions(db).find({ _id: beginningWith(`${subject} refund `), state: 'RETIRED' }, { session });
  const returned = (await refunds.toArray()).reduce((sum, { amount }) => sum + amount, 0);
  if (returned !== refunded)
    yield { invariant: 'refunded = transfers to the account', subject, expected: returned, found: refunded };
}

/** The counters of receipts, which campaigns and their units have in common. */
const COUNTED = ['impressions', 'clicks', 'conversions', 'value', 'spent'] as const;

/** The statistics of a campaign are those of its units, and have what it has spent. Units have their totals. */
async function* findTotalViolations(
  db: Db,
  session: ClientSession,
  { _id: subject, spent }: CampaignDocument,
): AsyncIterable<Found> {
  const own = totalOf((await totalsBySubject(db, session, { subject: subjectOf('campaign', subject) })).values());
  if (own.spent !== spent)
    yield { invariant: 'spent = statistics of the campaign', subject, expected: own.spent, found: spent };
  const byUnit = await totalsBySubject(db, session, { campaign_id: subject });
  const ofUnits = totalOf(byUnit.values());
  for (const counter of COUNTED)
    if (ofUnits[counter] !== own[counter])
      yield {
        invariant: 'statistics of the campaign = sum of its units',
        subject: `${subject} ${counter}`,
        expected: ofUnits[counter],
        found: own[counter],
      };
  for (const unit of await adUnits(db).find({ campaign_id: subject }, { session }).toArray()) {
    const counted = byUnit.get(subjectOf('unit', unit._id)) ?? NOTHING;
    for (const counter of ['impressions', 'clicks'] as const)
      if (unit[counter] !== counted[counter])
        yield {
          invariant: 'totals of the units = statistics',
          subject: `${unit._id} ${counter}`,
          expected: counted[counter],
          found: unit[counter],
        };
  }
}

/** A campaign has a bounded number of units (UNITS_EVER_MAX). */
async function totalsBySubject(db: Db, session: ClientSession, filter: { subject: string } | { campaign_id: string }) {
  const totals = new Map<string, Counts>();
  for await (const { subject, hourly } of adStats(db).find(filter, { session, projection: { subject: 1, hourly: 1 } }))
    for (const stored of Object.values(hourly ?? {}))
      totals.set(subject, sumOf(totals.get(subject) ?? NOTHING, countsOf(stored)));
  return totals;
}

/** Zones have ads of running campaigns only, highest eCPM first. */
export async function* findZoneViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents, session } of inSnapshotBatches(db, zones(db), { visited }))
    for (const { _id: subject, ads } of documents) {
      const ids = [...new Set(ads.map(({ campaign_id }) => campaign_id))];
      const running = await campaigns(db)
        .find({ _id: { $in: ids } }, { session, projection: { state: 1, closing: 1, last_modified: 1 } })
        .toArray();
      // Between the end or pause of a campaign and the removal of its ads is a moment.
      const shown = running.filter(({ state, closing }) => state === 'RUNNING' || closing).length;
      const paused = running.filter(({ state }) => state === 'PAUSED').length;
      if (shown + paused < ids.length)
        yield { invariant: 'ads of campaigns that run', subject, expected: ids.length, found: shown + paused };
      const disorder = ads.filter((ad, index) => index > 0 && ad.ecpm > (ads[index - 1]?.ecpm ?? 0)).length;
      if (disorder > 0) yield { invariant: 'highest eCPM first', subject, expected: 0, found: disorder };
    }
}
