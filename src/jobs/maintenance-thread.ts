/**
 * The thread of a check or a recovery, with a connection of its own, so that the process goes on answering. It rests longer than it works,
 * and yields its core: what is asked of the server meanwhile waits hardly longer.
 */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Db } from 'mongodb';
import { connect } from '../database/connection.js';
import { openClock } from '../database/index.js';
import { openStore, type Store, type StoreRules } from '../models/commerce/store.js';
import { type CheckProgress, findFirstViolations } from '../models/invariants.js';
import { allRecoveryWorkers, type RecoveryWorker, recover } from '../models/recovery.js';
import {
  finishMaintenance,
  type MaintenanceKind,
  noteProgress,
  VIOLATIONS_MAX,
  type WorkerOutcome,
} from '../models/system/maintenance.js';

export interface MaintenanceThreadData {
  readonly uri: string;
  readonly database: string;
  readonly storeRules: StoreRules;
  readonly kind: MaintenanceKind;
  /** Null: nobody looks at how far it is, and what it finds is sent to the process. */
  readonly run: string | null;
}

const TELL_MS = 500;
/** It rests three times as long as it works: on two cores, half of the time still doubled what one in a hundred others waited. */
const REST_TIMES = 3;
const REST_MS_MAX = 500;
const LOW_PRIORITY = 5;

const { uri, database, storeRules, kind, run } = workerData as MaintenanceThreadData;

async function work(): Promise<void> {
  if (platform === 'linux') setPriority(0, LOW_PRIORITY); // there it is this thread's; elsewhere the whole process's
  const { client, db } = await connect(uri, database);
  try {
    if (kind === 'CHECK') await check(db);
    else await recoverAll(db);
  } finally {
    await client.close();
  }
}

async function check(db: Db): Promise<void> {
  const violations = await telling(db, (rest) => findFirstViolations(db, VIOLATIONS_MAX, rest));
  if (run === null) parentPort?.postMessage(violations);
  else await finishMaintenance(db, kind, run, { violations });
}

async function recoverAll(db: Db): Promise<void> {
  const now = await openClock(db.client);
  const store = await openStore(db, storeRules, now());
  const worked: WorkerOutcome[] = [];
  await telling(db, async (rest) => {
    for (const worker of allRecoveryWorkers) {
      await rest({ step: worker.name, done: worked.length, total: allRecoveryWorkers.length });
      worked.push(await letWork(db, store, worker, now()));
    }
  });
  if (run === null) parentPort?.postMessage(worked);
  else await finishMaintenance(db, kind, run, { worked });
}

/** One that fails does not keep the next from its work. */
async function letWork(db: Db, store: Store, worker: RecoveryWorker, now: Date): Promise<WorkerOutcome> {
  try {
    return { worker: worker.name, found: await recover(db, store, worker, { now }), failure: null };
  } catch (error) {
    return { worker: worker.name, found: null, failure: (error as Error).message };
  }
}

/**
 * Tells every half second how far the work is, also while one step of it takes long, since who tells nothing is taken for dead.
 * @param work told by `rest` how far it is; there it rests for the others
 * @throws Error it was taken for dead all the same, and another may have begun
 */
async function telling<T>(db: Db, work: (rest: (progress: CheckProgress) => Promise<void>) => Promise<T>): Promise<T> {
  let progress: CheckProgress = { step: '', done: 0, total: 0 };
  let isGivenUp = false;
  const tell = async () => {
    if (run !== null && !(await noteProgress(db, kind, run, progress))) isGivenUp = true;
  };
  const teller = setInterval(() => void tell().catch(() => undefined), TELL_MS); // the database is away: the next may be told
  let restedAt = performance.now();
  try {
    return await work(async (reached) => {
      progress = reached;
      if (isGivenUp) throw new Error('It was given up, since it told nothing for long');
      await delay(Math.min(REST_MS_MAX, REST_TIMES * (performance.now() - restedAt)));
      restedAt = performance.now();
    });
  } finally {
    clearInterval(teller);
  }
}

await work();
