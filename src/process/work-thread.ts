/**
 * The thread that does background work, with its own connection, so that the process keeps serving requests. It rests longer than it
 * works and has a low priority. It ends when there has been nothing to do for a while.
 */
import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../config/config.js';
import { connect } from '../database/connection/client.js';
import { openClock } from '../database/index.js';
import { acrossDomains, domainsOf } from '../domains.js';
import type { WorkFault, WorkOrder, WorkThreadData } from '../jobs/work-runner.js';
import { closeDomains, openDomains, workKindsOf } from '../models/domain.js';
import { WorkLoop } from '../models/system/work/work-loop.js';
import { armFailpoint } from '../shared/failpoint.js';

const LOOK_MS = 2000;
const IDLE_MS_MAX = 10_000;
/** As the thread of checks and recoveries: on two cores, working half of the time still doubled the p99 latency of other requests. */
const REST_TIMES = 3;
const REST_MS_MAX = 500;
const LOW_PRIORITY = 5;

const { uri, database, settings } = workerData as WorkThreadData;
const config = settings as Config;

async function work(): Promise<void> {
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
  if (platform === 'linux') setPriority(0, LOW_PRIORITY); // on Linux it applies to this thread; elsewhere to the whole process
  const tellFault = (error: unknown, workId: string | null) =>
    parentPort?.postMessage({ workId, error: error as Error } satisfies WorkFault);
  const orders = listen();
  const { client, db } = await connect(uri, database);
  try {
    const now = await openClock(client);
    const onFault = (_fault: string, error: unknown) => tellFault(error, null);
    const runtime = { client, db, now, onFault, ...acrossDomains(config) };
    const open = await openDomains(domainsOf(config), runtime, config);
    const loop = new WorkLoop(db, workKindsOf(open), {
      holder: randomUUID(),
      now,
      onFault: tellFault,
      rest: (workedMs) => delay(Math.min(REST_MS_MAX, REST_TIMES * workedMs)),
    });
    await runUntilIdle(loop, orders);
    await loop.close();
    await closeDomains(open);
  } finally {
    await client.close();
  }
}

interface Orders {
  readonly stopped: AbortSignal;
  /** Called for each order to look. */
  onLook: () => void;
}

/** From the start on, so that no order is lost while the thread connects. */
function listen(): Orders {
  const stop = new AbortController();
  const orders: Orders = { stopped: stop.signal, onLook: () => undefined };
  parentPort?.on('message', (order: WorkOrder) => {
    if (order === 'stop') stop.abort();
    else orders.onLook();
  });
  return orders;
}

async function runUntilIdle(loop: WorkLoop, orders: Orders): Promise<void> {
  let busyAt = performance.now();
  orders.onLook = () => {
    busyAt = performance.now();
    loop.look();
  };
  loop.look();
  while (!orders.stopped.aborted && performance.now() - busyAt < IDLE_MS_MAX) {
    await delay(LOOK_MS, undefined, { signal: orders.stopped }).catch(() => undefined);
    if (!loop.isIdle) busyAt = performance.now();
    loop.look();
  }
}

await work();
parentPort?.close(); // otherwise the thread would wait for further orders
