/**
 * Periodic work. The schedule gives each run of a job to one process. Correctness does not depend on its leases: a job may run twice,
 * overlap with itself, or die halfway. What must not be lost is a state in a document, which the next run finds.
 */
import type { Db } from 'mongodb';
import type { Clock } from '../database/index.js';
import { deleteOldFiles } from '../models/analytics/log-import/log-file.js';
import type { LogImporter } from '../models/analytics/log-import/log-importer.js';
import { removeOldSessions } from '../models/analytics/sessions/session-removal.js';
import { forgetForbidden } from '../models/commerce/money/transfer.js';
import type { Store } from '../models/commerce/store.js';
import { catalogRepair, type RecoveryWorker, recover, recoveryWorkers } from '../models/recovery.js';
import { failAbandonedMaintenance } from '../models/system/maintenance.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time.js';
import { Schedule, type ScheduledJob } from './schedule.js';

export interface JobServices {
  readonly db: Db;
  readonly imports: LogImporter;
  readonly store: Store;
  /** How long sessions are kept. 0: forever. */
  readonly keepSessionsMs: number;
  readonly now: Clock;
  /** Called, for example, when a job fails or the database is unreachable. The schedule continues by itself. */
  readonly onTrouble: (trouble: string, error: unknown) => void;
}

interface JobDeclaration extends Omit<ScheduledJob, 'run'> {
  run(services: JobServices): Promise<void>;
}

/** All jobs. A new one is one entry. */
export const jobs: readonly JobDeclaration[] = [
  {
    name: 'Go on with imports that were left behind',
    everyMs: MINUTE_MS,
    atStart: true,
    run: ({ imports }) => imports.recover(), // in the background, so that a long import does not block the job
  },
  {
    name: 'Delete uploaded logs that were read a day ago',
    everyMs: HOUR_MS,
    atStart: false,
    run: async ({ db, now }) => {
      while ((await deleteOldFiles(db, now())) > 0);
    },
  },
  {
    name: 'Forget transfers that were forbidden',
    everyMs: HOUR_MS,
    atStart: false,
    run: ({ db, store, now }) => forgetForbidden(db, store.keepAnswersMs, now()),
  },
  {
    name: 'Remove sessions that are older than they are kept',
    everyMs: DAY_MS,
    atStart: false,
    run: async ({ db, keepSessionsMs, now }) => {
      if (keepSessionsMs > 0) await removeOldSessions(db, keepSessionsMs, now());
    },
  },
  {
    name: 'Tell of checks and recoveries whose server has ended',
    everyMs: MINUTE_MS,
    atStart: true,
    run: ({ db }) => failAbandonedMaintenance(db),
  },
  recovery(catalogRepair, DAY_MS),
  ...recoveryWorkers.map((worker) => recovery(worker, 30 * SECOND_MS)),
];

function recovery(worker: RecoveryWorker, everyMs: number): JobDeclaration {
  return {
    name: worker.name,
    everyMs,
    atStart: false, // `AtStart` does that
    run: async ({ db, store, now }) => {
      await recover(db, store, worker, { now: now() });
    },
  };
}

export interface RunningJobs {
  /** Starts no more jobs, and waits for running ones. Imports continue until their own `close`. */
  close(): Promise<void>;
}

/** Starts the jobs in this process, and immediately recovers what another process may have left unfinished. */
export async function startJobs(services: JobServices): Promise<RunningJobs> {
  const schedule = await Schedule.start(
    services.db,
    jobs.map(({ run, ...job }) => ({ ...job, run: () => run(services) })),
    services.onTrouble,
  );
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

  async #run({ db, store, now, onTrouble }: JobServices): Promise<void> {
    for (const worker of recoveryWorkers) {
      if (this.#closing) return;
      await recover(db, store, worker, { now: now() }).catch(
        (error: unknown) => onTrouble(`"${worker.name}" has failed`, error), // the next worker may still succeed
      );
    }
  }
}
