/**
 * Runs the recovery workers of the domains, each under a lease that keeps processes from doing the same work twice. They run as jobs,
 * and by `sextant recover`.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { withLease } from '../database/index.js';
import { failpoint } from '../shared/failpoint.js';
import { clockFrom, LATEST_MS, SECOND_MS } from '../shared/time.js';
import type { RecoveryWorker } from './domain.js';

/**
 * Renewed while a worker runs. A worker that died blocks the others for no longer than this. All steps are safe to run concurrently,
 * so a worker that was merely paused and continues without its lease does no harm.
 */
const LEASE_MS = 5 * SECOND_MS;
const WAIT_MS = 6 * SECOND_MS;

export interface RecoveryOptions {
  readonly now: Date;
  readonly all?: boolean;
  readonly onWait?: (waitMs: number) => void;
}

/**
 * Runs a worker.
 * @param onWait called once if another process is running it: with how long this one waits at most, in milliseconds
 * @param all includes operations that may still be in progress. Use it only when nothing else runs on this database
 * @returns null when another live process is running it
 */
export async function recover(
  db: Db,
  worker: RecoveryWorker,
  { now, all = false, onWait }: RecoveryOptions,
): Promise<number | null> {
  const clock = clockFrom(now);
  let hasWaited = false;
  const terms = {
    name: `recovery: ${worker.name}`,
    holder: randomUUID(),
    leaseMs: LEASE_MS,
    waitMs: WAIT_MS,
    onWait: () => {
      hasWaited = true;
      onWait?.(WAIT_MS);
    },
  };
  const found = await withLease(db, terms, async () => {
    failpoint('recovery.leased');
    const begun = hasWaited ? clock() : now;
    // `all` includes what was written by a process whose clock was ahead.
    const before = (ms: number) => new Date(all ? LATEST_MS : begun.getTime() - ms);
    try {
      return await worker.work({ db, now: begun, before });
    } finally {
      failpoint('recovery.worked');
    }
  });
  failpoint('recovery.released');
  return found;
}
