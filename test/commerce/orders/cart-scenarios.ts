/** Carts that change while the process dies: the customer retries the call, or the workers roll it back. */
import { expect } from 'vitest';
import type { Scenario } from '../../crash/scenario.js';
import { letTimePass, letWorkersRun } from '../../crash/workers.js';
import {
  addToCart,
  changeQuantity,
  checkOut,
  emptyCart,
  expectStock,
  type Furnished,
  furnish,
  mutate,
  outcomeOf,
  STOCK,
  unanswered,
} from '../crash-shop.js';
import { openShop, stockOfSku } from '../shop.js';

const LONG_AGO = new Date(Date.now() - 3_600_000);

/** The customer retries the call with its key. */
export const cartRepeated: Scenario<Furnished> = {
  failpoints: { 'cart.held': 1, 'idempotency.admitted': 1, 'idempotency.claimed': 1, 'idempotency.worked': 1 },
  act: unanswered(
    (db) => furnish(db),
    ({ cart }) => addToCart(cart),
  ),
  async judge(product, db, { cart }) {
    await letTimePass(db);
    expect(await outcomeOf(product, addToCart(cart))).toMatchObject({ __typename: 'Cart' });
    await expectStock(db, 95, 5, 0);
    expect(await outcomeOf(product, addToCart(cart))).toMatchObject({ __typename: 'Cart' });
    await expectStock(db, 95, 5, 0);
  },
};

