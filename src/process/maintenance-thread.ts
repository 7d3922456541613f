/**
 * The thread of a check or a recovery, with its own connection, so that the process keeps serving requests. It rests longer than it
 * works and has a low priority, so the latency of other requests hardly grows.
 */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Db } from 'mongodb';
import type { Config } from '../config/config.js';
import { connect } from '../database/connection/client.js';
import { openClock } from '../database/index.js';
import { acrossDomains, domainsOf } from '../domains.js';
import type { MaintenanceThreadData } from '../jobs/maintenance-runner.js';
import { closeDomains, inOrderOfRuns, openDomains, type RecoveryWorker } from '../models/domain.js';
import { recover } from '../models/recovery.js';
import { finishMaintenance, noteProgress, VIOLATIONS_MAX, type WorkerOutcome } from '../models/system/maintenance.js';
import { type CheckProgress, findFirstViolations } from '../models/violation.js';

const TELL_MS = 500;
/** It rests three times as long as it works: on two cores, working half of the time still doubled the p99 latency of other requests. */
const REST_TIMES = 3;
const REST_MS_MAX = 500;
const LOW_PRIORITY = 5;

const { uri, database, settings, kind, run } = workerData as MaintenanceThreadData;
const config = settings as Config;
const domains = domainsOf(config);

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
  const violations = await telling(db, (rest) => findFirstViolations(db, domains, VIOLATIONS_MAX, rest));
  if (run === null) parentPort?.postMessage(violations);
  else await finishMaintenance(db, kind, run, { violations });
}

async function recoverAll(db: Db): Promise<void> {
  const now = await openClock(db.client);
  const runtime = { client: db.client, db, now, onFault: () => undefined, ...acrossDomains(config) };
  const open = await openDomains(domains, runtime, config);
  const workers = inOrderOfRuns(open);
  const worked: WorkerOutcome[] = [];
  await telling(db, async (rest) => {
    for (const worker of workers) {
      await rest({ step: worker.name, done: worked.length, total: workers.length });
      worked.push(await letWork(db, worker, now()));
    }
  });
  await closeDomains(open);
  if (run === null) parentPort?.postMessage(worked);
  else await finishMaintenance(db, kind, run, { worked });
}

/** A failed worker does not stop the next one. */
async function letWork(db: Db, worker: RecoveryWorker, now: Date): Promise<WorkerOutcome> {
  try {
    return { worker: worker.name, found: await recover(db, worker, { now }), failure: null };
  } catch (error) {
    return { worker: worker.name, found: null, failure: (error as Error).message };
  }
}

/**
 * Records the progress every half second, even during a long step, since a silent run is considered dead.
 * @param work calls `rest` with its progress, which pauses it in favor of other work
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
      if (isGivenUp) throw new Error('The run is considered dead: it reported no progress for too long');
      await delay(Math.min(REST_MS_MAX, REST_TIMES * (performance.now() - restedAt)));
      restedAt = performance.now();
    });
  } finally {
    clearInterval(teller);
  }
}

await work();
