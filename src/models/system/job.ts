/** Periodic work, as its scheduler keeps it (`src/jobs`). */
import type { Db } from 'mongodb';

/** Agenda's own collection; it makes the indexes itself. */
export const JOBS_COLLECTION = 'jobs';

export interface JobStatus {
  readonly name: string;
  readonly lastRunAt: Date | null;
  readonly lastFinishedAt: Date | null;
  /** Null when it is not planned. */
  readonly nextRunAt: Date | null;
  /** Why the last run failed. Null when it did not. */
  readonly failure: string | null;
}

interface AgendaJob {
  name: string;
  lastRunAt?: Date | null;
  lastFinishedAt?: Date | null;
  nextRunAt?: Date | null;
  failedAt?: Date | null;
  failReason?: string | null;
}

const JOBS_MAX = 100;

/** By name, at most 100. */
export async function findJobs(db: Db): Promise<JobStatus[]> {
  const jobs = await db.collection<AgendaJob>(JOBS_COLLECTION).find().sort({ name: 1 }).limit(JOBS_MAX).toArray();
  return jobs.map(({ name, lastRunAt, lastFinishedAt, nextRunAt, failedAt, failReason }) => ({
    name,
    lastRunAt: lastRunAt ?? null,
    lastFinishedAt: lastFinishedAt ?? null,
    nextRunAt: nextRunAt ?? null,
    failure: failedAt && failedAt >= (lastRunAt ?? failedAt) ? (failReason ?? 'It failed without a reason') : null,
  }));
}
