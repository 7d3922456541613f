/** Checkouts, and orders that are raised, while the process dies: paid once or not at all, and the cart does not stay pending. */
import { expect } from 'vitest';
import type { Scenario } from '../../crash/scenario.js';
import { letTimePass, letWorkersRun } from '../../crash/workers.js';
import {
  bought,
  checkOut,
  expectOnce,
  expectStock,
  type Furnished,
  furnish,
  KEY,
  mutate,
  outcomeOf,
  unanswered,
} from '../crash-shop.js';

/** The customer retries the call with its key, and gets the order. */
export const checkoutRepeated: Scenario<Furnished> = {
  failpoints: { 'checkout.locked': 1, 'checkout.paid': 1, 'checkout.ordered': 1, 'checkout.sold': 1 },
  act: unanswered((db) => furnish(db), checkOut),
  async judge(product, db, furnished) {
    await letTimePass(db);
    const order = await outcomeOf(product, checkOut(furnished));
    expect(order).toMatchObject({ __typename: 'Order' });
    expect(await outcomeOf(product, checkOut(furnished))).toEqual(order);
    await expectOnce(db, 1, 2);
  },
};

/** Nobody retries it in time: the workers check the payment's record; a later retry gets the same result. */
export const checkoutRecovered: Scenario<Furnished> = {
  failpoints: {
    'transfer.begun': 1,
    'transfer.debited': 1,
    'transfer.noted': 1,
    'transfer.source-retired': 1,
    'transfer.credited': 1,
  },
  act: unanswered((db) => furnish(db), checkOut),
  async judge(product, db, furnished) {
    await letWorkersRun(db);
    await letTimePass(db);
    const { __typename: answer } = await outcomeOf(product, checkOut(furnished));
    const isPaid = (await db.collection('orders').countDocuments()) === 1;
    expect(answer).toBe(isPaid ? 'Order' : 'PaymentDeclined');
    await expectOnce(db, isPaid ? 1 : 0, isPaid ? 2 : 0);
    await expectStock(db, 98, isPaid ? 0 : 2, isPaid ? 2 : 0);
  },
};

/** Another user's account pays: once it has paid, the audit trail records it, whichever process finishes the checkout. */
export const checkoutRecorded: Scenario<Furnished> = {
  failpoints: { 'checkout.recorded': 1 },
  act: unanswered((db) => furnish(db), checkOut),
  async judge(product, db, furnished) {
    await letWorkersRun(db);
    await letTimePass(db);
    expect(await outcomeOf(product, checkOut(furnished))).toMatchObject({ __typename: 'Order' });
    await expectOnce(db, 1, 2);
    const trail = db.collection('audit').find({ action: 'ORDER_PAID' });
    expect(await trail.toArray()).toEqual([expect.objectContaining({ detail: '20 EUR' })]);
  },
};

/** Recovery that dies before its audit entry has done nothing yet. */
export const recoveryBegun: Scenario<void> = {
  failpoints: { 'recovery.begun': 1 },
  async act(product) {
    expect(await mutate(product, 'recover { state }')).toBeNull();
  },
  async judge(_product, db) {
    expect(await db.collection('audit').countDocuments({ action: 'RECOVERY_STARTED' })).toBe(0);
    const left = await db.collection<{ _id: string }>('maintenance').findOne({ _id: 'RECOVERY' });
    expect(left).toMatchObject({ state: 'RUNNING', worked: [] }); // reported as failed within a minute
  },
};

/** Recovery started by an administrator: it is recorded in the audit trail first. */
export const recoveryRecorded: Scenario<void> = {
  failpoints: { 'recovery.recorded': 1 },
  async act(product) {
    expect(await mutate(product, 'recover { state }')).toBeNull();
  },
  async judge(_product, db) {
    expect(await db.collection('audit').countDocuments({ action: 'RECOVERY_STARTED' })).toBe(1);
  },
};

/** A payment that is declined: the cart is active again. */
export const checkoutDeclined: Scenario<Furnished> = {
  failpoints: { 'checkout.declined': 1 },
  act: unanswered((db) => furnish(db, 1), checkOut),
  async judge(product, db, furnished) {
    await letWorkersRun(db);
    const cart = await db.collection<{ _id: string }>('carts').findOne({ _id: furnished.cart });
    expect(cart).toMatchObject({ state: 'ACTIVE' });
    await expectStock(db, 98, 2, 0);
    await letTimePass(db);
    expect(await outcomeOf(product, checkOut(furnished))).toMatchObject({ __typename: 'PaymentDeclined' });
    await expectOnce(db, 0, 0);
  },
};

