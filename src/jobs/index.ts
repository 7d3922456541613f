/**
 * Periodic work. Agenda gives each turn of a job to one process. Nothing depends on its locks: a job may run twice, overlap with
 * itself, or die half-way, and what must not be lost is a state in a document, which the next turn finds.
 */
import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import type { Db } from 'mongodb';
import { deleteOldFiles } from '../models/analytics/log-file.js';
import type { LogImporter } from '../models/analytics/log-importer.js';
import { removeOldSessions } from '../models/analytics/session-removal.js';
import type { Store } from '../models/commerce/store.js';
import { catalogRepair, type RecoveryWorker, recover, recoveryWorkers } from '../models/recovery.js';
import { JOBS_COLLECTION } from '../models/system/job.js';

export interface JobServices {
  readonly db: Db;
  readonly imports: LogImporter;
  readonly store: Store;
  /** How long sessions are kept. 0: for good. */
  readonly keepSessionsMs: number;
  readonly now: () => Date;
  /** The scheduler cannot reach the database, for example. It goes on by itself. */
  readonly onTrouble: (error: Error) => void;
}

interface JobDeclaration {
  /** Shown to people. */
  readonly name: string;
  /** As Agenda reads it. */
  readonly every: string;
  run(services: JobServices): Promise<void>;
}

/** All jobs. A new one is one entry. */
export const jobs: readonly JobDeclaration[] = [
  {
    name: 'Go on with imports that were left behind',
    every: '1 minute',
    run: ({ imports }) => imports.recover(), // in the background: a long import does not hold the job
  },
  {
    name: 'Delete uploaded logs that were read a day ago',
    every: '1 hour',
    run: async ({ db, now }) => {
      while ((await deleteOldFiles(db, now())) > 0);
    },
  },
  {
    name: 'Remove sessions that are older than they are kept',
    every: '1 day',
    run: async ({ db, keepSessionsMs, now }) => {
      if (keepSessionsMs > 0) await removeOldSessions(db, keepSessionsMs, now());
    },
  },
  recovery(catalogRepair, '1 day'),
  ...recoveryWorkers.map((worker) => recovery(worker, '30 seconds')),
];

function recovery(worker: RecoveryWorker, every: string): JobDeclaration {
  return {
    name: worker.name,
    every,
    run: async ({ db, store, now }) => {
      await recover(db, store, worker, { now: now() });
    },
  };
}

const POLL = '5 seconds';
const LOCK_LIFETIME_MS = 60_000; // a job whose process died is free again after this

export interface RunningJobs {
  /** Starts no job any more, and waits for those that run. Imports go on: they are closed by their own `close`. */
  close(): Promise<void>;
}

/** Starts the jobs in this process, and at once what another process may have left behind. */
export async function startJobs(services: JobServices): Promise<RunningJobs> {
  const backend = new MongoBackend({ mongo: services.db, collection: JOBS_COLLECTION });
  const agenda = new Agenda({ backend, processEvery: POLL, defaultLockLifetime: LOCK_LIFETIME_MS });
  agenda.on('error', services.onTrouble);
  for (const job of jobs) agenda.define(job.name, () => job.run(services));
  await agenda.start();
  for (const { every, name } of jobs) await agenda.every(every, name);
  await services.imports.recover();
  return {
    close: async () => {
      await agenda.drain();
    },
  };
}