/** A call whose input is rejected has changed nothing. */
export const cartRefused: Scenario<Furnished> = {
  failpoints: { 'idempotency.failed': 1 },
  act: unanswered(
    (db) => furnish(db),
    ({ cart }) => addToCart(cart, 'A', 0),
  ),
  async judge(product, db, { cart }) {
    await letTimePass(db);
    const answer = await mutate(product, addToCart(cart, 'A', 0));
    expect(answer?.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
    await expectStock(db, 98, 2, 0);
  },
};

/** A call is refused for lack of stock. Stock arrives before the retry, but the cart has recorded the refusal, so it stays. */
export const cartRefusalNoted: Scenario<Furnished> = {
  failpoints: { 'cart.refused': 1 },
  act: unanswered(
    (db) => furnish(db),
    ({ cart }) => addToCart(cart, 'A', STOCK),
  ),
  async judge(product, db, { cart }) {
    await letTimePass(db);
    await db.collection<{ _id: string }>('products').updateOne({ _id: 'A' }, { $inc: { qty: STOCK, stocked: STOCK } });
    expect(await outcomeOf(product, addToCart(cart, 'A', STOCK))).toMatchObject({ __typename: 'InsufficientStock' });
    expect(await stockOfSku(db, 'A')).toEqual([2 * STOCK - 2, 2, 0, 2 * STOCK]);
  },
};

/** A cart with so many recorded calls that it drops the oldest. */
export const cartForgets: Scenario<Furnished> = {
  failpoints: { 'cart.calls-settled': 1, 'cart.calls-forgotten': 1 },
  act: unanswered(
    async (db) => {
      const furnished = await furnish(db);
      const calls = Array.from({ length: 20 }, (_, n) => `a call ${n}`);
      await db.collection('carts').updateMany({}, { $set: { calls } });
      return furnished;
    },
    ({ cart }) => addToCart(cart),
  ),
  async judge(product, db, { cart }) {
    await letTimePass(db);
    expect(await outcomeOf(product, addToCart(cart))).toMatchObject({ __typename: 'Cart' });
    await expectStock(db, 95, 5, 0);
  },
};

/** The hold of a dead process is in the way: the next change of the line repairs it, and dies as well. */
export const cartInTheWay: Scenario<Furnished> = {
  failpoints: { 'cart.line-settled': 1 },
  async act(product, db) {
    const { account } = await furnish(db);
    const { _id: cart } = await emptyCart(db);
    const timestamp = new Date(Date.now() - 60_000); // too recent for the workers, old enough for a caller
    const lost = { call: 'lost/1', cart_id: cart, qty: 7, timestamp };
    await db
      .collection<{ _id: string }>('products')
      .updateOne({ _id: 'A' }, { $push: { carted: lost }, $inc: { qty: -7 } } as object);
    expect(await mutate(product, addToCart(cart))).toBeNull();
    return { cart, account };
  },
  async judge(product, db, { cart }) {
    await expectStock(db, 98, 2, 0);
    await letTimePass(db);
    expect(await outcomeOf(product, addToCart(cart))).toMatchObject({ __typename: 'Cart' });
    await expectStock(db, 95, 5, 0);
  },
};

/** Nobody retries it: the line is lowered, and the workers return what it no longer needs. */
export const cartLowered: Scenario<Furnished> = {
  failpoints: { 'cart.lowered': 1 },
  act: unanswered(
    (db) => furnish(db),
    ({ cart }) => changeQuantity(cart, 1),
  ),
  async judge(_product, db) {
    await expectStock(db, 98, 2, 0);
    await letWorkersRun(db);
    await expectStock(db, 99, 1, 0);
  },
};

/** Lines that are added during a checkout: some are too late, and return their stock. */
export const cartTooLate: Scenario<Furnished> = {
  failpoints: { 'cart.given-up': 1, 'cart.hold-returned': 1 },
  async act(product, db) {
    const furnished = await furnish(db, 1_000_000);
    for (let round = 0; round < 200; round += 1) {
      const { _id: cart } = await emptyCart(db);
      const first = await mutate(product, withoutKey(addToCart(cart, 'A', 1)));
      if (first === null) return furnished;
      const late = [2, 3, 4, 5].map((quantity) => mutate(product, withoutKey(addToCart(cart, 'A', quantity))));
      await Promise.all([...late, mutate(product, checkOut({ ...furnished, cart }))]);
    }
    throw new Error('No line was too late');
  },
  async judge(_product, db) {
    await letWorkersRun(db);
  },
};
const withoutKey = (mutation: string) => mutation.replace(/, idempotencyKey: "[^"]*"/, '');

/** Holds left behind by a process, and workers that die while they repair them. */
export const holdsRepaired: Scenario<void> = {
  failpoints: { 'hold.revoked': 1, 'hold.line-settled': 1, 'hold.settled': 1, 'hold.seen': 1 },
  environment: { RECOVER_AFTER_SECONDS: '1' },
  async leave(db) {
    const torn = await furnish(db);
    const [lost, good] = [await emptyCart(db), await emptyCart(db)];
    await (await openShop(db)).add(good, { sku: 'A', quantity: 4 }, new Date());
    const products = db.collection<{ _id: string; carted: object[] }>('products');
    await products.updateOne({ _id: 'A' }, {
      $push: { carted: { call: 'lost/1', cart_id: lost._id, qty: 7, timestamp: LONG_AGO } },
      $inc: { qty: -7 },
    } as object);
    const raised = { 'carted.$.call': 'raising/1', 'carted.$.timestamp': LONG_AGO };
    await products.updateOne({ _id: 'A', 'carted.cart_id': torn.cart }, {
      $set: raised,
      $inc: { 'carted.$.qty': 5, qty: -5 },
    } as object);
    await products.updateOne({ _id: 'A', 'carted.cart_id': good._id }, { $set: { 'carted.$.timestamp': LONG_AGO } });
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    await expectStock(db, 94, 6, 0);
  },
};

/** Idle carts, and a worker that dies while it returns their stock. */
export const cartsExpired: Scenario<Furnished> = {
  failpoints: { 'cart.expiry.locked': 1, 'cart.expiry.returned': 1, 'cart.expiry.done': 1 },
  async leave(db) {
    const furnished = await furnish(db);
    await db
      .collection<{ _id: string }>('carts')
      .updateOne({ _id: furnished.cart }, { $set: { last_modified: LONG_AGO } });
    return furnished;
  },
  async judge(product, db, { cart }) {
    await letWorkersRun(db);
    await expectStock(db, 100, 0, 0);
    const late = await outcomeOf(product, withoutKey(addToCart(cart)));
    expect(late).toMatchObject({ __typename: 'CartNotActive' });
    await expectStock(db, 100, 0, 0);
  },
};
