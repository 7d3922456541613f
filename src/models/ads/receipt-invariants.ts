/**
 * What was counted is what the receipts say, as long as they are kept: impressions, clicks and spending of the last day, conversions of the
 * last 30 days. What was counted before can be compared only among the statistics themselves (`invariants.ts`).
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import { beginningWith } from '../../database/index.js';
import { DAY_MS, HOUR_MS } from '../../shared/time.js';
import { slotOf } from '../analytics/hits/hit-slot.js';
import { adUnits } from './campaigns/ad-unit.js';
import type { Found } from './invariants.js';
import {
  countsOfReceipt,
  expiriesOfHour,
  hourOf,
  hourPart,
  RECEIPT_LETTERS,
  receiptsOfHour,
  recordedReceipts,
} from './recording/recorded-receipt.js';
import {
  adStats,
  type Counts,
  countsOf,
  findCounts,
  NOTHING,
  statsOfDay,
  subjectOf,
  subjectOfId,
  sumOf,
} from './stats/ad-stats.js';

/** All receipts of these hours are kept. */
const CHECKED_MS = DAY_MS;
/** Of these, those of conversions. */
const CONVERSIONS_CHECKED_MS = 30 * DAY_MS;

/** The counters of the units' hours are those of their receipts. */
export async function* findReceiptViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  const now = await databaseTime(db);
  for await (const { documents, session } of inSnapshotBatches(db, adUnits(db), { projection: { _id: 1 }, visited }))
    for (const { _id: unit } of documents) yield* findUnitViolations(db, session, unit, now);
}

async function databaseTime(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 });
  return localTime as Date;
}

async function* findUnitViolations(db: Db, session: ClientSession, unit: string, now: Date): AsyncIterable<Found> {
  const from = new Date(slotOf('HOUR', now.getTime() - CONVERSIONS_CHECKED_MS) + HOUR_MS);
  const counted = await findCounts(db, subjectOf('unit', unit), { from, to: LAST_DATE }, session);
  const proven = await hoursOfReceipts(db, session, unit, from);
  for (const hour of new Set([...counted.keys(), ...proven.keys()])) {
    const counters = hour >= now.getTime() - CHECKED_MS ? ALL : OF_CONVERSIONS;
    yield* compare(`${unit} ${new Date(hour).toISOString()}`, counters, proven.get(hour), counted.get(hour));
  }
}

/** Also what a clock that is ahead has counted. */
const LAST_DATE = new Date(8.64e15);

/** By the start of the hour: a month at most. Receipts of a unit follow each other in the order of their `_id`s. */
async function hoursOfReceipts(db: Db, session: ClientSession, unit: string, from: Date): Promise<Map<number, Counts>> {
  const { $lt } = beginningWith(`${unit}/`);
  const filter = { _id: { $gte: receiptsOfHour(unit, from), $lt } };
  const hours = new Map<number, Counts>();
  for await (const receipt of recordedReceipts(db).find(filter, { session, projection: { spent: 1, value: 1 } })) {
    const hour = hourOf(receipt._id).getTime();
    hours.set(hour, sumOf(hours.get(hour) ?? NOTHING, countsOfReceipt(receipt)));
  }
  return hours;
}

const OF_CONVERSIONS = ['conversions', 'value'] as const;
const ALL = ['impressions', 'clicks', 'spent', ...OF_CONVERSIONS] as const;

type Compared = Pick<Counts, (typeof ALL)[number]>;

function* compare(
  subject: string,
  counters: readonly (typeof ALL)[number][],
  receipts: Compared = NOTHING,
  counts: Compared = NOTHING,
): Generator<Found> {
  for (const counter of counters) {
    const [expected, found] = [receipts[counter], counts[counter]];
    if (expected !== found)
      yield { invariant: 'counters = receipts', subject: `${subject} ${counter}`, expected, found };
  }
}

/** The counters of the zones' hours are those of the receipts: the hours of the last day, and those of today that are still to come. */
export async function* findZoneCounterViolations(db: Db, visited: Visited): AsyncIterable<Found> {
  const now = (await databaseTime(db)).getTime();
  const end = slotOf('DAY', now) + DAY_MS;
  for (let at = slotOf('HOUR', now - CHECKED_MS) + HOUR_MS; at < end; at += HOUR_MS) {
    const session = db.client.startSession({ snapshot: true });
    try {
      yield* findHourViolations(db, session, new Date(at));
    } finally {
      await session.endSession();
    }
    await visited(0);
  }
}

interface SumsOfZone extends Compared {
  /** The zone's. */
  readonly _id: string;
}

/** Receipts have no order by zone, so the database sums them, and both are read in the order of zones, side by side. */
async function* findHourViolations(db: Db, session: ClientSession, at: Date): AsyncIterable<Found> {
  const hour = at.getUTCHours();
  const stored = adStats(db)
    .find({ _id: beginningWith(statsOfDay('zone', at)) }, { session, projection: { [`hourly.${hour}`]: 1 } })
    .sort({ _id: 1 });
  const sums = recordedReceipts(db).aggregate<SumsOfZone>(sumsByZone(at), { session, allowDiskUse: true });
  const differences = (zone: string, receipts?: SumsOfZone, counts?: Counts) =>
    compare(`${zone} ${at.toISOString()}`, ALL, receipts, counts);
  let receipts = await sums.next();
  for await (const { _id, hourly } of stored) {
    const zone = subjectOfId(_id).slice(subjectOf('zone', '').length);
    for (; receipts && receipts._id < zone; receipts = await sums.next()) yield* differences(receipts._id, receipts);
    const isSame = receipts?._id === zone;
    yield* differences(zone, (isSame && receipts) || undefined, countsOf(hourly?.[hour]));
    if (isSame) receipts = await sums.next();
  }
  for (; receipts; receipts = await sums.next()) yield* differences(receipts._id, receipts);
}

function sumsByZone(at: Date): Document[] {
  const letter = { $substrBytes: ['$_id', { $subtract: [{ $strLenBytes: '$_id' }, 1] }, 1] };
  const number = (wanted: string) => ({ $sum: { $cond: [{ $eq: [letter, wanted] }, 1, 0] } });
  return [
    { $match: { expires_at: { $in: expiriesOfHour(at) }, _id: { $regex: hourPart(at) } } },
    {
      $group: {
        _id: '$zone_id',
        impressions: number(RECEIPT_LETTERS.impressions),
        clicks: number(RECEIPT_LETTERS.clicks),
        conversions: number(RECEIPT_LETTERS.conversions),
        spent: { $sum: '$spent' },
        value: { $sum: '$value' },
      },
    },
    { $sort: { _id: 1 } },
  ];
}
