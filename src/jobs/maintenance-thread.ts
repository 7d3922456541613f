/**
 * The thread of a check or a recovery, with its own connection, so that the process keeps serving requests. It rests longer than it
 * works and has a low priority, so the latency of other requests hardly grows.
 */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Db } from 'mongodb';
import { connect } from '../database/connection/client.js';
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
  /** Null: no progress is recorded, and the result is sent to the process. */
  readonly run: string | null;
}

const TELL_MS = 500;
/** It rests three times as long as it works: on two cores, working half of the time still doubled the p99 latency of others. */
const REST_TIMES = 3;
const REST_MS_MAX = 500;
const LOW_PRIORITY = 5;

const { uri, database, storeRules, kind, run } = workerData as MaintenanceThreadData;

async function work(): Promise<void> {
  if (platform === 'linux') setPriority(0, LOW_PRIORITY); // on Linux it applies to this thread; elsewhere to the whole process
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

/** A failed worker does not stop the next one. */
async function letWork(db: Db, store: Store, worker: RecoveryWorker, now: Date): Promise<WorkerOutcome> {
  try {
    return { worker: worker.name, found: await recover(db, store, worker, { now }), failure: null };
  } catch (error) {
    return { worker: worker.name, found: null, failure: (error as Error).message };
  }
}

/**
 * Records the progress every half second, even during a long step, since a silent run is considered dead.
 * @param work calls `rest` with its progress, which pauses it in favour of other work
 * @throws Error it was considered dead nevertheless, and another run may have started
 */
async function telling<T>(db: Db, work: (rest: (progress: CheckProgress) => Promise<void>) => Promise<T>): Promise<T> {
  let progress: CheckProgress = { step: '', done: 0, total: 0 };
  let isGivenUp = false;
  const tell = async () => {
    if (run !== null && !(await noteProgress(db, kind, run, progress))) isGivenUp = true;
  };
  const teller = setInterval(() => void tell().catch(() => undefined), TELL_MS); // the database is unreachable: the next attempt may succeed
  let restedAt = performance.now();
  try {
    return await work(async (reached) => {
      progress = reached;
      if (isGivenUp) throw new Error('It was given up because it reported no progress for too long');
      await delay(Math.min(REST_MS_MAX, REST_TIMES * (performance.now() - restedAt)));
      restedAt = performance.now();
    });
  } finally {
    clearInterval(teller);
  }
}

await work();
