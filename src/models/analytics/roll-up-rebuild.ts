/**
 * All roll-ups made anew, by one pipeline for each level that ends in `$merge`: the database reads and writes them by itself. For the
 * first build, and wherever more is pending than was ever rolled up, so that it costs no more for each session that has arrived.
 *
 * It keeps the rules of `roll-up-run.ts`. A pipeline that writes cannot read a snapshot; it begins to read after the time T that it
 * writes as `computed_at`, so its sums have all that was committed by T, and perhaps more, which has its mark still.
 */
import type { Db, Timestamp } from 'mongodb';
import { inSnapshot, noteWrite, writeConcernOf } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { childrenOf, rollUps } from './roll-up.js';
import type { RollUpLevel } from './roll-up-level.js';
import type { RollUpProgress } from './roll-up-progress.js';
import { groupStage } from './roll-up-sum.js';
import { sessions, unmarkSessions } from './session.js';

/** Numbers of sessions that are kept in memory, 8 bytes each. What is beyond keeps its mark, and is brought in next. */
const NUMBERS_MAX = 5_000_000;
const UNMARKED_AT_ONCE = 10_000;
const UNMARK_LANES = 3; // the database takes one core for each

/** Whether at least `min` sessions are pending, and half of all. Counts no more than that. */
export async function isWorthRebuilding(db: Db, min: number): Promise<boolean> {
  const half = Math.max(min, Math.ceil((await sessions(db).estimatedDocumentCount()) / 2));
  return (await sessions(db).countDocuments({ pending: true }, { limit: half })) === half;
}

/** Brings in all that is pending when it begins, and unmarks that. May die anywhere, as a batch may. */
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

/** The numbers of the sessions that were pending at a time. */
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

/** A time at which all that was acknowledged of the level below is there. */
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
    // Guard: only over what was computed before.
    { $merge: { into: collectionName, whenMatched: [{ $set: { value: { $max: ['$value', '$$new.value'] } } }] } },
  ];
  const session = db.client.startSession(); // causally consistent: only such a session keeps the time of a reply
  try {
    const options = { session, allowDiskUse: true, writeConcern: writeConcernOf.MAJORITY };
    await db.collection(childrenOf[level].collectionName).aggregate(pipeline, options).toArray();
    noteWrite(db, session.operationTime);
  } finally {
    await session.endSession();
  }
  return { written: await rollUps[level](db).estimatedDocumentCount() };
}
