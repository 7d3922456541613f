import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { carts, findCart, LINES_MAX } from '../../../src/models/commerce/orders/cart.js';
import { addToCart, changeQuantity } from '../../../src/models/commerce/orders/cart-line.js';
import { HOLDS_MAX } from '../../../src/models/commerce/orders/inventory.js';
import { useDatabase } from '../../support/database.js';
import { cartOf, emptyShop, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';
import { Died, dyingDatabase, slowDatabase } from './interruptions.js';

const database = useDatabase();
let shop: Shop;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
});

const stock = (sku: string) => stockOfSku(database.db, sku);

describe('a cart', () => {
  it('starts empty, with an id that is not sequential', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await shop.start())._id));
    expect(ids.toSorted()).not.toEqual(ids);
    expect(await findCart(database.db, ids[0] ?? '')).toMatchObject({ state: 'ACTIVE', items: [], currency: 'EUR' });
  });

  it('gets a line with the current title and price, and the units are held', async () => {
    await shop.stock('A', 10, 250);
    const cart = await shop.start();
    expect(cartOf(await shop.add(cart, { sku: 'A', quantity: 3 })).items).toMatchObject([
      { sku: 'A', qty: 3, price: 250, title: 'A A' },
    ]);
    expect(await stock('A')).toEqual([7, 3, 0, 10]);
    await expectNoViolations(database.db);
  });

  it('has one line and one hold per product, no matter how often it is added', async () => {
    await shop.stock('A', 10);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A', quantity: 2 });
    expect(cartOf(await shop.add(cart, { sku: 'A', quantity: 3 })).items).toMatchObject([{ sku: 'A', qty: 5 }]);
    expect(await stock('A')).toEqual([5, 5, 0, 10]);
    expect((await products(database.db).findOne({ _id: 'A' }))?.carted).toHaveLength(1);
  });

  it('keeps the price of a line when the product’s price changes', async () => {
    await shop.stock('A', 10, 250);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A' });
    await products(database.db).updateOne({ _id: 'A' }, { $set: { 'pricing.retail': 999 } });
    expect(cartOf(await shop.add(cart, { sku: 'A' })).items).toMatchObject([{ qty: 2, price: 250 }]);
    const other = await shop.start();
    expect(cartOf(await shop.add(other, { sku: 'A' })).items).toMatchObject([{ qty: 1, price: 999 }]);
  });

  it('changes a quantity up and down in both documents', async () => {
    await shop.stock('A', 10);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A', quantity: 4 });
    expect(cartOf(await shop.change(cart, 'A', 9)).items).toMatchObject([{ qty: 9 }]);
    expect(await stock('A')).toEqual([1, 9, 0, 10]);
    expect(cartOf(await shop.change(cart, 'A', 2)).items).toMatchObject([{ qty: 2 }]);
    expect(await stock('A')).toEqual([8, 2, 0, 10]);
    expect(cartOf(await shop.change(cart, 'A', 2)).items).toMatchObject([{ qty: 2 }]);
    await expectNoViolations(database.db);
  });

  it('returns the units of a line when it is removed', async () => {
    await shop.stock('A', 10);
    await shop.stock('B', 10);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A', quantity: 4 });
    await shop.add(cart, { sku: 'B', quantity: 5 });
    expect(cartOf(await shop.remove(cart, 'A')).items).toMatchObject([{ sku: 'B', qty: 5 }]);
    expect(await stock('A')).toEqual([10, 0, 0, 10]);
    expect(await stock('B')).toEqual([5, 5, 0, 10]);
  });
});

