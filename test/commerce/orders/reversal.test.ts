/** Returning money: reversed transfers and refunded orders. Each cent and each unit once. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountDocument } from '../../../src/models/commerce/money/account.js';
import type { PaymentProvider } from '../../../src/models/commerce/money/payment.js';
import { transfer } from '../../../src/models/commerce/money/transfer.js';
import { findOrder, type OrderDocument } from '../../../src/models/commerce/orders/order.js';
import { raiseOrderQuantity } from '../../../src/models/commerce/orders/order-raise.js';
import { recoverRefunds, refundOrder } from '../../../src/models/commerce/orders/order-refund.js';
import { reverseTransfer } from '../../../src/models/commerce/orders/transfer-reversal.js';
import { SextantError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { emptyShop, euros, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';
import { Died, dyingDatabase } from './interruptions.js';

const database = useDatabase();
let shop: Shop;
let ann: AccountDocument;
let bob: AccountDocument;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  [ann, bob] = [await shop.open(1000, 'ann'), await shop.open(50, 'bob')];
});

const money = async () => [await shop.balance(ann), await shop.balance(bob)];
const state = async () => ({
  money: await money(),
  store: await shop.balance({ _id: 'store' }),
  stock: await stockOfSku(database.db, 'A'),
  orders: await database.db.collection('orders').find().toArray(),
});

describe('a transfer', () => {
  let id: string;
  beforeEach(async () => {
    id = randomUUID();
    await transfer(database.db, id, { from: ann._id, to: bob._id, amount: euros(300) }, now);
  });
  const back = (call: string = randomUUID(), of = id) => reverseTransfer(database.db, { call, id: of }, now);

  it('is reversed by another one that refers to it', async () => {
    const reversal = await back();
    expect(reversal).toMatchObject({ state: 'RETIRED', from: bob._id, to: ann._id, amount: 300, reverses: id });
    expect(await money()).toEqual([1000, 50]);
    await expectNoViolations(database.db);
  });

  it('is reversed once: by a retried call, by another call, and by ten concurrent calls', async () => {
    const call = randomUUID();
    const first = await back(call);
    expect(await back(call)).toEqual(first);
    expect(await back()).toMatchObject({ __typename: 'TransferNotReversible', reason: 'ALREADY_REVERSED' });
    const other = randomUUID();
    await transfer(database.db, other, { from: ann._id, to: bob._id, amount: euros(100) }, now);
    await Promise.allSettled(Array.from({ length: 10 }, () => back(randomUUID(), other)));
    await shop.recover(minutesLater(5));
    await back(randomUUID(), other).catch(() => undefined);
    expect(await money()).toEqual([1000, 50]);
    await expectNoViolations(database.db);
  });

  it('is not reversed without enough money, and can be reversed once there is enough', async () => {
    await transfer(database.db, randomUUID(), { from: bob._id, to: 'store', amount: euros(200) }, now);
    const before = await state();
    expect(await back()).toMatchObject({ __typename: 'InsufficientFunds', balance: euros(150) });
    expect(await state()).toEqual(before);
    await transfer(database.db, randomUUID(), { from: 'store', to: bob._id, amount: euros(200) }, now);
    expect(await back()).toMatchObject({ state: 'RETIRED' });
    await expectNoViolations(database.db);
  });

  it('cannot be reversed if it is a reversal, paid for an order, or does not exist', async () => {
    const reversal = await back();
    const reason = async (of: string) => (await back(randomUUID(), of)) as { reason?: string };
    expect(await reason('_id' in reversal ? reversal._id : '')).toMatchObject({ reason: 'IS_A_REVERSAL' });
    const order = await buy(1);
    const raise = { call: randomUUID(), order, sku: 'A', by: 1 };
    await raiseOrderQuantity(database.db, shop.store.payment, raise, now);
    const payments = [order._id, raise.call];
    for (const payment of payments) expect(await reason(payment)).toMatchObject({ reason: 'OF_AN_ORDER' });
    await database.db.collection('transactions').updateMany({ kind: 'PAYMENT' }, { $unset: { kind: '' } }); // as in older documents
    const before = await state();
    for (const payment of payments) expect(await reason(payment)).toMatchObject({ reason: 'OF_AN_ORDER' });
    expect(await state()).toEqual(before);
    expect(await reason('none')).toMatchObject({ __typename: 'TransferNotFound' });
    await expectNoViolations(database.db);
  });

  it.each(Array.from({ length: 9 }, (_, writes) => writes))(
    'is reversed once or not at all when the process dies after %i writes',
    async (writes) => {
      const call = randomUUID();
      const dying = reverseTransfer(dyingDatabase(database.db, writes), { call, id }, now);
      await dying.catch((error: unknown) => {
        if (!(error instanceof Died)) throw error;
      });
      await shop.recover(minutesLater(5));
      const repeated = await back(call);
      if (!('state' in repeated)) await back(); // it was given up and is replaced by another one
      expect(await money()).toEqual([1000, 50]);
      await expectNoViolations(database.db);
    },
  );
});

async function buy(quantity: number): Promise<OrderDocument> {
  if (!(await stockOfSku(database.db, 'A'))) await shop.stock('A', 10, 50);
  const cart = await shop.start();
  await shop.add(cart, { sku: 'A', quantity });
  const order = await shop.checkOut(cart, ann);
  if (!('lines' in order)) throw new Error('Refused');
  return order;
}

describe('an order', () => {
  let order: OrderDocument;
  beforeEach(async () => {
    order = await buy(2);
  });
  const provider = () => shop.store.payment;
  const raise = async (by: number) => {
    const call = randomUUID();
    await raiseOrderQuantity(database.db, provider(), { call, order, sku: 'A', by }, now);
    return call;
  };
  const refund = (one: string | null, call: string = randomUUID(), db = database.db) =>
    refundOrder(db, provider(), { call, orderId: order._id, raise: one, act: testAct() }, now);

  it('is refunded: money and units are returned, and the record shows it', async () => {
    expect(await refund(null)).toMatchObject({ lines: [], total: 0, refunds: [{ amount: 100 }] });
    expect(await state()).toMatchObject({ money: [1000, 50], store: 0, stock: [10, 0, 0, 10] });
    expect(await refund(null)).toMatchObject({ __typename: 'NothingToRefund' });
    await expectNoViolations(database.db);
  });

  it('returns no units to a product recreated since', async () => {
    await database.db.collection('products').deleteMany({});
    await shop.stock('A', 5, 50);
    expect(await refund(null)).toMatchObject({ lines: [], total: 0 });
    expect([await stockOfSku(database.db, 'A'), await shop.balance(ann)]).toEqual([[5, 0, 0, 5], 1000]);
    await expectNoViolations(database.db);
  });

  it('refunds one raise, once, and keeps the rest', async () => {
    const [first] = [await raise(3), await raise(1)];
    expect(await refund(first)).toMatchObject({ lines: [{ sku: 'A', qty: 3 }], total: 150 });
    expect(await refund(first)).toMatchObject({ __typename: 'NothingToRefund' });
    expect(await refund('none')).toMatchObject({ __typename: 'NothingToRefund' });
    expect(await state()).toMatchObject({ money: [850, 50], store: 150, stock: [7, 0, 3, 10] });
    await refund(null);
    expect(await state()).toMatchObject({ money: [1000, 50], store: 0, stock: [10, 0, 0, 10] });
    await expectNoViolations(database.db);
  });

  it('refunds each unit once under concurrent calls', async () => {
    const raises = [await raise(1), await raise(2)];
    const all = [...raises, ...raises, null, null, ...raises];
    const outcomes = await Promise.allSettled(all.map((one) => refund(one)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SextantError);
    await refund(null);
    expect(await state()).toMatchObject({ money: [1000, 50], store: 0, stock: [10, 0, 0, 10] });
    await expectNoViolations(database.db);
  });

  it('is unchanged when the store does not have the money', async () => {
    await transfer(database.db, randomUUID(), { from: 'store', to: bob._id, amount: euros(1) }, now);
    const before = await state();
    expect(await refund(null)).toMatchObject({ __typename: 'PaymentDeclined', reason: 'INSUFFICIENT_FUNDS' });
    expect(await state()).toEqual(before);
    expect(await findOrder(database.db, order._id)).toEqual(order);
    await expectNoViolations(database.db);
  });

  it('whose refund cannot be settled yet does not block others', async () => {
    const calls = [randomUUID(), randomUUID()];
    const placed = [order, await buy(1)];
    for (const [at, { _id }] of placed.entries()) {
      const refunding = { call: calls[at] ?? '', orderId: _id, raise: null, act: testAct() };
      const early = new Date(now.getTime() + at);
      const dying = refundOrder(dyingDatabase(database.db, 1), provider(), refunding, early);
      await expect(dying).rejects.toBeInstanceOf(Died);
    }
    const deaf: PaymentProvider = {
      ...provider(),
      settleRefund: (charge, at) =>
        charge.key === calls[0] ? Promise.reject(new Error('No answer')) : provider().settleRefund(charge, at),
    };
    const isReturning = async () =>
      Promise.all(placed.map(async ({ _id }) => (await findOrder(database.db, _id))?.returning !== undefined));
    expect(await isReturning()).toEqual([true, true]);
    await expect(recoverRefunds(database.db, deaf, minutesLater(5), minutesLater(6))).rejects.toThrow('No answer');
    expect(await isReturning()).toEqual([true, false]);
    await shop.recover(minutesLater(5));
    expect(await isReturning()).toEqual([false, false]);
    await expectNoViolations(database.db);
  });

  it.each(Array.from({ length: 12 }, (_, writes) => writes))(
    'is refunded completely or not at all when the process dies after %i writes',
    async (writes) => {
      const call = randomUUID();
      await refund(null, call, dyingDatabase(database.db, writes)).catch((error: unknown) => {
        if (!(error instanceof Died)) throw error;
      });
      await shop.recover(minutesLater(5));
      const stored = await findOrder(database.db, order._id);
      const paid = stored?.total ?? 0;
      expect([0, 100]).toContain(paid);
      expect(stored?.returning).toBeUndefined();
      const sold = paid / 50;
      expect(await state()).toMatchObject({ money: [1000 - paid, 50], store: paid, stock: [10 - sold, 0, sold, 10] });
      const trail = database.db.collection('audit').find({ subject: order._id });
      expect(await trail.toArray()).toHaveLength(paid === 0 ? 1 : 0);
      await expectNoViolations(database.db);
    },
  );
});
