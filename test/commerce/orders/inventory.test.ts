import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { startCart } from '../../../src/models/commerce/orders/cart.js';
import { addToCart } from '../../../src/models/commerce/orders/cart-line.js';
import { useDatabase } from '../../support/database.js';
import { emptyShop, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';

const database = useDatabase();
let shop: Shop;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
});

const stock = (sku: string) => stockOfSku(database.db, sku);

describe('a hold that no line needs', () => {
  const hold = (cartId: string, qty = 1, call = 'lost/1') => ({ call, cart_id: cartId, qty, timestamp: now });
  const giveHold = (cartId: string) =>
    products(database.db).updateOne({ _id: 'A' }, { $push: { carted: hold(cartId) }, $inc: { qty: -1 } });

  beforeEach(() => shop.stock('A', 10));

  it('returns to stock when its cart is gone or has no such line; its call, if it arrives late, takes effect once', async () => {
    const cart = await shop.start();
    await giveHold('gone');
    await giveHold(cart._id);
    await shop.recover(minutesLater(11));
    expect(await stock('A')).toEqual([10, 0, 0, 10]);
    await shop.add(cart, { sku: 'A', call: 'lost' });
    await shop.add(cart, { sku: 'A', call: 'lost' });
    expect(await stock('A')).toEqual([9, 1, 0, 10]);
    await expectNoViolations(database.db);
  });

  it('is kept while its call may still be in progress', async () => {
    await giveHold((await shop.start())._id);
    await shop.recover(new Date(now.getTime() + 1000));
    expect(await stock('A')).toEqual([9, 1, 0, 10]);
  });

  it('is reduced to its line if its cart is live; a valid one is marked as seen', async () => {
    const [torn, good] = [await shop.start(), await shop.start()];
    await shop.add(torn, { sku: 'A', quantity: 2 });
    await shop.add(good, { sku: 'A', quantity: 3 });
    await products(database.db).updateOne(
      { _id: 'A', 'carted.cart_id': torn._id },
      { $set: { 'carted.$.call': 'raising' }, $inc: { 'carted.$.qty': 4, qty: -4 } },
    );
    await shop.recover(minutesLater(11));
    expect(await stock('A')).toEqual([5, 5, 0, 10]);
    const seen = (await products(database.db).findOne({ _id: 'A' }))?.carted.find(
      ({ cart_id }) => cart_id === good._id,
    );
    expect(seen?.timestamp).toEqual(minutesLater(11));
    await expectNoViolations(database.db);
  });

  it('is repaired by the next change of the line', async () => {
    const cart = await shop.start();
    await giveHold(cart._id);
    const later = minutesLater(1);
    await expect(
      addToCart(database.db, { call: randomUUID(), cartId: cart._id, sku: 'A', quantity: 2 }, later),
    ).resolves.toMatchObject({ items: [{ qty: 2 }] });
    expect(await stock('A')).toEqual([8, 2, 0, 10]);
    await expectNoViolations(database.db);
  });

  it('is never confused with another cart of the same customer', async () => {
    const cart = await startCart(database.db, 'EUR', now);
    await shop.add(cart, { sku: 'A', quantity: 4 });
    await shop.remove(cart, 'A');
    await shop.add(cart, { sku: 'A', quantity: 1 });
    await shop.recover(minutesLater(11));
    expect(await stock('A')).toEqual([9, 1, 0, 10]);
  });
});