describe('a cart refuses', () => {
  it.each([0, -1, 2 ** 31, 1.5, Number.NaN, 10_001])('a quantity of %d, and nothing changes', async (quantity) => {
    await shop.stock('A', 10);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A', quantity: 2 });
    const bad = { code: 'BAD_USER_INPUT', details: { field: 'quantity' } };
    await expect(shop.add(cart, { sku: 'A', quantity })).rejects.toMatchObject(bad);
    await expect(shop.change(cart, 'A', quantity)).rejects.toMatchObject(bad);
    expect(await stock('A')).toEqual([8, 2, 0, 10]);
    expect(await findCart(database.db, cart._id)).toMatchObject({ items: [{ qty: 2 }] });
  });

  it('more units than are in stock, reports how many are left, and keeps the line', async () => {
    await shop.stock('A', 3);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A', quantity: 2 });
    const refusal = { __typename: 'InsufficientStock', sku: 'A', available: 1 };
    expect(await shop.add(cart, { sku: 'A', quantity: 2 })).toMatchObject(refusal);
    expect(await shop.change(cart, 'A', 4)).toMatchObject(refusal);
    expect(await shop.add(await shop.start(), { sku: 'A', quantity: 2 })).toMatchObject(refusal);
    expect(await stock('A')).toEqual([1, 2, 0, 3]);
    expect(await findCart(database.db, cart._id)).toMatchObject({ items: [{ qty: 2 }] });
  });

  it('a product that does not exist or that it does not contain', async () => {
    await shop.stock('A', 3);
    const cart = await shop.start();
    const refusal = { __typename: 'ProductNotFound', sku: 'A' };
    expect(await shop.add(cart, { sku: 'none' })).toMatchObject({ ...refusal, sku: 'none' });
    expect(await shop.change(cart, 'A', 1)).toMatchObject(refusal);
    expect(await shop.remove(cart, 'A')).toMatchObject(refusal);
    expect(await stock('A')).toEqual([3, 0, 0, 3]);
  });

  it('everything when it does not exist or is no longer active', async () => {
    await shop.stock('A', 3);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A' });
    for (const state of ['PENDING', 'COMPLETE', 'EXPIRING', 'EXPIRED'] as const) {
      await carts(database.db).updateOne({ _id: cart._id }, { $set: { state } });
      const refusal = { __typename: 'CartNotActive', state };
      expect(await shop.add(cart, { sku: 'A' })).toMatchObject(refusal);
      expect(await shop.change(cart, 'A', 2)).toMatchObject(refusal);
      expect(await shop.remove(cart, 'A')).toMatchObject(refusal);
    }
    expect(await stock('A')).toEqual([2, 1, 0, 3]);
    expect(await shop.add({ ...cart, _id: 'none' }, { sku: 'A' })).toMatchObject({ __typename: 'CartNotFound' });
  });

  it('too many lines, and a product that too many carts hold', async () => {
    const cart = await shop.start();
    const items = Array.from({ length: LINES_MAX }, (_, n) => ({
      call: 'x',
      sku: `X${n}`,
      qty: 1,
      price: 1,
      title: '',
    }));
    await carts(database.db).updateOne({ _id: cart._id }, { $set: { items } });
    await shop.stock('A', 3000);
    await expect(shop.add(cart, { sku: 'A' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const carted = Array.from({ length: HOLDS_MAX }, (_, n) => ({
      call: `c${n}`,
      cart_id: `${n}`,
      qty: 1,
      timestamp: now,
    }));
    await products(database.db).updateOne({ _id: 'A' }, { $set: { carted }, $inc: { qty: -HOLDS_MAX } });
    await expect(shop.add(await shop.start(), { sku: 'A' })).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await stock('A')).toEqual([2000, 1000, 0, 3000]);
  });
});

describe('concurrent calls', () => {
  it('give 100 units to exactly 100 of 200 customers', async () => {
    await shop.stock('A', 100);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async () => shop.add(await shop.start(), { sku: 'A' })),
    );
    expect(outcomes.filter((outcome) => 'items' in outcome)).toHaveLength(100);
    expect(outcomes.filter((outcome) => '__typename' in outcome)).toHaveLength(100);
    expect(await stock('A')).toEqual([0, 100, 0, 100]);
    await expectNoViolations(database.db);
  });

  it('on one line all take effect', async () => {
    await shop.stock('A', 100);
    const cart = await shop.start();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => shop.add(cart, { sku: 'A', quantity: 2 })),
    );
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(outcomes.filter((o) => o.status === 'rejected').map((o) => o.reason.code)).toEqual(
      Array(6 - done).fill('SERVER_BUSY'),
    );
    expect((await findCart(database.db, cart._id))?.items).toMatchObject([{ qty: 2 * done }]);
    expect(await stock('A')).toEqual([100 - 2 * done, 2 * done, 0, 100]);
    await expectNoViolations(database.db);
  });

  it('with one id take effect once', async () => {
    await shop.stock('A', 100);
    const cart = await shop.start();
    const call = randomUUID();
    await Promise.all([1, 2, 3].map(() => shop.add(cart, { sku: 'A', quantity: 2, call })));
    expect(await stock('A')).toEqual([98, 2, 0, 100]);
    await shop.add(cart, { sku: 'A', quantity: 2, call });
    expect(await stock('A')).toEqual([98, 2, 0, 100]);
  });
});

describe('a call executed by two processes', () => {
  it('takes effect once, even if the slower process finds the line lowered by a change whose process died', async () => {
    await shop.stock('A', 10);
    const cart = await shop.start();
    const change = { call: randomUUID(), cartId: cart._id, sku: 'A', quantity: 3 };
    const meanwhile = async () => {
      await addToCart(database.db, change, now);
      const lower = { ...change, call: randomUUID(), quantity: 1 };
      await expect(changeQuantity(dyingDatabase(database.db, 1), lower, now)).rejects.toBeInstanceOf(Died);
    };
    const slow = slowDatabase(database.db, 'carts', meanwhile);
    expect(cartOf(await addToCart(slow, change, now)).items).toMatchObject([{ sku: 'A', qty: 1 }]);
    await shop.recover(minutesLater(11));
    expect(await stock('A')).toEqual([9, 1, 0, 10]);
    expect(await findCart(database.db, cart._id)).toMatchObject({ items: [{ sku: 'A', qty: 1 }] });
    await expectNoViolations(database.db);
  });
});

describe('an idle cart', () => {
  it('expires after its time and returns its stock; one that is being paid for does not', async () => {
    await shop.stock('A', 10);
    const [idle, fresh, paying] = [await shop.start(), await shop.start(), await shop.start()];
    for (const cart of [idle, fresh, paying]) await shop.add(cart, { sku: 'A', quantity: 2 });
    await shop.change(fresh, 'A', 3, minutesLater(20));
    await carts(database.db).updateOne(
      { _id: paying._id },
      { $set: { state: 'PENDING', last_modified: minutesLater(40) } },
    );
    await shop.recover(minutesLater(31));
    await shop.recover(minutesLater(31)); // a repetition changes nothing
    expect(await findCart(database.db, idle._id)).toMatchObject({ state: 'EXPIRED' });
    expect(await findCart(database.db, fresh._id)).toMatchObject({ state: 'ACTIVE' });
    expect(await findCart(database.db, paying._id)).toMatchObject({ state: 'PENDING' });
    expect(await stock('A')).toEqual([5, 5, 0, 10]);
    await expectNoViolations(database.db);
  });
});
