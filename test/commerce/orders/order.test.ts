import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { accounts } from '../../../src/models/commerce/money/account.js';
import type { CartDocument } from '../../../src/models/commerce/orders/cart.js';
import { deleteOrder, findOrder, orders, raiseLine } from '../../../src/models/commerce/orders/order.js';
import { raiseOrderQuantity } from '../../../src/models/commerce/orders/order-raise.js';
import { useDatabase } from '../../support/database.js';
import { cartOf, emptyShop, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';

const database = useDatabase();
let shop: Shop;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 10, 250);
  await shop.stock('B', 10, 100);
});

const stock = (sku: string) => stockOfSku(database.db, sku);

async function fullCart(of: Shop = shop): Promise<CartDocument> {
  const cart = await of.start();
  await of.add(cart, { sku: 'A', quantity: 2 });
  return cartOf(await of.add(cart, { sku: 'B', quantity: 3 }));
}

describe('an order', () => {
  async function order(of: Shop = shop) {
    const account = await of.open(2000, 'ann');
    const placed = await of.checkOut(await fullCart(of), account);
    if (!('lines' in placed)) throw new Error('Refused');
    return { placed, account };
  }
  const raise = (placed: Awaited<ReturnType<typeof order>>['placed'], sku: string, by: number, call = randomUUID()) =>
    raiseOrderQuantity(database.db, shop.store.payment, { call, order: placed, sku, by }, now);

  it('is raised at its own price: stock is taken, the difference is charged, line and total increase together', async () => {
    const { placed, account } = await order();
    await products(database.db).updateOne({ _id: 'A' }, { $set: { 'pricing.retail': 9 } });
    expect(await raise(placed, 'A', 3)).toMatchObject({ total: 1550, lines: [{ qty: 5, price: 250 }, { qty: 3 }] });
    expect(await shop.balance(account)).toBe(450);
    expect(await stock('A')).toEqual([5, 0, 5, 10]);
    await expectNoViolations(database.db);
  });

  it('can be raised by a product that it does not contain, at the current price, and by a line that was removed meanwhile', async () => {
    const { placed } = await order();
    await shop.stock('C', 5, 7);
    expect(await raise(placed, 'C', 2)).toMatchObject({ total: 814 });
    await orders(database.db).updateOne({ _id: placed._id }, { $pull: { lines: { sku: 'A' } }, $inc: { total: -500 } });
    const line = { sku: 'A', title: 'A A', qty: 1, price: 250 };
    expect(await raiseLine(database.db, placed._id, 'cart', line, now)).toMatchObject({ total: 564 });
    expect((await findOrder(database.db, placed._id))?.lines).toContainEqual(line);
    await expectNoViolations(database.db);
  });

  it('is raised once per call, and by the sum of several calls', async () => {
    const { placed, account } = await order();
    const call = randomUUID();
    await raise(placed, 'B', 1, call);
    await raise(placed, 'B', 1, call);
    await Promise.all([raise(placed, 'B', 1), raise(placed, 'B', 1), raise(placed, 'B', 1)]);
    expect(await findOrder(database.db, placed._id)).toMatchObject({ total: 1200, lines: [{}, { qty: 7 }] });
    expect(await shop.balance(account)).toBe(800);
    await expectNoViolations(database.db);
  });

  it('is unchanged when there is not enough stock or money', async () => {
    const { placed, account } = await order();
    expect(await raise(placed, 'A', 9)).toMatchObject({ __typename: 'InsufficientStock', available: 8 });
    expect(await raise(placed, 'A', 8)).toMatchObject({ __typename: 'PaymentDeclined' });
    expect(await raise(placed, 'none', 1)).toMatchObject({ __typename: 'ProductNotFound' });
    for (const by of [0, -1, 1.5, 2 ** 31])
      await expect(raise(placed, 'A', by)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await findOrder(database.db, placed._id)).toEqual({ ...placed, raising: [] });
    expect(await stock('A')).toEqual([8, 0, 2, 10]);
    expect(await shop.balance(account)).toBe(1200);
    await expectNoViolations(database.db);
  });

  it('is deleted with an entry in the audit trail, once per call; stock, sales and money are kept', async () => {
    const { placed, account } = await order();
    const act = { actor: 'ada@example.org', address: '::1', at: now, keptUntil: minutesLater(1) };
    const deletePlaced = (call: string) => deleteOrder(database.db, act, { call, id: placed._id });
    expect(await deletePlaced('first')).toBe(true);
    expect(await deletePlaced('first')).toBe(true); // retried, because its process died
    expect(await deletePlaced('second')).toBe(false);
    expect(await database.db.collection('audit').find({ subject: placed._id }).toArray()).toEqual([
      {
        _id: 'first',
        actor: 'ada@example.org',
        address: '::1',
        at: now,
        action: 'ORDER_DELETED',
        subject: placed._id,
        detail: `${placed.total} EUR`,
        expires_at: minutesLater(1),
      },
    ]);
    expect(await stock('A')).toEqual([8, 0, 2, 10]);
    expect(await shop.balance(account)).toBe(1200);
    expect(await accounts(database.db).countDocuments({ pending: { $ne: [] } })).toBe(0);
    await expectNoViolations(database.db);
  });
});