/** A cart left pending before its payment started, and a worker that dies while it recovers it. */
export const checkoutWorker: Scenario<Furnished> = {
  failpoints: { 'transfer.forbidden': 1, 'transfer.settled': 1, 'checkout.recovered': 1 },
  environment: { RECOVER_AFTER_SECONDS: '1' },
  async leave(db) {
    const furnished = await furnish(db);
    const checkout = { call: 'left', account: furnished.account, owner: null, at: new Date(0) };
    await db
      .collection<{ _id: string }>('carts')
      .updateOne({ _id: furnished.cart }, { $set: { state: 'PENDING', checkout, last_modified: new Date(0) } });
    return furnished;
  },
  async judge(product, db, furnished) {
    await letWorkersRun(db);
    await expectStock(db, 98, 2, 0);
    await expectOnce(db, 0, 0);
    expect(await outcomeOf(product, checkOut(furnished))).toMatchObject({ __typename: 'Order' });
    await expectOnce(db, 1, 2);
  },
};

const raise = (order: string) =>
  `raiseOrderQuantity(orderId: "${order}", sku: "A", by: 3, idempotencyKey: "${KEY}") { __typename }`;

/** An order that is raised: the customer retries the call with its key. */
export const orderRaised: Scenario<string> = {
  failpoints: {
    'order.raise.begun': 1,
    'order.raise.room-taken': 1,
    'order.raise.held': 1,
    'order.raise.room-freed': 1,
  },
  act: unanswered(async (db, product) => {
    const order = await bought(db, product);
    // A raise whose cart no longer exists takes all the room.
    const raising = [{ cart: 'gone', sku: 'A', qty: 9998 }];
    await db.collection('orders').updateMany({}, { $set: { raising } });
    return order;
  }, raise),
  async judge(product, db, order) {
    await letTimePass(db);
    expect(await outcomeOf(product, raise(order))).toMatchObject({ __typename: 'Order' });
    expect(await outcomeOf(product, raise(order))).toMatchObject({ __typename: 'Order' });
    await expectOnce(db, 1, 5);
  },
};

const deletion = (order: string) => `deleteOrder(orderId: "${order}", idempotencyKey: "${KEY}") { __typename }`;

/** An order that is deleted: a retry with the call's key gets the same result, not `OrderNotFound`. */
export const orderDeleted: Scenario<string> = {
  failpoints: { 'order.deleted': 1 },
  act: unanswered(bought, deletion),
  async judge(product, db, order) {
    await letTimePass(db);
    expect(await outcomeOf(product, deletion(order))).toEqual({ __typename: 'DeletedOrder' });
    expect(await outcomeOf(product, deletion(order))).toEqual({ __typename: 'DeletedOrder' });
    expect(await db.collection('audit').countDocuments({ action: 'ORDER_DELETED' })).toBe(1);
    await expectStock(db, 98, 0, 2);
  },
};

const raiseDeclined = unanswered((db, product) => bought(db, product, 20), raise);

/** A raise that cannot be paid: the order stays as it was, and the stock goes back. */
export const orderRaiseDeclined: Scenario<string> = {
  failpoints: { 'order.raise.refused': 1, 'order.raise.declined': 1 },
  act: raiseDeclined,
  async judge(product, db, order) {
    await letTimePass(db);
    expect(await outcomeOf(product, raise(order))).toMatchObject({ __typename: 'PaymentDeclined' });
    await letWorkersRun(db);
    await expectOnce(db, 1, 2);
    await expectStock(db, 98, 0, 2);
  },
};

/** The same, when everything except the cart was rolled back: a retry finds nothing left to pay for. */
export const orderRaiseUndone: Scenario<string> = {
  failpoints: { 'order.raise.emptied': 1 },
  act: raiseDeclined,
  async judge(product, db, order) {
    await expectStock(db, 98, 0, 2);
    await letTimePass(db);
    expect(await outcomeOf(product, raise(order))).toMatchObject({ __typename: 'EmptyCart' });
    await expectOnce(db, 1, 2);
    await expectStock(db, 98, 0, 2);
    expect(await db.collection('carts').countDocuments({ state: 'ACTIVE' })).toBe(0);
  },
};
