/**
 * What must hold of the hit documents at rest: an hour's counter is the sum of its minutes, and a day's counter in the month is the sum
 * of that day's hours. Each batch is read at one cluster time, so that writers at work cause no false alarm.
 */
import type { ClientSession, Db, Filter } from 'mongodb';
import { type DailyHits, dailyHits, type MonthlyHits, monthlyHits } from './hit.js';

export interface HitViolation {
  readonly invariant: 'hour-is-sum-of-minutes' | 'day-is-sum-of-hours';
  /** The `_id` of the document, and the counter in it. */
  readonly document: string;
  readonly counter: string;
  readonly expected: number;
  readonly found: number;
}

const BATCH = 500;

/** Reads all hit documents in batches and yields what is wrong, without end if everything is. */
export async function* findHitViolations(db: Db): AsyncGenerator<HitViolation> {
  yield* inBatches(db, (session, after) => checkDays(db, session, after));
  yield* inBatches(db, (session, after) => checkMonths(db, session, after));
}

interface Batch {
  readonly violations: readonly HitViolation[];
  /** The last `_id` that was read; null at the end. */
  readonly last: string | null;
}

async function* inBatches(
  db: Db,
  check: (session: ClientSession, after: string) => Promise<Batch>,
): AsyncGenerator<HitViolation> {
  for (let after: string | null = ''; after !== null; ) {
    const session = db.client.startSession({ snapshot: true });
    try {
      const { violations, last }: Batch = await check(session, after);
      yield* violations;
      after = last;
    } finally {
      await session.endSession();
    }
  }
}

const afterId = <T extends { _id: string }>(after: string) => ({ _id: { $gt: after } }) as Filter<T>;

/** Each day's hours against its minutes, and their sum against the month. */
async function checkDays(db: Db, session: ClientSession, after: string): Promise<Batch> {
  const days = await dailyHits(db).find(afterId<DailyHits>(after), { session }).sort({ _id: 1 }).limit(BATCH).toArray();
  const monthIds = [...new Set(days.map(monthlyIdOfDay))];
  const months = await monthlyHits(db)
    .find({ _id: { $in: monthIds } }, { session })
    .toArray();
  const monthById = new Map(months.map((month) => [month._id, month]));
  const violations = days.flatMap((day) => {
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
  return { violations, last: days.length < BATCH ? null : (days.at(-1)?._id ?? null) };
}

/** The days of a month that have hits must have a document. */
async function checkMonths(db: Db, session: ClientSession, after: string): Promise<Batch> {
  const months = await monthlyHits(db)
    .find(afterId<MonthlyHits>(after), { session })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  const counted = months.flatMap(countedDays);
  const present = await dailyHits(db)
    .find({ _id: { $in: counted.map(({ dailyId }) => dailyId) } }, { session, projection: { _id: 1 } })
    .toArray();
  const known = new Set(present.map(({ _id }) => _id));
  const violations = counted
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
  return { violations, last: months.length < BATCH ? null : (months.at(-1)?._id ?? null) };
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
