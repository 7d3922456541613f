/**
 * Removes old sessions but keeps their roll-ups. It takes two steps, at least ANNOUNCED_MS apart: first a horizon is announced, before
 * which no more sessions are accepted, then sessions before it are removed. So a process that records a session has an hour between
 * checking the horizon and storing the session, and nothing arrives for an hour whose sessions are gone.
 *
 * Each hour's roll-up is sealed before its sessions are removed: its `computed_at` becomes the maximum time, which no computation can
 * exceed. So a run or rebuild that sums the remaining sessions of the hour changes nothing (`$max` in `roll-up-run.ts`).
 */
import type { Db, FindCursor } from 'mongodb';
import { deleteEach, writeConcernOf } from '../../../database/index.js';
import { inBatches } from '../../../shared/batches.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS, HOUR_MS } from '../../../shared/time.js';
import { type RollUpDocument, rollUps, SEALED } from './roll-up.js';
import { endOf } from './roll-up-level.js';
import { sessions } from './session.js';
import { type HorizonDocument, sessionHorizons } from './session-horizon.js';

const ANNOUNCED_MS = HOUR_MS;
const HOURS_AT_ONCE = 500;

/**
 * Announces the next horizon, and removes sessions before the one announced an hour ago or earlier. Safe in any number of processes, and
 * after a crash anywhere, because sealing and removing are idempotent.
 * @param keepMs the minimum time that sessions are kept
 * @returns the number of sessions removed
 */
export async function removeOldSessions(db: Db, keepMs: number, now: Date): Promise<number> {
  const { removes_before: until, removed_before: from } = await announce(db, keepMs, now);
  failpoint('session.removal.announced');
  if (!until || (from && from >= until) || (await hasPendingBefore(db, until))) return 0;
  let removed = 0;
  for await (const hours of inBatches(hoursWithin(db, from ?? new Date(0), until), HOURS_AT_ONCE))
    removed += await removeHours(db, hours);
  await sessionHorizons(db).updateOne({ _id: 'sessions' }, { $max: { removed_before: until } });
  return removed;
}

/** One update, so that two processes announce only once. */
async function announce(db: Db, keepMs: number, now: Date): Promise<HorizonDocument> {
  const cutoff = new Date(Math.floor((now.getTime() - keepMs) / DAY_MS) * DAY_MS);
  const isDue = { $lte: ['$announced_at', new Date(now.getTime() - ANNOUNCED_MS)] }; // also if nothing was announced yet
  const whenDue = (then: unknown, field: string) => ({ $cond: [isDue, then, `$${field}`] });
  const horizon = await sessionHorizons(db).findOneAndUpdate(
    { _id: 'sessions' },
    [
      {
        $set: {
          accepts_from: whenDue({ $max: ['$accepts_from', cutoff] }, 'accepts_from'),
          announced_at: whenDue(now, 'announced_at'),
          removes_before: whenDue('$accepts_from', 'removes_before'),
        },
      },
    ],
    { upsert: true, returnDocument: 'after', writeConcern: writeConcernOf.MAJORITY },
  );
  if (!horizon) throw new Error('The upsert returned no document');
  return horizon;
}

/** Whether some of these sessions are not in the roll-ups yet. Then nothing is removed before the next run has added them. */
async function hasPendingBefore(db: Db, until: Date): Promise<boolean> {
  const found = await sessions(db).findOne({ pending: true, ts: { $lt: until } }, { projection: { _id: 1 } });
  return found !== null;
}

/** The hours that have roll-ups. Every session that is not pending has one. */
function hoursWithin(db: Db, from: Date, until: Date): FindCursor<RollUpDocument['_id']> {
  return rollUps
    .HOUR(db)
    .find({ '_id.d': { $gte: from, $lt: until } }, { projection: { _id: 1 } })
    .sort({ '_id.d': 1, '_id.u': 1 })
    .map(({ _id }) => _id);
}

async function removeHours(db: Db, hours: readonly RollUpDocument['_id'][]): Promise<number> {
  await rollUps
    .HOUR(db)
    .updateMany(
      { _id: { $in: [...hours] } },
      { $set: { 'value.computed_at': SEALED } },
      { writeConcern: writeConcernOf.MAJORITY },
    );
  failpoint('session.removal.sealed');
  const statements = hours.map(({ u, d }) => ({
    // Guard: sessions that are not rolled up yet are kept.
    q: { userid: u, ts: { $gte: d, $lt: new Date(endOf('HOUR', d.getTime())) }, pending: { $exists: false } },
    limit: 0 as const,
  }));
  const removed = await deleteEach(db, sessions.collectionName, statements, writeConcernOf.MAJORITY);
  failpoint('session.removal.removed');
  return removed;
}
