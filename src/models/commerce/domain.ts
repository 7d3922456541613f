/** Commerce: the catalog, carts and orders, and the money that pays for them. */
import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import { findCatalogViolations } from './catalog/catalog-invariants.js';
import { repairCatalog } from './catalog/catalog-repair.js';
import { categories } from './catalog/category.js';
import { finishTreeWork, trees } from './catalog/category-tree.js';
import { facets } from './catalog/facet.js';
import { products } from './catalog/product.js';
import { productHost } from './catalog/product-comments.js';
import { migrateAllProducts } from './catalog/product-form.js';
import { assetUses } from './catalog/product-image.js';
import { findCommerceViolations } from './invariants.js';
import { accounts } from './money/account.js';
import { forgetForbidden, transactions } from './money/transfer.js';
import { recoverTransfers } from './money/transfer-recovery.js';
import { carts } from './orders/cart.js';
import { expireCarts } from './orders/cart-expiry.js';
import { recoverCheckouts } from './orders/checkout.js';
import { repairHolds } from './orders/inventory-repair.js';
import { orders } from './orders/order.js';
import { recoverRefunds } from './orders/order-refund.js';
import { personalData } from './personal-data.js';
import { catalogSteps, isCatalogEmpty } from './seed/catalog-seed.js';
import { openStore, type Store, type StoreRules } from './store.js';

export interface CommerceSettings {
  readonly CURRENCY: string;
  readonly CART_IDLE_MINUTES: number;
  readonly RECOVER_AFTER_SECONDS: number;
  readonly IDEMPOTENCY_HOURS: number;
}

export interface CommerceServices {
  /** The store's currency, payment and timeouts. */
  readonly store: Store;
}

/** Holds are checked less often, because each valid one is marked as seen: one write per product in a cart. */
const HOLDS_FACTOR = 10;

export const commerce: Domain<CommerceSettings, CommerceServices> = {
  name: 'commerce',
  collections: [products, facets, categories, trees, carts, orders, accounts, transactions],
  invariantChecks: [
    { name: 'Catalog', collections: [products], find: findCatalogViolations },
    { name: 'Stock, carts, orders and money', collections: [products, carts, orders], find: findCommerceViolations },
  ],
  // In this order: a checkout that ends releases or sells what its cart holds.
  recoveryWorkers: [
    {
      name: 'Finish or reverse stalled transfers',
      formerNames: ['Settle transfers that did not get on'],
      work: ({ store }, { db, now, before }) => recoverTransfers(db, before(store.recoverAfterMs), now),
    },
    {
      name: 'Finish or roll back stalled checkouts',
      formerNames: ['Finish or take back checkouts that did not get on'],
      work: ({ store }, { db, now, before }) => recoverCheckouts(db, store.payment, before(store.recoverAfterMs), now),
    },
    {
      name: 'Finish or roll back stalled refunds',
      formerNames: ['Finish or take back refunds that did not get on'],
      work: ({ store }, { db, now, before }) => recoverRefunds(db, store.payment, before(store.recoverAfterMs), now),
    },
    {
      name: 'Expire idle carts',
      formerNames: ['Expire carts that nobody has changed for long'],
      work: ({ store }, { db, now }) => expireCarts(db, new Date(now.getTime() - store.cartIdleMs), now),
    },
    {
      name: 'Release stock that no cart needs',
      formerNames: ['Return stock that no cart needs'],
      work: ({ store }, { db, now, before }) => repairHolds(db, before(HOLDS_FACTOR * store.recoverAfterMs), now),
    },
    {
      name: 'Finish category changes',
      formerNames: ['Finish changes of the categories'],
      work: (_services, { db }) => finishTreeWork(db, randomUUID()),
    },
    {
      name: 'Migrate products to the current format',
      formerNames: ['Give old products the present form'],
      work: (_services, { db }) => migrateAllProducts(db),
    },
    {
      name: 'Rebuild the catalog counters and paths',
      formerNames: ['Derive the counts and paths of the catalog again'],
      isDaily: true,
      work: async (_services, { db }) => (await repairCatalog(db, randomUUID())).wrongCounters,
    },
  ],
  jobs: [
    {
      name: 'Delete expired records of forbidden transfers',
      formerNames: ['Forget transfers that were forbidden'],
      everyMs: HOUR_MS,
      atStart: false,
      run: ({ store }, { db, now }) => forgetForbidden(db, store.keepAnswersMs, now()),
    },
  ],
  metrics: [],
  seed: { isEmpty: isCatalogEmpty, steps: ({ store }) => catalogSteps(store.currency) },
  assetUses,
  commentHost: productHost,
  personalData,
  open: async ({ db, now }, settings) => ({ store: await openStore(db, storeRules(settings), now()) }),
  close: async () => undefined,
};

const storeRules = (settings: CommerceSettings): StoreRules => ({
  currency: settings.CURRENCY,
  cartIdleMs: settings.CART_IDLE_MINUTES * MINUTE_MS,
  recoverAfterMs: settings.RECOVER_AFTER_SECONDS * SECOND_MS,
  keepAnswersMs: settings.IDEMPOTENCY_HOURS * HOUR_MS,
});

declare module '../people/audit.js' {
  interface AuditActions {
    ACCOUNT_OPENED: true;
    MONEY_TRANSFERRED: true;
    TRANSFER_REVERSED: true;
    ORDER_PAID: true;
    ORDER_RAISED: true;
    ORDER_REFUNDED: true;
    ORDER_DELETED: true;
    STOCK_BROUGHT_IN: true;
    PRICE_CHANGED: true;
    CATEGORY_REMOVED: true;
  }
}
