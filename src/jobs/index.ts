/**
 * Periodic work. The schedule gives each run of a job to one process. Correctness does not depend on its leases: a job may run twice,
 * overlap with itself, or die halfway. Anything that must not be lost is stored in a document, where the next run finds it.
 */
import type { Db } from 'mongodb';
import type { Clock } from '../database/index.js';
import { inOrderOfRuns, type Job, type JobPlan, type OpenDomain, type RecoveryWorker } from '../models/domain.js';
import { recover } from '../models/recovery.js';
import { DAY_MS, SECOND_MS } from '../shared/time.js';
import { Schedule } from './schedule.js';

export interface JobServices {
  readonly db: Db;
  readonly domains: readonly OpenDomain[];
  readonly now: Clock;
  /** Called, for example, when a job fails or the database is unreachable. The schedule continues by itself. */
  readonly onTrouble: (trouble: string, error: unknown) => void;
}

const RECOVERY_MS = 30 * SECOND_MS;

/** The jobs of the domains, and their recovery workers as jobs. */
export const jobsOf = ({ db, domains, now }: Omit<JobServices, 'onTrouble'>): Job[] => [
  ...domains.flatMap(({ jobs }) => jobs),
  ...inOrderOfRuns(domains).map((worker) => ({
    ...recoveryPlan(worker),
    run: async () => {
      await recover(db, worker, { now: now() });
    },
  })),
];

export const recoveryPlan = ({ name, isDaily }: Pick<RecoveryWorker, 'name' | 'isDaily'>): JobPlan => ({
  name,
  everyMs: isDaily ? DAY_MS : RECOVERY_MS,
  atStart: false, // `AtStart` does that
});

export interface RunningJobs {
  /** Starts no more jobs, and waits for running ones. Imports continue until their own `close`. */
  close(): Promise<void>;
}

/** Starts the jobs in this process, and immediately recovers what another process may have left unfinished. */
export async function startJobs(services: JobServices): Promise<RunningJobs> {
  const schedule = await Schedule.start(services.db, jobsOf(services), services.onTrouble);
  const atStart = new AtStart(services);
  return {
    close: async () => {
      await schedule.stop();
      await atStart.close();
    },
  };
}

/**
 * Recovery, once per start and in addition to the scheduled runs: however often processes die in it, and whatever they leave locked,
 * the next process that survives finishes all of it.
 */
class AtStart {
  #closing = false;
  readonly #done: Promise<void>;

  constructor(services: JobServices) {
    this.#done = this.#run(services);
  }

  close(): Promise<void> {
    this.#closing = true;
    return this.#done;
  }

  async #run({ db, domains, now, onTrouble }: JobServices): Promise<void> {
    for (const worker of inOrderOfRuns(domains).filter(({ isDaily }) => !isDaily)) {
      if (this.#closing) return;
      await recover(db, worker, { now: now() }).catch(
        (error: unknown) => onTrouble(`The recovery "${worker.name}" has failed`, error), // the next worker may still succeed
      );
    }
  }
}
