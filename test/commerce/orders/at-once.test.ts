/** Limits and states under concurrent calls. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { STORE_ACCOUNT } from '../../../src/models/commerce/money/account.js';
import type { PaymentProvider } from '../../../src/models/commerce/money/payment.js';
import { transfer } from '../../../src/models/commerce/money/transfer.js';
import { carts, startCart } from '../../../src/models/commerce/orders/cart.js';
import { checkOut } from '../../../src/models/commerce/orders/checkout.js';
import { deleteOrder, findOrder, orders } from '../../../src/models/commerce/orders/order.js';
import { raiseOrderQuantity } from '../../../src/models/commerce/orders/order-raise.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { emptyShop, euros, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';
import { Died, dyingDatabase, slowDatabase } from './interruptions.js';

const test = useDatabase();
let shop: Shop;
beforeEach(async () => {
  await emptyShop(test.db);
  shop = await openShop(test.db);
});

async function placeOrder(lines: readonly (readonly [string, number])[], balance = 1_000_000) {
  const account = await shop.open(balance);
  const cart = await shop.start();
  for (const [sku, quantity] of lines) await shop.add(cart, { sku, quantity });
  const placed = await shop.checkOut(cart, account);
  if (!('lines' in placed)) throw new Error('Refused');
  return { placed, account };
}

type Placed = Awaited<ReturnType<typeof placeOrder>>['placed'];

const raise = (placed: Placed, sku: string, by: number, { call = randomUUID() as string, db = test.db } = {}) =>
  raiseOrderQuantity(db, shop.store.payment, { call, order: placed, sku, by }, now);

describe('concurrent raises of an order', () => {
  it('never exceed the limit of a line, and nobody pays for units that do not fit', async () => {
    await shop.stock('A', 100_000, 1);
    const { placed, account } = await placeOrder([['A', 1]]);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => raise(placed, 'A', 9000)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await findOrder(test.db, placed._id)).toMatchObject({ lines: [{ qty: 9001 }], total: 9001 });
    expect(await shop.balance(account)).toBe(1_000_000 - 9001);
    expect((await stockOfSku(test.db, 'A'))?.[2]).toBe(9001);
    await expect(raise(placed, 'A', 1000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await raise(placed, 'A', 999)).toMatchObject({ lines: [{ qty: 10_000 }] });
  });

  it('exceed neither the maximum number of lines nor of raises', async () => {
    for (const sku of ['A', 'B', 'C']) await shop.stock(sku, 100, 1);
    const { placed } = await placeOrder([['A', 1]]);
    const others = Array.from({ length: 98 }, (_, n) => ({ sku: `other ${n}`, title: 'x', qty: 1, price: 0 }));
    await orders(test.db).updateOne({ _id: placed._id }, { $push: { lines: { $each: others } } });
    const outcomes = await Promise.allSettled(['B', 'C'].map((sku) => raise(placed, sku, 1)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await findOrder(test.db, placed._id))?.lines).toHaveLength(100);
    const raises = Array.from({ length: 498 }, (_, n) => `raise ${n}`);
    await orders(test.db).updateOne({ _id: placed._id }, { $push: { raises: { $each: raises } } });
    const last = await Promise.allSettled([1, 2, 3].map(() => raise(placed, 'A', 1)));
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await findOrder(test.db, placed._id))?.raises).toHaveLength(500);
  });

  it('are not blocked by a raise whose process died, once its cart has expired', async () => {
    await shop.stock('A', 20_000, 1);
    const { placed } = await placeOrder([['A', 1]]);
    const left = await startCart(test.db, 'EUR', now, { id: 'left', raises: placed._id });
    const raising = [{ cart: 'left', sku: 'A', qty: 9000 }];
    await orders(test.db).updateOne({ _id: placed._id }, { $set: { raising } });
    await expect(raise(placed, 'A', 9000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await carts(test.db).updateOne({ _id: left._id }, { $set: { state: 'EXPIRED' } });
    expect(await raise(placed, 'A', 9000)).toMatchObject({ lines: [{ qty: 9001 }] });
    await expectNoViolations(test.db);
  });

  it('all get the room of a dead raise, whichever of them releases it', async () => {
    await shop.stock('A', 20_000, 1);
    const { placed } = await placeOrder([['A', 1]]);
    const raising = [{ cart: 'gone', sku: 'A', qty: 9000 }];
    await orders(test.db).updateOne({ _id: placed._id }, { $set: { raising } });
    const db = slowDatabase(test.db, 'orders', () => raise(placed, 'A', 2000), 'updateOne', 2); // right before its release
    expect(await raise(placed, 'A', 3000, { db })).toMatchObject({ lines: [{ qty: 5001 }] });
    await expectNoViolations(test.db);
  });

  it('end with a refusal when releasing the room of dead raises is not enough', async () => {
    await shop.stock('A', 20_000, 1);
    const { placed } = await placeOrder([['A', 1]]);
    const raising = [{ cart: 'gone', sku: 'A', qty: 9000 }];
    await orders(test.db).updateOne({ _id: placed._id }, { $set: { raising } });
    const db = slowDatabase(test.db, 'orders', () => raise(placed, 'A', 2000), 'updateOne', 2);
    await expect(raise(placed, 'A', 9000, { db })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await findOrder(test.db, placed._id)).toMatchObject({ lines: [{ qty: 2001 }], raising: [] });
    await expectNoViolations(test.db);
  });
});

describe('a refused raise', () => {
  const activeCarts = () => carts(test.db).countDocuments({ state: 'ACTIVE' });

  it('takes neither stock nor money when its order was deleted', async () => {
    await shop.stock('A', 10, 100);
    const { placed, account } = await placeOrder([['A', 1]]);
    expect(await deleteOrder(test.db, testAct(), { call: randomUUID(), id: placed._id })).toBe(true);
    expect(await raise(placed, 'A', 2)).toMatchObject({ __typename: 'OrderNotFound' });
    expect(await stockOfSku(test.db, 'A')).toEqual([9, 0, 1, 10]);
    expect(await shop.balance(account)).toBe(1_000_000 - 100);
    expect(await activeCarts()).toBe(0);
    await expectNoViolations(test.db);
  });

  it('leaves no cart behind when there is not enough room, stock or money', async () => {
    await shop.stock('A', 100_000, 100);
    await shop.stock('B', 1, 100);
    await shop.stock('C', 1, 1_000_000);
    const { placed } = await placeOrder([['A', 1]]);
    await expect(raise(placed, 'A', 10_000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(raise(placed, 'x'.repeat(65), 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await raise(placed, 'B', 2)).toMatchObject({ __typename: 'InsufficientStock' });
    expect(await raise(placed, 'none', 1)).toMatchObject({ __typename: 'ProductNotFound' });
    expect(await raise(placed, 'C', 1)).toMatchObject({ __typename: 'PaymentDeclined' });
    expect(await activeCarts()).toBe(0);
    expect(await stockOfSku(test.db, 'C')).toEqual([1, 0, 0, 1]);
    expect(await findOrder(test.db, placed._id)).toEqual({ ...placed, raising: [] });
    await expectNoViolations(test.db);
  });
});

describe('an order', () => {
  it.each(Array.from({ length: 12 }, (_, writes) => writes))(
    'cannot be deleted while a raise that died after %i writes is unfinished, and can be afterwards',
    async (writes) => {
      await shop.stock('A', 10, 100);
      const { placed, account } = await placeOrder([['A', 1]]);
      const dying = raise(placed, 'A', 2, { db: dyingDatabase(test.db, writes) });
      const isDead = await dying.then(
        () => false,
        (error: unknown) => error instanceof Died,
      );
      const begun = await findOrder(test.db, placed._id);
      const living = await carts(test.db).countDocuments({ raises: placed._id, state: { $in: ['ACTIVE', 'PENDING'] } });
      const isUnderWay = living > 0 && begun?.raising !== undefined;
      expect(isUnderWay || !isDead || writes < 2).toBe(true);
      const deletePlaced = () => deleteOrder(test.db, testAct(), { call: randomUUID(), id: placed._id });
      if (isUnderWay) {
        await expect(deletePlaced()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
        expect(await findOrder(test.db, placed._id)).toEqual(begun);
      }
      await shop.recover(minutesLater(5));
      await shop.recover(minutesLater(60));
      const sold = (await findOrder(test.db, placed._id))?.lines[0]?.qty ?? 0;
      expect(await deletePlaced()).toBe(true);
      expect(await stockOfSku(test.db, 'A')).toEqual([10 - sold, 0, sold, 10]);
      expect(await shop.balance(account)).toBe(1_000_000 - 100 * sold);
      await expectNoViolations(test.db);
    },
  );
});

describe('concurrent declined checkouts of a cart', () => {
  it('report that the payment was declined or that the cart is being paid for, never that it is active', async () => {
    await shop.stock('A', 10, 100);
    const [cart, account] = [await shop.start(), await shop.open(1)];
    await shop.add(cart, { sku: 'A' });
    const told = new Set<string>();
    for (let round = 0; round < 15; round += 1) {
      const outcomes = await Promise.all(Array.from({ length: 30 }, () => shop.checkOut(cart, account)));
      for (const outcome of outcomes)
        told.add(
          'state' in outcome
            ? `${outcome.__typename} ${outcome.state}`
            : String('__typename' in outcome && outcome.__typename),
        );
    }
    expect([...told].filter((each) => each !== 'CartNotActive PENDING')).toEqual(['PaymentDeclined']);
    await expectNoViolations(test.db);
  });
});

describe('a checkout continued by two processes', () => {
  it('is declined for both when money arrives between their checks', async () => {
    await shop.stock('A', 10, 100);
    const [cart, account, rich] = [await shop.start(), await shop.open(1, 'ann'), await shop.open(1000)];
    await shop.add(cart, { sku: 'A', quantity: 8 });
    const call = randomUUID();
    const { payment } = shop.store;
    const second: { outcome?: Awaited<ReturnType<Shop['checkOut']>> } = {};
    const sleeping: PaymentProvider = {
      ...payment,
      charge: async (charge, at) => {
        const told = await payment.charge(charge, at);
        await transfer(test.db, randomUUID(), { from: rich._id, to: account._id, amount: euros(900) }, now);
        second.outcome = await shop.checkOut(cart, account, { call });
        return told;
      },
    };
    const input = { call, cartId: cart._id, account: account._id, owner: 'ann' };
    expect(await checkOut(test.db, sleeping, input, now)).toMatchObject({ __typename: 'PaymentDeclined' });
    expect(second.outcome).toMatchObject({ __typename: 'PaymentDeclined' });
    expect(await carts(test.db).findOne({ _id: cart._id })).toMatchObject({ state: 'ACTIVE', items: [{ qty: 8 }] });
    expect([await shop.balance({ _id: STORE_ACCOUNT }), await shop.balance(account)]).toEqual([0, 901]);
    await expectNoViolations(test.db);
  });
});
