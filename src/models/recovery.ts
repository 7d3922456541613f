/**
 * The workers of all domains that bring to its end what a process has left half-way. Each is safe in any number of processes at once; a lease
 * keeps them from doing the same work side by side. They run as jobs, and by `sextant recover`.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { withLease } from '../database/index.js';
import { failpoint } from '../shared/failpoint.js';
import { LATEST_MS, SECOND_MS } from '../shared/time.js';
import { GRACE_MS } from './analytics/log-growth.js';
import { keepLogGrowth } from './analytics/log-growth-upkeep.js';
import { ROLL_UP_CUTOFF_MS, rollUpSessions } from './analytics/roll-up-run.js';
import { expireCarts } from './commerce/cart-expiry.js';
import { repairCatalog } from './commerce/catalog-repair.js';
import { finishTreeWork } from './commerce/category-tree.js';
import { recoverCheckouts } from './commerce/checkout.js';
import { repairHolds } from './commerce/inventory-repair.js';
import { recoverRefunds } from './commerce/order-refund.js';
import { migrateAllProducts } from './commerce/product-form.js';
import type { Store } from './commerce/store.js';
import { recoverTransfers } from './commerce/transfer-recovery.js';

export interface RecoveryWorker {
  /** Shown to people. */
  readonly name: string;
  /** @param before the moment that lies so many milliseconds back @returns how much it found to do */
  work(db: Db, store: Store, now: Date, before: (ms: number) => Date): Promise<number>;
}

/** Holds are looked after more rarely, since each that is sound is marked as seen: a write for each product in a cart. */
const HOLDS_FACTOR = 10;

/**
 * It is renewed while a worker works. One that died keeps the others waiting for no longer; and as all steps are safe beside each other,
 * one that merely slept, and goes on without it, does no harm.
 */
const LEASE_MS = 5 * SECOND_MS;
const WAIT_MS = 6 * SECOND_MS;

/** In the order in which one leaves work to the next: a checkout that ends frees or sells what its cart holds. */
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

/** Reads the whole catalog, and so runs daily: no step of a workflow leaves work to it. */
export const catalogRepair: RecoveryWorker = {
  name: 'Derive the counts and paths of the catalog again',
  work: async (db) => (await repairCatalog(db, randomUUID())).wrongCounters,
};

/** All that may mend what `violations` finds. */
export const allRecoveryWorkers: readonly RecoveryWorker[] = [...recoveryWorkers, catalogRepair];

/**
 * Lets a worker do what there is to do.
 * @param all also what may still be under way: only when nothing else runs on this database
 * @returns null when another process that lives is at it
 */
export async function recover(
  db: Db,
  store: Store,
  worker: RecoveryWorker,
  { now, all = false }: { readonly now: Date; readonly all?: boolean },
): Promise<number | null> {
  const terms = { name: `recovery: ${worker.name}`, holder: randomUUID(), leaseMs: LEASE_MS, waitMs: WAIT_MS };
  // All means all: also what was written by a process whose clock was ahead.
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
