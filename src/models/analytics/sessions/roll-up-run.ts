/**
 * A run adds newly arrived sessions to the roll-ups, in batches. For each batch of pending sessions it sums the affected hours again from
 * all their sessions, then the days of these hours, their weeks and months, and the years. Finally it removes the marks from exactly the
 * sessions that it read.
 *
 * Runs may be repeated, may overlap, and may die anywhere, with the same result. There are three rules:
 * - Each level is summed at one cluster time T and replaces only computations from before T. So an older computation never overwrites a
 *   newer one, and a sum never loses what it had at T: sessions are not changed, and before old ones are removed, the sums of their
 *   hours are sealed (`session-removal.ts`).
 * - A level is read after a majority has acknowledged the level below. An update whose guard did not match is acknowledged in the same
 *   way, when a majority has the write that made it not match. So each level includes what this run read below, whichever run wrote it.
 * - The mark is removed last. It covers the session's hour and all levels above: a run that dies earlier leaves it, and the next run
 *   repeats all levels, which changes nothing that is already correct. No other mark and no repair is needed.
 *
 * The work and memory of a run are proportional to the arrived sessions: five sums and at most five updates per session, over children of
 * at most 24 hours, 7 or 31 days or 12 months each, and the sessions of the same user in the same hour.
 */
import type { Db, Timestamp } from 'mongodb';
import { inSnapshot, type UpdateStatement, updateEach, writeConcernOf } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { MINUTE_MS } from '../../../shared/time.js';
import { type RollUpValue, rollUps } from './roll-up.js';
import { type Period, periodsOf, type RollUpLevel } from './roll-up-level.js';
import { type LevelProgress, RollUpProgress } from './roll-up-progress.js';
import { isWorthRebuilding, rebuildRollUps } from './roll-up-rebuild.js';
import { type PeriodSum, sumPeriods } from './roll-up-sum.js';
import { sessions, unmarkSessions } from './session.js';

export interface RollUpOptions {
  /** Later arrivals wait for the next run, unless an older one affects their hour, so that a busy hour is summed only once. */
  readonly before: Date;
  readonly now: Date;
  /** Sessions per batch. */
  readonly batchMax?: number;
  /** Number of pending sessions from which all roll-ups are rebuilt, if they are half of all sessions. */
  readonly rebuildMin?: number;
}

/** The minimum age of sessions that the server rolls up automatically. */
export const ROLL_UP_CUTOFF_MS = MINUTE_MS;

/** Sessions per batch: a few megabytes of memory, and one command with that many updates per level. */
const BATCH_MAX = 10_000;
const REBUILD_MIN = 20_000; // two batches: fewer are processed quickly
const LANES = 2;
const PART_MIN = 500; // fewer are not worth splitting

/**
 * Runs until all sessions that arrived by the cutoff are rolled up.
 * @returns what was written at each level, from hours to years
 */
export async function rollUpSessions(
  db: Db,
  { before, now, batchMax = BATCH_MAX, rebuildMin = REBUILD_MIN }: RollUpOptions,
): Promise<LevelProgress[]> {
  const progress = new RollUpProgress();
  if (await isWorthRebuilding(db, rebuildMin)) await rebuildRollUps(db, now, progress);
  while (await rollUpBatch(db, { before, now, batchMax }, progress));
  return progress.levels;
}

interface Written {
  readonly written: number;
}

type BatchOptions = Required<Omit<RollUpOptions, 'rebuildMin'>>;

/** @returns false when there was nothing to do */
async function rollUpBatch(db: Db, options: BatchOptions, progress: RollUpProgress): Promise<boolean> {
  const { pending, hours } = await progress.of('HOUR', () => rollUpHours(db, options));
  if (pending.length === 0) return false;
  const { now } = options;
  failpoint('roll-up.hours-written');
  await progress.of('DAY', () => rollUpPeriods(db, 'DAY', hours, now));
  failpoint('roll-up.days-written');
  const weeks = async () => {
    await progress.of('WEEK', () => rollUpPeriods(db, 'WEEK', hours, now));
    failpoint('roll-up.weeks-written');
  };
  const monthsAndYears = async () => {
    await progress.of('MONTH', () => rollUpPeriods(db, 'MONTH', hours, now));
    failpoint('roll-up.months-written');
    await progress.of('YEAR', () => rollUpPeriods(db, 'YEAR', hours, now));
    failpoint('roll-up.years-written');
  };
  await Promise.all([weeks(), monthsAndYears()]); // neither reads what the other writes
  await unmarkSessions(db, pending);
  failpoint('roll-up.unmarked');
  return true;
}

interface Batch extends Written {
  /** The numbers of the sessions read as pending. */
  readonly pending: readonly number[];
  /** The hours that they affect. */
  readonly hours: readonly Period[];
}

/** Marks and hours are read at one cluster time, so every session that is unmarked later was in the sum of its hour. */
async function rollUpHours(db: Db, { before, now, batchMax }: BatchOptions): Promise<Batch> {
  const { value, time } = await inSnapshot(db, async (session) => {
    const found = await sessions(db)
      .find({ pending: true, arrived_at: { $lte: before } }, { session, projection: { userid: 1, ts: 1 } })
      .sort({ ts: 1 })
      .limit(batchMax)
      .toArray();
    const moments = found.map(({ userid, ts }): Period => ({ user: userid, begin: ts.getTime() }));
    const hours = periodsOf('HOUR', moments);
    return { pending: found.map(({ _id }) => _id), hours, sums: await sumPeriods(db, 'HOUR', hours, session) };
  });
  const written = await sideBySide(value.sums, (part) => writeSums(db, 'HOUR', part, time, now));
  return { ...value, written };
}

async function rollUpPeriods(db: Db, level: RollUpLevel, hours: readonly Period[], now: Date): Promise<Written> {
  const written = await sideBySide(periodsOf(level, hours), async (periods) => {
    const { value, time } = await inSnapshot(db, (session) => sumPeriods(db, level, periods, session));
    return writeSums(db, level, value, time, now);
  });
  return { written };
}

/** @param time the cluster time at which they were summed */
async function writeSums(
  db: Db,
  level: RollUpLevel,
  sums: readonly PeriodSum[],
  time: Timestamp,
  now: Date,
): Promise<number> {
  const updates = sums.map(({ user, begin, total, count }): UpdateStatement => {
    const value: RollUpValue = { computed_at: time, total, count, mean: total / count, ts: now };
    // Guard: `$max` replaces an older computation and keeps a newer one.
    return { q: { _id: { u: user, d: new Date(begin) } }, u: { $max: { value } }, upsert: true };
  });
  const written = await updateEach(db, rollUps[level].collectionName, updates, writeConcernOf.MAJORITY);
  failpoint('roll-up.part-written');
  return written;
}

/** Splits work into at most two parts, because the database uses one core per command. @returns the total written */
async function sideBySide<T>(items: readonly T[], work: (part: T[]) => Promise<number>): Promise<number> {
  const size = Math.max(PART_MIN, Math.ceil(items.length / LANES));
  const parts = Array.from({ length: LANES }, (_, lane) => items.slice(lane * size, (lane + 1) * size));
  const written = await Promise.all(parts.filter((part) => part.length > 0).map(work));
  return written.reduce((sum, one) => sum + one, 0);
}
