/**
 * Changes the growth settings of the log, while it is read and written.
 *
 * | Step | After a crash following it |
 * |---|---|
 * | 1. the intention is noted, with the number of the new segment | the next caller or the worker continues |
 * | 2. expiry is stopped for collections that would lose requests inside the new window | the same |
 * | 3. the new collection is created, with its indexes and options | the same |
 * | 4. one update makes it the active one and removes the intention | done |
 *
 * A writer that read the growth before step 4 writes into the previous segment, which is still read. Steps 2 to 4 may run concurrently:
 * 2 and 3 are idempotent, and 4 is guarded by the version.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction, isServerError, type ServerCode } from '../../../database/index.js';
import { BusyError, InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, recordAct } from '../../people/audit.js';
import {
  activeSegment,
  commitGrowth,
  findGrowth,
  type GrowthChange,
  type GrowthGoal,
  isSameGoal,
  type ListedSegment,
  type LogGrowthDocument,
} from './log-growth.js';
import { describeGoal, type GrowthInput, requireGoal, segmentFor } from './log-growth-goal.js';
import { createSegment, rotatedDatabaseName, stopExpiry } from './log-segment.js';

const ATTEMPTS_MAX = 10;
/** A query reads every segment that its time range does not exclude. Rotation may exceed the limit, as far as `requireGoal` allows. */
const SEGMENTS_MAX = 200;
const DATABASE_NAME_BYTES_MAX = 63;
/** Errors for which a retry is pointless. */
const PERMANENT: readonly ServerCode[] = [
  'unauthorized',
  'invalidOptions',
  'invalidNamespace',
  'indexOptionsConflict',
  'indexKeySpecsConflict',
  'notSupportedOnView',
  'atlasError',
];

/**
 * Changes how the log grows. Idempotent: the same settings return the current growth.
 * @returns the growth, or a refusal if nothing has changed
 * @throws InputError a limit is missing, out of range or not supported by the strategy; or the database does not allow it
 * @throws LimitError the log is in too many collections
 */
export async function changeLogGrowth(
  db: Db,
  act: Act,
  input: GrowthInput,
  now: Date,
): Promise<LogGrowthDocument | Refusal<'LogGrowthBusy', { growth: LogGrowthDocument }>> {
  const goal = requireGoal(input);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const growth = await findGrowth(db);
    if (growth.change) {
      const another = !growth.change.is_rotation && !isSameGoal(growth.change, goal);
      if (another)
        return refuse('LogGrowthBusy', 'Another change of the log growth settings is in progress', { growth });
      await finishChange(db, growth, now);
    } else if (isSameGoal(growth, goal)) {
      return growth;
    } else {
      const noted = await noteGoal(db, growth, goal, act);
      failpoint('log.growth.noted');
      if (noted) await finishChange(db, noted, now);
    }
  }
  throw new BusyError('The growth settings of the log are changing too quickly');
}

/** Step 1. @returns null when another process has changed the growth meanwhile */
async function noteGoal(
  db: Db,
  growth: LogGrowthDocument,
  goal: GrowthGoal,
  act: Act,
): Promise<LogGrowthDocument | null> {
  requireRoom(db, growth, goal);
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const noted = await commitGrowth(db, growth, intention(growth, goal, false), session);
    const deed = { action: 'LOG_GROWTH_CHANGED', subject: goal.strategy, detail: describeGoal(goal) } as const;
    if (noted) await recordAct(db, session, act, deed);
    return noted;
  });
  return value;
}

/** @throws LimitError @throws InputError */
export function requireRoom(db: Db, growth: LogGrowthDocument, { strategy }: GrowthGoal): void {
  if (growth.segments.length >= SEGMENTS_MAX)
    throw new LimitError(
      `The log already has ${SEGMENTS_MAX} collections. Wait until old ones are dropped`,
      SEGMENTS_MAX,
    );
  const name = rotatedDatabaseName(db, growth.next);
  if (strategy === 'ROTATED_DATABASES' && Buffer.byteLength(name) > DATABASE_NAME_BYTES_MAX)
    throw new InputError('input.strategy', `requires a database named ${name}, which is too long for MongoDB`);
}

/** Notes that the next period's segment takes over. @returns null when another process has changed the growth meanwhile */
export function noteRotation(db: Db, growth: LogGrowthDocument): Promise<LogGrowthDocument | null> {
  return commitGrowth(db, growth, intention(growth, growth, true));
}

function intention(growth: LogGrowthDocument, { strategy, retention }: GrowthGoal, is_rotation: boolean) {
  const segment = segmentFor({ strategy, retention }, growth.next);
  return { change: { strategy, retention, segment, is_rotation }, next: growth.next + 1 };
}

/**
 * Steps 2 to 4 of the noted change. A change that the database does not allow is withdrawn.
 * @throws InputError the database does not allow it
 */
export async function finishChange(db: Db, growth: LogGrowthDocument, now: Date): Promise<void> {
  const { change } = growth;
  if (!change) return;
  try {
    for (const segment of tooShort(growth, change)) await stopExpiry(db, segment);
    failpoint('log.growth.widened');
    await createSegment(db, change.segment);
    failpoint('log.growth.segment-created');
  } catch (error) {
    if (!isServerError(error, ...PERMANENT)) throw error;
    await commitGrowth(db, growth, {
      change: null,
      retired: [...growth.retired, { ...change.segment, retired_at: now }],
    });
    failpoint('log.growth.given-up');
    throw new InputError(
      'input.strategy',
      'is not possible because the database does not allow an operation that it needs',
    );
  }
  await commitGrowth(db, growth, activated(growth, change, now));
  failpoint('log.growth.activated');
}

/** Segments that would lose requests inside the new window. */
export function tooShort({ segments }: LogGrowthDocument, { retention }: GrowthGoal): ListedSegment[] {
  const kept = retention.max_age_ms ?? Number.POSITIVE_INFINITY;
  return segments.filter(({ expires_after_ms }) => expires_after_ms !== undefined && expires_after_ms < kept);
}

function activated(growth: LogGrowthDocument, change: GrowthChange, now: Date) {
  const widened = new Set(tooShort(growth, change).map(({ number }) => number));
  const active = activeSegment(growth).number;
  const segments = growth.segments.map(({ expires_after_ms, ...segment }): ListedSegment => {
    const expiry = expires_after_ms === undefined || widened.has(segment.number) ? {} : { expires_after_ms };
    return { ...segment, ...expiry, ...(segment.number === active ? { until: now } : {}) };
  });
  return {
    strategy: change.strategy,
    retention: change.retention,
    segments: [...segments, { ...change.segment, since: now }],
    change: null,
  };
}
