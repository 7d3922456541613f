/** Refunds and reversals while the process dies: once or not at all, with their audit entry, and the units with them. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { openAccount } from '../../../src/models/commerce/money/account.js';
import { transfer } from '../../../src/models/commerce/money/transfer.js';
import { type OrderDocument, orders } from '../../../src/models/commerce/orders/order.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import type { Scenario } from '../../crash/scenario.js';
import { letTimePass, letWorkersRun } from '../../crash/workers.js';
import { bought, expectOnce, expectStock, furnish, KEY, outcomeOf, unanswered } from '../crash-shop.js';

const AMOUNT = 60;

/** @returns the id of a transfer that was carried out */
async function moved(db: Db): Promise<string> {
  const opening = (amount: number) => ({ amount, currency: 'EUR' });
  for (const [id, amount] of [['source', AMOUNT] as const, ['destination', 0] as const])
    await openAccount(db, { id, owner: null, name: id, opening: opening(amount) }, new Date());
  const id = randomUUID();
  await transfer(db, id, { from: 'source', to: 'destination', amount: opening(AMOUNT) }, new Date());
  return id;
}

const takeBack = (id: string) =>
  `reverseTransfer(id: "${toGlobalId('Transfer', id)}", idempotencyKey: "${KEY}") { __typename }`;

async function balanceOf(db: Db, id: string): Promise<number | undefined> {
  return (await db.collection<{ _id: string; balance: number }>('accounts').findOne({ _id: id }))?.balance;
}

const told = (db: Db, action: string) => db.collection('audit').countDocuments({ action });

/** Claimed but not started: a retry of the call continues it. */
export const transferReversed: Scenario<string> = {
  failpoints: { 'transfer.reversal.claimed': 1 },
  act: unanswered(moved, takeBack),
  async judge(product, db, id) {
    await letWorkersRun(db);
    await letTimePass(db);
    expect(await outcomeOf(product, takeBack(id))).toEqual({ __typename: 'Transfer' });
    expect([await balanceOf(db, 'source'), await balanceOf(db, 'destination')]).toEqual([AMOUNT, 0]);
    expect(await told(db, 'TRANSFER_REVERSED')).toBe(1);
  },
};

/** The money was spent: another call reverses the transfer once there is enough again. */
export const transferReversalRefused: Scenario<string> = {
  failpoints: { 'transfer.reversal.refused': 1 },
  act: unanswered(async (db) => {
    const id = await moved(db);
    const spent = { from: 'destination', to: 'source', amount: { amount: 1, currency: 'EUR' } };
    await transfer(db, randomUUID(), spent, new Date());
    return id;
  }, takeBack),
  async judge(product, db, id) {
    const repaid = { from: 'source', to: 'destination', amount: { amount: 1, currency: 'EUR' } };
    await transfer(db, randomUUID(), repaid, new Date());
    const other = takeBack(id).replace(KEY, 'another key');
    expect(await outcomeOf(product, other)).toEqual({ __typename: 'Transfer' });
    expect([await balanceOf(db, 'source'), await balanceOf(db, 'destination')]).toEqual([AMOUNT, 0]);
    expect(await told(db, 'TRANSFER_REVERSED')).toBe(1);
  },
};

const refund = (order: string, key = KEY) =>
  `refundOrder(orderId: "${order}", idempotencyKey: "${key}") { __typename }`;

async function expectRefunded(db: Db): Promise<void> {
  await expectOnce(db, 1, 0);
  await expectStock(db, 100, 0, 0);
  expect(await told(db, 'ORDER_REFUNDED')).toBe(1);
}

/** A retry of the call continues it. */
export const orderRefunded: Scenario<string> = {
  failpoints: { 'order.refund.intended': 1, 'order.refund.paid': 1, 'order.refund.concluded': 1 },
  act: unanswered(bought, refund),
  async judge(product, db, order) {
    await letTimePass(db);
    expect(await outcomeOf(product, refund(order))).toEqual({ __typename: 'Order' });
    expect(await outcomeOf(product, refund(order))).toEqual({ __typename: 'Order' });
    await letWorkersRun(db);
    await expectRefunded(db);
  },
};

/** The store lacks the money: nothing has changed, and the refund succeeds once it has. */
export const orderRefundDeclined: Scenario<string> = {
  failpoints: { 'order.refund.declined': 1 },
  act: unanswered(async (db, product) => {
    const order = await bought(db, product);
    await openAccount(
      db,
      { id: 'till', owner: null, name: 'till', opening: { amount: 0, currency: 'EUR' } },
      new Date(),
    );
    await transfer(db, 'spent', { from: 'store', to: 'till', amount: { amount: 1, currency: 'EUR' } }, new Date());
    return order;
  }, refund),
  async judge(product, db, order) {
    await letWorkersRun(db);
    await expectStock(db, 98, 0, 2);
    expect(await told(db, 'ORDER_REFUNDED')).toBe(0);
    await transfer(db, 'back', { from: 'till', to: 'store', amount: { amount: 1, currency: 'EUR' } }, new Date());
    expect(await outcomeOf(product, refund(order, 'another key'))).toEqual({ __typename: 'Order' });
    await expectRefunded(db);
  },
};

/** A refund left unfinished after its payment, and a worker that dies while it recovers it. */
export const refundWorker: Scenario<void> = {
  failpoints: { 'order.refund.recovered': 1 },
  environment: { RECOVER_AFTER_SECONDS: '1' },
  async leave(db) {
    const { account } = await furnish(db);
    const line = { sku: 'A', title: 'A A', qty: 2, price: 10 };
    await transfer(db, 'paid', { from: account, to: 'store', amount: { amount: 20, currency: 'EUR' } }, new Date(0));
    await transfer(db, 'left', { from: 'store', to: account, amount: { amount: 20, currency: 'EUR' } }, new Date(0));
    await db.collection('products').updateOne({}, { $inc: { qty: -2, sold: 2 } });
    const moment = new Date(0);
    const entry = {
      _id: 'left',
      at: moment,
      actor: 'ada@example.org',
      action: 'ORDER_REFUNDED',
      subject: 'o',
    } as const;
    const order: OrderDocument = {
      _id: 'o',
      owner: null,
      cart: 'gone',
      account,
      currency: 'EUR',
      lines: [line],
      total: 20,
      placed_at: moment,
      raises: [],
      returning: {
        call: 'left',
        lines: [line],
        amount: 20,
        raises: [],
        entry: { ...entry, address: '::1', expires_at: new Date(Date.now() + 3_600_000) },
        at: moment,
      },
    };
    await orders(db).insertOne(order);
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    await expectOnce(db, 1, 0);
    await expectStock(db, 98, 2, 0);
    expect(await told(db, 'ORDER_REFUNDED')).toBe(1);
  },
};
