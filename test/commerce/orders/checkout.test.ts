import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { STORE_ACCOUNT } from '../../../src/models/commerce/money/account.js';
import type { Charge, PaymentOutcome, PaymentProvider } from '../../../src/models/commerce/money/payment.js';
import { type CartDocument, findCart } from '../../../src/models/commerce/orders/cart.js';
import { checkOut } from '../../../src/models/commerce/orders/checkout.js';
import { deleteOrder, findOrder, orders } from '../../../src/models/commerce/orders/order.js';
import { BusyError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { cartOf, emptyShop, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';
import { Died, dyingDatabase } from './interruptions.js';

const database = useDatabase();
let shop: Shop;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 10, 250);
  await shop.stock('B', 10, 100);
});

const stock = (sku: string) => stockOfSku(database.db, sku);
const storeBalance = () => shop.balance({ _id: STORE_ACCOUNT });
const stateOf = async ({ _id }: CartDocument) => (await findCart(database.db, _id))?.state;

async function fullCart(of: Shop = shop): Promise<CartDocument> {
  const cart = await of.start();
  await of.add(cart, { sku: 'A', quantity: 2 });
  return cartOf(await of.add(cart, { sku: 'B', quantity: 3 }));
}

describe('checking out', () => {
  it('charges, sells the held units, places the order and completes the cart', async () => {
    const [cart, account] = [await fullCart(), await shop.open(1000, 'ann')];
    const order = await shop.checkOut(cart, account);
    expect(order).toMatchObject({
      owner: 'ann',
      total: 800,
      lines: [
        { sku: 'A', qty: 2, price: 250 },
        { sku: 'B', qty: 3, price: 100 },
      ],
    });
    expect(await shop.balance(account)).toBe(200);
    expect(await storeBalance()).toBe(800);
    expect([await stock('A'), await stock('B')]).toEqual([
      [8, 0, 2, 10],
      [7, 0, 3, 10],
    ]);
    expect(await stateOf(cart)).toBe('COMPLETE');
    await expectNoViolations(database.db);
  });

  it('charges once per call, and only one of two calls', async () => {
    const [cart, account] = [await fullCart(), await shop.open(10_000)];
    const call = randomUUID();
    const outcomes = await Promise.all([shop.checkOut(cart, account, { call }), shop.checkOut(cart, account)]);
    expect(outcomes.filter((outcome) => 'lines' in outcome)).toHaveLength(1);
    const [order] = await orders(database.db).find().toArray();
    if (order?._id === call) expect(await shop.checkOut(cart, account, { call })).toEqual(order);
    expect(await storeBalance()).toBe(800);
    expect(await orders(database.db).countDocuments()).toBe(1);
  });

  it('charges the price at which a product was added', async () => {
    const [cart, account] = [await fullCart(), await shop.open(1000)];
    await products(database.db).updateOne({ _id: 'A' }, { $set: { 'pricing.retail': 1 } });
    expect(await shop.checkOut(cart, account)).toMatchObject({ total: 800 });
  });

  it('is declined without enough money: the cart is unchanged and can be paid from another account', async () => {
    const [cart, poor, rich] = [await fullCart(), await shop.open(799), await shop.open(800)];
    expect(await shop.checkOut(cart, poor)).toMatchObject({
      __typename: 'PaymentDeclined',
      reason: 'INSUFFICIENT_FUNDS',
    });
    expect(await stateOf(cart)).toBe('ACTIVE');
    expect(await stock('A')).toEqual([8, 2, 0, 10]);
    expect(await orders(database.db).countDocuments()).toBe(0);
    expect(await shop.checkOut(cart, rich)).toMatchObject({ total: 800 });
  });

  it('refuses an empty cart, one that does not exist, and one that is not active', async () => {
    const [cart, account] = [await shop.start(), await shop.open(1000)];
    expect(await shop.checkOut(cart, account)).toMatchObject({ __typename: 'EmptyCart' });
    expect(await shop.checkOut({ ...cart, _id: 'none' }, account)).toMatchObject({ __typename: 'CartNotFound' });
    const paid = await fullCart();
    await shop.checkOut(paid, account);
    expect(await shop.checkOut(paid, account)).toMatchObject({ __typename: 'CartNotActive', state: 'COMPLETE' });
    expect(await shop.balance(account)).toBe(200);
  });

  it('refuses a product deleted meanwhile; without it the rest can be bought', async () => {
    const [cart, account] = [await fullCart(), await shop.open(1000)];
    await products(database.db).deleteOne({ _id: 'A' });
    expect(await shop.checkOut(cart, account)).toMatchObject({ __typename: 'ProductNotFound', sku: 'A' });
    expect(await shop.balance(account)).toBe(1000);
    expect(await stateOf(cart)).toBe('ACTIVE');
    expect(cartOf(await shop.remove(cart, 'A')).items).toHaveLength(1);
    expect(await shop.checkOut(cart, account)).toMatchObject({ total: 300 });
    await expectNoViolations(database.db);
  });

  it('and expiring at the same time: only one of the two happens', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [cart, account] = [await fullCart(), await shop.open(800)];
      const [outcome] = await Promise.all([
        shop.checkOut(cart, account, {}, minutesLater(31)),
        shop.recover(minutesLater(31)),
      ]);
      expect(await stateOf(cart)).toBe('lines' in outcome ? 'COMPLETE' : 'EXPIRED');
      await shop.recover(minutesLater(33));
      await expectNoViolations(database.db);
      await emptyShop(database.db);
      shop = await openShop(database.db);
      await shop.stock('A', 10, 250);
      await shop.stock('B', 10, 100);
    }
  });
});

