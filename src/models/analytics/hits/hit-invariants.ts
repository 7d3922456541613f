/**
 * The invariants of hit documents at rest: an hour's counter is the sum of its minutes, and a day's counter in the month is the sum of
 * that day's hours. Each batch is read at one cluster time, so that concurrent writes cause no false alarms.
 */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited, visitOnly } from '../../../database/collections/snapshot-batches.js';
import { type DailyHits, dailyHits, type MonthlyHits, monthlyHits } from './hit.js';

export interface HitViolation {
  readonly invariant: 'hour-is-sum-of-minutes' | 'day-is-sum-of-hours';
  /** The `_id` of the document, and the counter in it. */
  readonly document: string;
  readonly counter: string;
  readonly expected: number;
  readonly found: number;
}

/** Reads all hit documents in batches and yields every violation. */
export async function* findHitViolations(db: Db, visited: Visited = visitOnly): AsyncGenerator<HitViolation> {
  for await (const { documents, session } of inSnapshotBatches(db, dailyHits(db), { visited }))
    yield* await checkDays(db, documents, session);
  for await (const { documents, session } of inSnapshotBatches(db, monthlyHits(db), { visited }))
    yield* await checkMonths(db, documents, session);
}

/** Checks each day's hours against its minutes, and their sum against the month. */
async function checkDays(db: Db, days: readonly DailyHits[], session: ClientSession): Promise<HitViolation[]> {
  const monthIds = [...new Set(days.map(monthlyIdOfDay))];
  const months = await monthlyHits(db)
    .find({ _id: { $in: monthIds } }, { session })
    .toArray();
  const monthById = new Map(months.map((month) => [month._id, month]));
  return days.flatMap((day) => {
    const monthlyId = monthlyIdOfDay(day);
    const dayOfMonth = String(day.metadata.date.getUTCDate());
    return [
      ...wrongHours(day),
      ...difference({
        invariant: 'day-is-sum-of-hours',
        document: monthlyId,
        counter: `daily.${dayOfMonth}`,
        expected: sum(day.hourly),
        found: monthById.get(monthlyId)?.daily?.[dayOfMonth] ?? 0,
      }),
    ];
  });
}

/** Checks that each day with hits in a month has a daily document. */
async function checkMonths(db: Db, months: readonly MonthlyHits[], session: ClientSession): Promise<HitViolation[]> {
  const counted = months.flatMap(countedDays);
  const present = await dailyHits(db)
    .find({ _id: { $in: counted.map(({ dailyId }) => dailyId) } }, { session, projection: { _id: 1 } })
    .toArray();
  const known = new Set(present.map(({ _id }) => _id));
  return counted
    .filter(({ dailyId }) => !known.has(dailyId))
    .map(
      ({ monthlyId, day, found }): HitViolation => ({
        invariant: 'day-is-sum-of-hours',
        document: monthlyId,
        counter: `daily.${day}`,
        expected: 0,
        found,
      }),
    );
}

function wrongHours({ _id, hourly = {}, minute = {} }: DailyHits): HitViolation[] {
  const hours = new Set([...Object.keys(hourly), ...Object.keys(minute)]);
  return [...hours].flatMap((hour) =>
    difference({
      invariant: 'hour-is-sum-of-minutes',
      document: _id,
      counter: `hourly.${hour}`,
      expected: sum(minute[hour]),
      found: hourly[hour] ?? 0,
    }),
  );
}

const difference = (violation: HitViolation): HitViolation[] =>
  violation.expected === violation.found ? [] : [violation];

const sum = (counters: Readonly<Record<string, number>> = {}): number =>
  Object.values(counters).reduce((total, count) => total + count, 0);

/** `YYYYMMDD/rest` to `YYYYMM/rest`. */
const monthlyIdOfDay = ({ _id }: DailyHits): string => _id.slice(0, 6) + _id.slice(8);

function countedDays({ _id, daily = {} }: MonthlyHits) {
  const month = _id.slice(0, 6);
  return Object.entries(daily)
    .filter(([, count]) => count !== 0)
    .map(([day, found]) => ({ monthlyId: _id, dailyId: month + day.padStart(2, '0') + _id.slice(6), day, found }));
}
