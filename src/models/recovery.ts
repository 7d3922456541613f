/**
 * The workers of all domains that finish or roll back interrupted operations. Each is safe in any number of processes at once. A lease
 * keeps processes from doing the same work twice. They run as jobs, and by `sextant recover`.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { withLease } from '../database/index.js';
import { failpoint } from '../shared/failpoint.js';
import { LATEST_MS, SECOND_MS } from '../shared/time.js';
import { GRACE_MS } from './analytics/log-growth/log-growth.js';
import { keepLogGrowth } from './analytics/log-growth/log-growth-upkeep.js';
import { ROLL_UP_CUTOFF_MS, rollUpSessions } from './analytics/sessions/roll-up-run.js';
import { repairCatalog } from './commerce/catalog/catalog-repair.js';
import { finishTreeWork } from './commerce/catalog/category-tree.js';
import { migrateAllProducts } from './commerce/catalog/product-form.js';
import { recoverTransfers } from './commerce/money/transfer-recovery.js';
import { expireCarts } from './commerce/orders/cart-expiry.js';
import { recoverCheckouts } from './commerce/orders/checkout.js';
import { repairHolds } from './commerce/orders/inventory-repair.js';
import { recoverRefunds } from './commerce/orders/order-refund.js';
import type { Store } from './commerce/store.js';

export interface RecoveryWorker {
  /** Shown to users. */
  readonly name: string;
  /** @param before returns the time that many milliseconds ago @returns how many items it found to work on */
  work(db: Db, store: Store, now: Date, before: (ms: number) => Date): Promise<number>;
}

/** Holds are checked less often, because each valid one is marked as seen: one write per product in a cart. */
const HOLDS_FACTOR = 10;

/**
 * Renewed while a worker runs. A worker that died blocks the others for no longer than this. All steps are safe to run concurrently,
 * so a worker that was merely paused and continues without its lease does no harm.
 */
const LEASE_MS = 5 * SECOND_MS;
const WAIT_MS = 6 * SECOND_MS;

/** In this order because each may leave work for the next: a checkout that ends releases or sells what its cart holds. */
export const recoveryWorkers: readonly RecoveryWorker[] = [
  {
    name: 'Settle transfers that did not get on',
    work: (db, { recoverAfterMs }, now, before) => recoverTransfers(db, before(recoverAfterMs), now),
  },
  {
    name: 'Finish or take back checkouts that did not get on',
    work: (db, { payment, recoverAfterMs }, now, before) => recoverCheckouts(db, payment, before(recoverAfterMs), now),
  },
  {
    name: 'Finish or take back refunds that did not get on',
    work: (db, { payment, recoverAfterMs }, now, before) => recoverRefunds(db, payment, before(recoverAfterMs), now),
  },
  {
    name: 'Expire carts that nobody has changed for long',
    work: (db, { cartIdleMs }, now) => expireCarts(db, new Date(now.getTime() - cartIdleMs), now),
  },
  {
    name: 'Return stock that no cart needs',
    work: (db, { recoverAfterMs }, now, before) => repairHolds(db, before(HOLDS_FACTOR * recoverAfterMs), now),
  },
  {
    name: 'Finish changes of the categories',
    work: (db) => finishTreeWork(db, randomUUID()),
  },
  {
    name: 'Give old products the present form',
    work: (db) => migrateAllProducts(db),
  },
  {
    name: 'Keep the log in the collections that its growth asks for',
    work: (db, _store, now, before) => keepLogGrowth(db, now, before(GRACE_MS)),
  },
  {
    name: 'Roll up the sessions that have arrived',
    work: async (db, _store, now, before) => {
      const levels = await rollUpSessions(db, { before: before(ROLL_UP_CUTOFF_MS), now });
      return levels.reduce((sum, { documentsWritten }) => sum + documentsWritten, 0);
    },
  },
];

/** Reads the whole catalog, so it runs only once a day. No step of a workflow depends on it. */
export const catalogRepair: RecoveryWorker = {
  name: 'Derive the counts and paths of the catalog again',
  work: async (db) => (await repairCatalog(db, randomUUID())).wrongCounters,
};

/** All workers that may repair what `violations` finds. */
export const allRecoveryWorkers: readonly RecoveryWorker[] = [...recoveryWorkers, catalogRepair];

/**
 * Runs a worker.
 * @param all includes operations that may still be in progress. Use it only when nothing else runs on this database
 * @returns null when another live process is running it
 */
export async function recover(
  db: Db,
  store: Store,
  worker: RecoveryWorker,
  { now, all = false }: { readonly now: Date; readonly all?: boolean },
): Promise<number | null> {
  const terms = { name: `recovery: ${worker.name}`, holder: randomUUID(), leaseMs: LEASE_MS, waitMs: WAIT_MS };
  // `all` includes what was written by a process whose clock was ahead.
  const before = (ms: number) => new Date(all ? LATEST_MS : now.getTime() - ms);
  const found = await withLease(db, terms, async () => {
    failpoint('recovery.leased');
    try {
      return await worker.work(db, store, now, before);
    } finally {
      failpoint('recovery.worked');
    }
  });
  failpoint('recovery.released');
  return found;
}
