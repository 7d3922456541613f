/**
 * Rebuilds all roll-ups, by one pipeline per level that ends in `$merge`, so that the database does all reading and writing. Used for the
 * first build, and whenever more sessions are pending than were ever rolled up, so that the cost per arrived session stays bounded.
 *
 * It follows the rules of `roll-up-run.ts`. A pipeline that writes cannot read a snapshot. It starts reading after the time T that it
 * writes as `computed_at`, so its sums contain everything committed by T, and perhaps later sessions, which still have their marks.
 */
import type { Db, Timestamp } from 'mongodb';
import { inSnapshot, noteWrite, writeConcernOf } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { childrenOf, rollUps } from './roll-up.js';
import type { RollUpLevel } from './roll-up-level.js';
import type { RollUpProgress } from './roll-up-progress.js';
import { groupStage } from './roll-up-sum.js';
import { sessions, unmarkSessions } from './session.js';

/** Session numbers kept in memory, 8 bytes each. Sessions beyond that keep their mark for the next run. */
const NUMBERS_MAX = 5_000_000;
const UNMARKED_AT_ONCE = 10_000;
const UNMARK_LANES = 3; // the database uses one core for each

/** Whether at least `min` sessions, and at least half of all, are pending. Counts no further than needed. */
export async function isWorthRebuilding(db: Db, min: number): Promise<boolean> {
  const half = Math.max(min, Math.ceil((await sessions(db).estimatedDocumentCount()) / 2));
  return (await sessions(db).countDocuments({ pending: true }, { limit: half })) === half;
}

/** Rolls up all sessions pending at the start, and unmarks them. May die anywhere, like a batch. */
export async function rebuildRollUps(db: Db, now: Date, progress: RollUpProgress): Promise<void> {
  const { pending, time } = await findPending(db);
  await progress.of('HOUR', () => rebuildLevel(db, 'HOUR', time, now));
  failpoint('roll-up.hours-rebuilt');
  const rebuild = (level: RollUpLevel) =>
    progress.of(level, async () => rebuildLevel(db, level, await timeOfChildren(db, level), now));
  await rebuild('DAY');
  await Promise.all([rebuild('WEEK'), rebuild('MONTH').then(() => rebuild('YEAR'))]); // neither reads what the other writes
  failpoint('roll-up.all-rebuilt');
  const unmarkEvery = async (lanes: number, lane: number) => {
    for (let first = lane * UNMARKED_AT_ONCE; first < pending.length; first += lanes * UNMARKED_AT_ONCE) {
      await unmarkSessions(db, [...pending.subarray(first, first + UNMARKED_AT_ONCE)]);
      failpoint('roll-up.some-unmarked');
    }
  };
  await Promise.all(Array.from({ length: UNMARK_LANES }, (_, lane) => unmarkEvery(UNMARK_LANES, lane)));
}

/** The numbers of the sessions pending at a cluster time. */
async function findPending(db: Db): Promise<{ readonly pending: Float64Array; readonly time: Timestamp }> {
  const numbers = new Float64Array(Math.min(NUMBERS_MAX, 1 + (await sessions(db).estimatedDocumentCount())));
  const { value, time } = await inSnapshot(db, async (session) => {
    const found = sessions(db).find({ pending: true }, { session, projection: { _id: 1 }, limit: numbers.length });
    let length = 0;
    for await (const { _id } of found) {
      numbers[length] = _id;
      length += 1;
    }
    return numbers.subarray(0, length);
  });
  return { pending: value, time };
}

/** A cluster time that includes everything acknowledged at the level below. */
async function timeOfChildren(db: Db, level: RollUpLevel): Promise<Timestamp> {
  const { collectionName, user } = childrenOf[level];
  const any = { [user]: { $gt: '' } };
  const { time } = await inSnapshot(db, (session) => db.collection(collectionName).findOne(any, { session }));
  return time;
}

async function rebuildLevel(db: Db, level: RollUpLevel, time: Timestamp, now: Date): Promise<{ written: number }> {
  const { collectionName } = rollUps[level];
  const mean = { $divide: ['$total', '$count'] };
  const value = { computed_at: { $literal: time }, total: '$total', count: '$count', mean, ts: now };
  const pipeline = [
    groupStage(level),
    { $project: { value } },
    // Guard: replaces only older computations.
    { $merge: { into: collectionName, whenMatched: [{ $set: { value: { $max: ['$value', '$$new.value'] } } }] } },
  ];
  const session = db.client.startSession(); // causally consistent: only such a session tracks the time of replies
  try {
    const options = { session, allowDiskUse: true, writeConcern: writeConcernOf.MAJORITY };
    await db.collection(childrenOf[level].collectionName).aggregate(pipeline, options).toArray();
    noteWrite(db, session.operationTime);
  } finally {
    await session.endSession();
  }
  return { written: await rollUps[level](db).estimatedDocumentCount() };
}
