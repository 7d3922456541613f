/** What holds among campaigns, zones, receipts and statistics, and between the spending of campaigns and the money of commerce. */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import { beginningWith } from '../../database/index.js';
import { DAY_MS, HOUR_MS } from '../../shared/time.js';
import { transactions } from '../commerce/money/transfer.js';
import type { Violation } from '../domain.js';
import { adUnits } from './campaigns/ad-unit.js';
import { type CampaignDocument, campaigns, minorUnits, THOUSANDTHS } from './campaigns/campaign.js';
import { profiles } from './profiles/ad-profile.js';
import { CONTACTS_MAX } from './profiles/frequency-cap.js';
import { letterOf, receiptsOfHour, recordedReceipts } from './recording/recorded-receipt.js';
import { adStats, COUNTERS, countsOf, subjectOf } from './stats/ad-stats.js';
import { zones } from './zones/zone.js';

type Found = Omit<Violation, 'domain'>;

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

/** The statistics of a campaign and of its units have what it has spent, and units have their totals. */
async function* findTotalViolations(
  db: Db,
  session: ClientSession,
  { _id: subject, spent }: CampaignDocument,
): AsyncIterable<Found> {
  const own = await totalsOf(db, session, { subject: subjectOf('campaign', subject) });
  if (own.spent !== spent)
    yield { invariant: 'spent = statistics of the campaign', subject, expected: own.spent, found: spent };
  const ofUnits = await totalsOf(db, session, { campaign_id: subject });
  for (const counter of ['impressions', 'clicks', 'spent'] as const)
    if (ofUnits[counter] !== own[counter])
      yield {
        invariant: 'statistics of the campaign = sum of its units',
        subject: `${subject} ${counter}`,
        expected: ofUnits[counter],
        found: own[counter],
      };
  const units = await adUnits(db).find({ campaign_id: subject }, { session }).toArray();
  for (const counter of ['impressions', 'clicks'] as const) {
    const found = units.reduce((sum, unit) => sum + unit[counter], 0);
    if (found !== own[counter])
      yield {
        invariant: 'totals of the units = statistics',
        subject: `${subject} ${counter}`,
        expected: own[counter],
        found,
      };
  }
}

async function totalsOf(db: Db, session: ClientSession, filter: { subject: string } | { campaign_id: string }) {
  const totals = { impressions: 0, clicks: 0, spent: 0 };
  for await (const { hourly } of adStats(db).find(filter, { session, projection: { hourly: 1 } }))
    for (const stored of Object.values(hourly ?? {})) {
      const counts = countsOf(stored);
      totals.impressions += counts.impressions;
      totals.clicks += counts.clicks;
      totals.spent += counts.spent;
    }
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

const CHECKED_MS = DAY_MS;

/** The counters of the units' hours of the last day are the numbers of receipts. */
export async function* findReceiptViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  const now = await databaseTime(db);
  for await (const { documents, session } of inSnapshotBatches(db, adUnits(db), { projection: { _id: 1 }, visited }))
    for (const { _id: unit } of documents) {
      const from = new Date(now.getTime() - CHECKED_MS);
      const days = adStats(db).find(
        { subject: subjectOf('unit', unit), date: { $gte: new Date(from.getTime() - DAY_MS) } },
        { session },
      );
      for await (const { date, hourly } of days)
        for (const [hour, stored] of Object.entries(hourly ?? {})) {
          const at = new Date(date.getTime() + Number(hour) * HOUR_MS);
          if (at >= from) yield* findHourViolations(db, session, unit, at, stored);
        }
    }
}

async function databaseTime(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 });
  return localTime as Date;
}

async function* findHourViolations(
  db: Db,
  session: ClientSession,
  unit: string,
  at: Date,
  stored: Readonly<Record<string, number>>,
): AsyncIterable<Found> {
  const sums: Record<string, number> = {};
  for await (const { _id, spent } of recordedReceipts(db).find(
    { _id: beginningWith(receiptsOfHour(unit, at)) },
    { session },
  )) {
    const letter = letterOf(_id);
    sums[letter] = (sums[letter] ?? 0) + 1;
    sums[COUNTERS.spent] = (sums[COUNTERS.spent] ?? 0) + spent;
  }
  for (const letter of [COUNTERS.impressions, COUNTERS.clicks, COUNTERS.conversions, COUNTERS.spent]) {
    const [expected, found] = [sums[letter] ?? 0, stored[letter] ?? 0];
    if (expected !== found)
      yield { invariant: 'counters = receipts', subject: `${unit} ${at.toISOString()} ${letter}`, expected, found };
  }
}

/** Profiles are bounded. */
export async function* findProfileViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  for await (const { documents } of inSnapshotBatches(db, profiles(db), { visited }))
    for (const { _id: subject, units } of documents)
      for (const contacts of Object.values(units)) {
        const found = Math.max(contacts.impressions.length, contacts.clicks.length, contacts.conversions.length);
        if (found > CONTACTS_MAX)
          yield { invariant: 'contacts of a visitor are bounded', subject, expected: CONTACTS_MAX, found };
      }
}
