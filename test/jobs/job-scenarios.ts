import { expect } from 'vitest';
import { findJobs } from '../../src/models/system/job.js';
import type { Scenario } from '../crash/scenario.js';
import { callJobs } from '../crash/workers.js';
import { schedule } from '../support/domain/domains.js';

/** A server runs all jobs when it starts; it dies during a later run. */
const AFTER_THE_FIRST = schedule.length + 1;

/** A run that a process left unfinished is started again by the next process, and completes. */
export const jobsBegunAgain: Scenario<void> = {
  failpoints: { 'jobs.begun': AFTER_THE_FIRST, 'jobs.run': AFTER_THE_FIRST },
  act: async (product, db) => callJobs(db, product),
  async judge(_product, db) {
    await expect
      .poll(async () => (await findJobs(db)).filter((job) => !isEnded(job)).map(({ name }) => name), {
        timeout: 60_000,
      })
      .toEqual([]);
    expect((await findJobs(db)).map(({ failure }) => failure)).toEqual(schedule.map(() => null));
  },
};

type Job = Awaited<ReturnType<typeof findJobs>>[number];

const isEnded = ({ lastRunAt, lastFinishedAt, nextRunAt }: Job): boolean =>
  lastRunAt !== null && lastFinishedAt !== null && lastFinishedAt >= lastRunAt && Number(nextRunAt) > 0;
