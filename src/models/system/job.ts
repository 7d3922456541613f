/**
 * When each job of the schedule (`src/jobs`) ran, and when it runs next: one document for each, in the database's time. Every moment is
 * written and compared by the server, as `$$NOW`, so a process whose clock is ahead puts nothing off for the others.
 */
import type { Db, Document } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { MINUTE_MS } from '../../shared/time.js';

interface JobDocument {
  /** The job's name. */
  _id: string;
  every_ms: number;
  next_run_at: Date;
  last_run_at?: Date;
  last_finished_at?: Date;
  /** Why the last run failed. Absent when it did not. */
  failure?: string;
}

const jobs = defineCollection<JobDocument>('jobs', [], {
  isBookkeeping: true,
  retiredIndexes: ['findAndLockNextJobIndex'], // of the library that kept the jobs before
});

export interface JobStatus {
  readonly name: string;
  readonly lastRunAt: Date | null;
  /** Before `lastRunAt`: it has begun again, and not ended. */
  readonly lastFinishedAt: Date | null;
  /** Null when it is not planned. */
  readonly nextRunAt: Date | null;
  /** Why the last run failed. Null when it did not. */
  readonly failure: string | null;
}

/** A job that failed is tried again after this, or when it is due anyhow. */
const TRY_AGAIN_MS = MINUTE_MS;
/** How far a job may lie ahead of its interval: the clocks of a replica set's members differ a little. */
const AHEAD_MS_MAX = MINUTE_MS;
const FAILURE_LENGTH_MAX = 1000;
const JOBS_MAX = 100;

/** Its time has come, or it lies further ahead than its interval: then the server's clock was ahead when it was planned. */
const IS_DUE: Document = {
  $or: [{ $lte: ['$next_run_at', '$$NOW'] }, { $gt: ['$next_run_at', { $add: ['$$NOW', '$every_ms', AHEAD_MS_MAX] }] }],
};

export interface JobPlan {
  readonly name: string;
  readonly everyMs: number;
  /** It is due when a server starts, whenever it ran last. */
  readonly atStart: boolean;
}

/** Plans jobs, unless they are planned already. What was told of their last runs stays. May be repeated. */
export async function planJobs(db: Db, plans: readonly JobPlan[]): Promise<void> {
  const planned = plans.map(({ name, everyMs, atStart }) => ({
    updateOne: {
      filter: { _id: name },
      update: [
        {
          $set: {
            every_ms: { $literal: everyMs },
            next_run_at: atStart ? '$$NOW' : { $ifNull: ['$next_run_at', '$$NOW'] },
          },
        },
      ],
      upsert: true,
    },
  }));
  if (planned.length > 0) await jobs(db).bulkWrite(planned, { ordered: false });
}

/** Takes out what the library that kept the jobs before has left: it named them by ObjectIds. May be repeated. */
export async function removeFormerJobs(db: Db): Promise<void> {
  await jobs(db).deleteMany({ _id: { $type: 'objectId' as never } });
}

/** Of these jobs, those whose time has come. */
export async function findDueJobs(db: Db, names: readonly string[]): Promise<string[]> {
  const due = await jobs(db)
    .find({ _id: { $in: [...names] }, $expr: IS_DUE }, { projection: { _id: 1 } })
    .toArray();
  return due.map(({ _id }) => _id);
}

/** To be called by the holder of the job's lease. @returns false when somebody has run it in the meantime */
export async function beginJob(db: Db, name: string): Promise<boolean> {
  // Guard: still due. Its next time stays as it is until it has ended: what dies half-way is begun again.
  const { matchedCount } = await jobs(db).updateOne({ _id: name, $expr: IS_DUE }, [{ $set: { last_run_at: '$$NOW' } }]);
  return matchedCount === 1;
}

/** Notes how it ended, and plans the next time: an interval after its beginning. @param failure null when it went well */
export async function endJob(db: Db, name: string, failure: string | null): Promise<void> {
  const retry = { $add: ['$$NOW', { $min: ['$every_ms', TRY_AGAIN_MS] }] };
  const next_run_at = failure === null ? { $add: ['$last_run_at', '$every_ms'] } : retry;
  const reason = failure === null ? '$$REMOVE' : { $literal: failure.slice(0, FAILURE_LENGTH_MAX) };
  await jobs(db).updateOne({ _id: name }, [{ $set: { last_finished_at: '$$NOW', next_run_at, failure: reason } }]);
}

/** By name, at most 100. */
export async function findJobs(db: Db): Promise<JobStatus[]> {
  const found = await jobs(db).find().sort({ _id: 1 }).limit(JOBS_MAX).toArray();
  return found.map(({ _id, last_run_at, last_finished_at, next_run_at, failure }) => ({
    name: _id,
    lastRunAt: last_run_at ?? null,
    lastFinishedAt: last_finished_at ?? null,
    nextRunAt: next_run_at,
    failure: failure ?? null,
  }));
}
