/** A shop for tests: products with stock, accounts with money, and customer actions. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { saveProducts } from '../../src/models/commerce/catalog/catalog.js';
import { products } from '../../src/models/commerce/catalog/product.js';
import { commerce } from '../../src/models/commerce/domain.js';
import { findCommerceViolations } from '../../src/models/commerce/invariants.js';
import { type AccountDocument, findAccount, openAccount } from '../../src/models/commerce/money/account.js';
import { type CartDocument, startCart } from '../../src/models/commerce/orders/cart.js';
import {
  addToCart,
  changeQuantity,
  type LineChange,
  removeFromCart,
} from '../../src/models/commerce/orders/cart-line.js';
import { type CheckoutInput, checkOut } from '../../src/models/commerce/orders/checkout.js';
import { restock } from '../../src/models/commerce/orders/inventory.js';
import { openStore, type Store } from '../../src/models/commerce/store.js';
import { workersWith } from '../../src/models/domain.js';
import { recover } from '../../src/models/recovery.js';
import { HOUR_MS, MINUTE_MS } from '../../src/shared/time.js';
import { testAct } from '../support/people.js';

/** Ahead of real time, because MongoDB removes expired documents once a minute, which must not affect a test. */
export const now = new Date('2126-01-31T12:00:00Z');
export const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);

const rules = { currency: 'EUR', cartIdleMs: 30 * MINUTE_MS, recoverAfterMs: MINUTE_MS, keepAnswersMs: 24 * HOUR_MS };
export const euros = (amount: number) => ({ amount, currency: 'EUR' });

export type Change = Partial<LineChange> & Pick<LineChange, 'sku'>;

/** Empties the collections. */
export async function emptyShop(db: Db): Promise<void> {
  const names = ['products', 'catalog.facets', 'carts', 'orders', 'accounts', 'transactions', 'idempotency', 'leases'];
  for (const name of names) await db.collection(name).deleteMany({});
}

/** @param payment a provider other than the default one */
export async function openShop(db: Db, payment?: Store['payment']) {
  const store = await openStore(db, rules, now, payment);
  const shop = {
    store,
    /** Adds a product with stock to the catalog. */
    async stock(sku: string, quantity: number, price = 100): Promise<void> {
      const product = { sku, title: `A ${sku}`, type: 'THING', price: euros(price), categories: [], properties: [] };
      await saveProducts(db, testAct(), [product], 'EUR');
      if (quantity > 0) await restock(db, testAct(), { call: randomUUID(), sku, quantity });
    },
    start: () => startCart(db, 'EUR', now),
    add: (cart: CartDocument, change: Change, at = now) =>
      addToCart(db, { call: randomUUID(), cartId: cart._id, quantity: 1, ...change }, at),
    change: (cart: CartDocument, sku: string, quantity: number, at = now) =>
      changeQuantity(db, { call: randomUUID(), cartId: cart._id, sku, quantity }, at),
    remove: (cart: CartDocument, sku: string, at = now) =>
      removeFromCart(db, { call: randomUUID(), cartId: cart._id, sku }, at),
    open: (balance: number, owner: string | null = null): Promise<AccountDocument> =>
      openAccount(db, { id: randomUUID(), owner, opening: euros(balance) }, now),
    checkOut: (cart: CartDocument, account: AccountDocument, input: Partial<CheckoutInput> = {}, at = now) =>
      checkOut(
        db,
        store.payment,
        { call: randomUUID(), cartId: cart._id, account: account._id, owner: account.owner, ...input },
        at,
      ),
    /** Runs the workers at a given time. */
    async recover(at: Date, all = false): Promise<void> {
      for (const worker of workersWith(commerce, { store })) {
        if (!worker.isDaily) await recover(db, worker, { now: at, all });
      }
    },
    balance: async ({ _id }: Pick<AccountDocument, '_id'>) => (await findAccount(db, _id))?.balance,
  };
  return shop;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** The figures in a product's document: free, held, sold, ever stocked. */
export async function stockOfSku(db: Db, sku: string): Promise<readonly [number, number, number, number] | null> {
  const product = await products(db).findOne({ _id: sku });
  if (!product) return null;
  const held = product.carted.reduce((sum, { qty }) => sum + qty, 0);
  return [product.qty, held, product.sold, product.stocked];
}

export async function expectNoViolations(db: Db): Promise<void> {
  const violations: object[] = [];
  for await (const violation of findCommerceViolations(db)) violations.push(violation);
  expect(violations).toEqual([]);
}

/** The cart returned by a call. @throws Error when the call was refused */
export function cartOf<T extends object>(outcome: T): Extract<T, CartDocument> {
  if ('items' in outcome) return outcome as Extract<T, CartDocument>;
  throw new Error(`Refused: ${JSON.stringify(outcome)}`);
}