/** Keeps its own record like a real provider, and misbehaves as configured. */
class Provider implements PaymentProvider {
  readonly charged = new Map<string, number>();
  #forbidden = new Set<string>();
  /** The behavior of `charge`. */
  behavior: 'pay' | 'decline' | 'pay and time out' | 'time out' = 'pay';

  async charge({ key, amount }: Charge): Promise<PaymentOutcome> {
    if (this.behavior === 'decline' || this.#forbidden.has(key)) return declined;
    if (this.behavior !== 'time out') this.charged.set(key, amount.amount);
    if (this.behavior.endsWith('time out')) throw new BusyError('The provider does not respond');
    return { state: 'PAID' };
  }

  refund(charge: Charge): Promise<PaymentOutcome> {
    return this.charge(charge);
  }

  settleRefund(charge: Charge): Promise<PaymentOutcome> {
    return this.settle(charge);
  }

  /** A charge whose outcome it does not report yet. */
  mute: string | undefined;

  async settle({ key }: Charge): Promise<PaymentOutcome> {
    if (key === this.mute) throw new Error('No answer');
    if (this.charged.has(key)) return { state: 'PAID' };
    this.#forbidden.add(key);
    return declined;
  }
}
const declined: PaymentOutcome = { state: 'DECLINED', reason: 'REFUSED', message: 'No' };

describe('another payment provider', () => {
  let provider: Provider;
  let other: Shop;
  beforeEach(async () => {
    provider = new Provider();
    other = await openShop(database.db, provider);
  });

  it('that declines leaves the cart active', async () => {
    provider.behavior = 'decline';
    const [cart, account] = [await fullCart(other), await other.open(0)];
    expect(await other.checkOut(cart, account)).toMatchObject({ __typename: 'PaymentDeclined', reason: 'REFUSED' });
    expect(await stateOf(cart)).toBe('ACTIVE');
  });

  it('that charges but does not respond: its record completes the checkout, once', async () => {
    provider.behavior = 'pay and time out';
    const [cart, account] = [await fullCart(other), await other.open(0)];
    await expect(other.checkOut(cart, account)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await stateOf(cart)).toBe('PENDING');
    await Promise.all([other.recover(minutesLater(5)), other.recover(minutesLater(5))]);
    await other.recover(minutesLater(5));
    expect(await stateOf(cart)).toBe('COMPLETE');
    expect(await orders(database.db).find().toArray()).toMatchObject([{ total: 800 }]);
    expect([...provider.charged.values()]).toEqual([800]);
    await expectNoViolations(database.db);
  });

  it('that neither responds nor charges: the cart is active again, and a late charge is refused', async () => {
    provider.behavior = 'time out';
    const [cart, account] = [await fullCart(other), await other.open(0)];
    const call = randomUUID();
    await expect(other.checkOut(cart, account, { call })).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await other.recover(minutesLater(5));
    expect(await stateOf(cart)).toBe('ACTIVE');
    provider.behavior = 'pay';
    expect(await other.checkOut(cart, account, { call })).toMatchObject({ __typename: 'PaymentDeclined' });
    expect(provider.charged.size).toBe(0);
    expect(await other.checkOut(cart, account)).toMatchObject({ total: 800 });
  });

  it('that responds twice: the second response changes nothing', async () => {
    const [cart, account] = [await fullCart(other), await other.open(0)];
    const call = randomUUID();
    const [first, second] = await Promise.all([
      other.checkOut(cart, account, { call }),
      other.checkOut(cart, account, { call }),
    ]);
    expect(first).toEqual(second);
    expect(await orders(database.db).countDocuments()).toBe(1);
    expect(await stock('A')).toEqual([8, 0, 2, 10]);
    await expectNoViolations(database.db);
  });

  it('that does not know the outcome of one checkout yet: the others are settled, and this one later', async () => {
    provider.behavior = 'pay and time out';
    const account = await other.open(0);
    const carts = [await fullCart(other), await fullCart(other), await fullCart(other)];
    const calls = carts.map(() => randomUUID());
    for (const [at, cart] of carts.entries())
      await expect(other.checkOut(cart, account, { call: calls[at] ?? '' })).rejects.toMatchObject({
        code: 'SERVER_BUSY',
      });
    provider.mute = calls[0];
    await expect(other.recover(minutesLater(5))).rejects.toThrow('No answer');
    expect(await Promise.all(carts.map(stateOf))).toEqual(['PENDING', 'COMPLETE', 'COMPLETE']);
    provider.mute = undefined;
    await other.recover(minutesLater(6));
    expect(await Promise.all(carts.map(stateOf))).toEqual(['COMPLETE', 'COMPLETE', 'COMPLETE']);
    expect([...provider.charged.values()]).toEqual([800, 800, 800]);
    expect(await orders(database.db).countDocuments()).toBe(3);
    await expectNoViolations(database.db);
  });

  it('that is unreachable while a customer waits and then returns: the same call continues', async () => {
    provider.behavior = 'pay and time out';
    const [cart, account] = [await fullCart(other), await other.open(0)];
    const call = randomUUID();
    await expect(other.checkOut(cart, account, { call })).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    provider.behavior = 'pay';
    expect(await other.checkOut(cart, account, { call })).toMatchObject({ _id: call, total: 800 });
    expect([...provider.charged.values()]).toEqual([800]);
  });
});

describe('an order', () => {
  it('cannot be deleted before its checkout has ended, which would store it again', async () => {
    const [provider, call] = [new Provider(), randomUUID()];
    const [cart, other] = [await fullCart(), await openShop(database.db, provider)];
    const input = { call, cartId: cart._id, account: 'any', owner: null };
    await expect(checkOut(dyingDatabase(database.db, 2), provider, input, now)).rejects.toBeInstanceOf(Died);
    const deletePlaced = () =>
      deleteOrder(
        database.db,
        { actor: 'ada@example.org', address: '::1', at: now, keptUntil: minutesLater(1) },
        { call: randomUUID(), id: call },
      );
    await expect(deletePlaced()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await findOrder(database.db, call)).toMatchObject({ total: 800 });
    await other.recover(minutesLater(5));
    expect(await deletePlaced()).toBe(true);
    await other.recover(minutesLater(10));
    expect(await orders(database.db).countDocuments()).toBe(0);
    expect(await stock('A')).toEqual([8, 0, 2, 10]);
    await expectNoViolations(database.db);
  });
});
