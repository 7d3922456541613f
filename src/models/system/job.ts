/**
 * When each scheduled job (`src/jobs`) last ran and runs next: one document per job, in the database's time. The database sets and
 * compares all times with `$$NOW`, so a process whose clock is ahead cannot delay jobs for the others.
 */
import type { Db, Document } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { MINUTE_MS } from '../../shared/time.js';
import type { JobPlan } from '../domain.js';

interface JobDocument {
  /** The job's name. */
  _id: string;
  every_ms: number;
  next_run_at: Date;
  last_run_at?: Date;
  last_finished_at?: Date;
  /** Why the last run failed. Absent if it succeeded. */
  failure?: string;
}

export const jobs = defineCollection<JobDocument>('jobs', [], {
  isBookkeeping: true,
  retiredIndexes: ['findAndLockNextJobIndex'], // of the library formerly used to store jobs
});

export interface JobStatus {
  readonly name: string;
  readonly lastRunAt: Date | null;
  /** Earlier than `lastRunAt` while the job is running. */
  readonly lastFinishedAt: Date | null;
  /** Null when it is not scheduled. */
  readonly nextRunAt: Date | null;
  /** Why the last run failed. Null if it succeeded, or if there was none. */
  readonly failure: string | null;
}

/** A failed job is retried after this, or when it is due anyway. */
const TRY_AGAIN_MS = MINUTE_MS;
/** Tolerated clock skew between the members of a replica set. */
const AHEAD_MS_MAX = MINUTE_MS;
const FAILURE_LENGTH_MAX = 1000;
const JOBS_MAX = 100;

/** The job is due, or it is scheduled further ahead than its interval because the server's clock was ahead at the time. */
const IS_DUE: Document = {
  $or: [{ $lte: ['$next_run_at', '$$NOW'] }, { $gt: ['$next_run_at', { $add: ['$$NOW', '$every_ms', AHEAD_MS_MAX] }] }],
};

/** Schedules jobs: those with `atStart` for now, others unless they are scheduled already. Keeps their last runs. May be repeated. */
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

/**
 * Removes the documents of jobs that have been renamed, and those of the library formerly used, whose ids are ObjectIds. May be
 * repeated.
 */
export async function removeFormerJobs(db: Db, formerNames: readonly string[]): Promise<void> {
  await jobs(db).deleteMany({ $or: [{ _id: { $in: [...formerNames] } }, { _id: { $type: 'objectId' as never } }] });
}

/** The jobs among these that are due. */
export async function findDueJobs(db: Db, names: readonly string[]): Promise<string[]> {
  const due = await jobs(db)
    .find({ _id: { $in: [...names] }, $expr: IS_DUE }, { projection: { _id: 1 } })
    .toArray();
  return due.map(({ _id }) => _id);
}

/** Call it while holding the job's lease. @returns false when another process has run the job in the meantime */
export async function beginJob(db: Db, name: string): Promise<boolean> {
  // Guard: still due. The next run is scheduled only when this one ends, so a run that dies is started again.
  const { matchedCount } = await jobs(db).updateOne({ _id: name, $expr: IS_DUE }, [{ $set: { last_run_at: '$$NOW' } }]);
  return matchedCount === 1;
}

/** Records the result and schedules the next run: one interval after the start of this one. @param failure null on success */
export async function endJob(db: Db, name: string, failure: string | null): Promise<void> {
  const retry = { $add: ['$$NOW', { $min: ['$every_ms', TRY_AGAIN_MS] }] };
  const next_run_at = failure === null ? { $add: ['$last_run_at', '$every_ms'] } : retry;
  const reason = failure === null ? '$$REMOVE' : { $literal: failure.slice(0, FAILURE_LENGTH_MAX) };
  await jobs(db).updateOne({ _id: name }, [{ $set: { last_finished_at: '$$NOW', next_run_at, failure: reason } }]);
}

/** Sorted by name, at most 100. @param names default: all that were ever scheduled */
export async function findJobs(db: Db, names?: readonly string[]): Promise<JobStatus[]> {
  const found = await jobs(db)
    .find(names ? { _id: { $in: [...names] } } : {})
    .sort({ _id: 1 })
    .limit(JOBS_MAX)
    .toArray();
  return found.map(({ _id, last_run_at, last_finished_at, next_run_at, failure }) => ({
    name: _id,
    lastRunAt: last_run_at ?? null,
    lastFinishedAt: last_finished_at ?? null,
    nextRunAt: next_run_at,
    failure: failure ?? null,
  }));
}
