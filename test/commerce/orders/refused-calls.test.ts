/** A refused call with a key, while another process continues the same call: the cart agrees with the key's answer. */
import { beforeEach, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { type CartDocument, carts, findCart } from '../../../src/models/commerce/orders/cart.js';
import { type CartOutcome, changeOnce } from '../../../src/models/commerce/orders/cart-call.js';
import { addToCart, changeQuantity } from '../../../src/models/commerce/orders/cart-line.js';
import { restock } from '../../../src/models/commerce/orders/inventory.js';
import { raiseOrderQuantity } from '../../../src/models/commerce/orders/order-raise.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { cartOf, emptyShop, expectNoViolations, minutesLater, now, openShop, type Shop, stockOfSku } from '../shop.js';
import { Died, dyingDatabase, slowDatabase } from './interruptions.js';

const database = useDatabase();
let shop: Shop;
let cart: CartDocument;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 0);
  cart = await shop.start();
});

const deliver = (sku = 'A') => restock(database.db, testAct(), { call: crypto.randomUUID(), sku, quantity: 5 });
const TAKEN_OVER = new Date(now.getTime() + 11_000);
const refusal = { __typename: 'InsufficientStock', sku: 'A', available: 0 };

function add(db = database.db, at = now, key = 'key'): Promise<CartOutcome> {
  const once = { scope: cart._id, operation: 'addToCart', key, input: 'A', keepMs: 24 * HOUR_MS };
  return changeOnce(db, once, at, (call) => addToCart(db, { call, cartId: cart._id, sku: 'A', quantity: 3 }, at));
}

/** @param writes the maximum number of writes before it dies */
async function addAndDie(writes: number, at = now): Promise<void> {
  await add(dyingDatabase(database.db, writes), at).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
}

/** Another process takes over the call when stock has arrived, takes some of it, adds the line, and dies. */
async function carryOnAndDie(): Promise<void> {
  await deliver();
  await addAndDie(3, TAKEN_OVER);
}

const linesOf = async () => (await findCart(database.db, cart._id))?.items.map(({ sku, qty }) => [sku, qty]);

async function expectRefused(outcome: CartOutcome): Promise<void> {
  expect(outcome).toMatchObject(refusal);
  await shop.recover(minutesLater(11));
  expect(await linesOf()).toEqual([]);
  expect(await stockOfSku(database.db, 'A')).toEqual([5, 0, 0, 5]);
  expect(await add(database.db, minutesLater(12))).toMatchObject(refusal);
  expect(await linesOf()).toEqual([]);
  await expectNoViolations(database.db);
}

async function expectDone(outcome: CartOutcome): Promise<void> {
  expect(cartOf(outcome).items).toMatchObject([{ sku: 'A', qty: 3 }]);
  expect(cartOf(await add(database.db, minutesLater(2))).items).toMatchObject([{ sku: 'A', qty: 3 }]);
  expect(await stockOfSku(database.db, 'A')).toEqual([2, 3, 0, 5]);
  await expectNoViolations(database.db);
}

describe('a refusal whose answer is delayed', () => {
  it('is final once the cart has noted it', async () => {
    const slow = slowDatabase(database.db, 'idempotency', carryOnAndDie, 'updateOne');
    await expectRefused(await add(slow));
  });

  it('is replaced if another process executes the call before the cart has noted it', async () => {
    const slow = slowDatabase(database.db, 'carts', carryOnAndDie, 'updateOne');
    await expectDone(await add(slow));
  });

  it('wins against a process that was about to execute the call', async () => {
    await deliver();
    const meanwhile = async () => {
      const all = { _id: 'A' };
      await products(database.db).updateOne(all, { $inc: { qty: -5, sold: 5 } });
      expect(await add(database.db, TAKEN_OVER)).toMatchObject(refusal);
      await products(database.db).updateOne(all, { $inc: { qty: 5, sold: -5 } });
    };
    await expectRefused(await add(slowDatabase(database.db, 'products', meanwhile)));
  });

  it('is returned to a retry, even if its process died before answering', async () => {
    await addAndDie(4); // the key's count, the key, the stock, the cart's note
    await deliver();
    await expectRefused(await add(database.db, TAKEN_OVER));
  });

  it('is stored as the answer before the cart forgets it; the cart remembers at most 20', async () => {
    await addAndDie(4);
    for (let n = 1; n <= 50; n += 1) expect(await add(database.db, now, `${n}`)).toMatchObject(refusal);
    expect((await findCart(database.db, cart._id))?.refused?.length).toBeLessThanOrEqual(20);
    await deliver();
    await expectRefused(await add(database.db, TAKEN_OVER));
  });

  it('without a key leaves no trace in the cart', async () => {
    const before = await findCart(database.db, cart._id);
    expect(await shop.add(cart, { sku: 'A' })).toMatchObject(refusal);
    expect(await findCart(database.db, cart._id)).toEqual(before);
  });
});

describe('a refused raise of an order', () => {
  it('is reported as done when another process has paid for it meanwhile', async () => {
    const ann = await shop.open(1000);
    await deliver();
    await shop.add(cart, { sku: 'A', quantity: 5 });
    const order = await shop.checkOut(cart, ann);
    if ('__typename' in order) throw new Error('Refused');
    const raise = (db = database.db) =>
      raiseOrderQuantity(db, shop.store.payment, { call: 'raise', order, sku: 'A', by: 2 }, now);
    const meanwhile = async () => {
      await deliver();
      expect(await raise()).toMatchObject({ lines: [{ qty: 7 }] });
    };
    expect(await raise(slowDatabase(database.db, 'carts', meanwhile, 'updateOne'))).toMatchObject({
      lines: [{ qty: 7 }],
    });
    expect(await shop.balance(ann)).toBe(300);
    expect(await stockOfSku(database.db, 'A')).toEqual([3, 0, 7, 10]);
    await expectNoViolations(database.db);
  });
});

describe('an abandoned attempt', () => {
  const loseHold = async (n: number) => {
    const lost = { call: `lost ${n}/1`, cart_id: cart._id, qty: 1, timestamp: now };
    await products(database.db).updateOne({ _id: 'B' }, { $push: { carted: lost }, $inc: { qty: -1 } });
    await shop.recover(minutesLater(11));
  };

  it('is refused permanently, no matter how many attempts were abandoned since', async () => {
    await deliver();
    await shop.stock('B', 10);
    await shop.stock('C', 10);
    await shop.add(cart, { sku: 'C' });
    const meanwhile = async () => {
      await shop.recover(minutesLater(11)); // releases what the slow call holds
      for (let n = 0; n < 25; n += 1) {
        await loseHold(n);
        await shop.change(cart, 'C', 1 + (n % 3), minutesLater(11));
      }
    };
    const slow = slowDatabase(database.db, 'carts', meanwhile);
    const change = { call: 'slow', cartId: cart._id, sku: 'A', quantity: 3 };
    expect(cartOf(await addToCart(slow, change, now)).items.find(({ sku }) => sku === 'A')).toMatchObject({ qty: 3 });
    expect(await stockOfSku(database.db, 'A')).toEqual([2, 3, 0, 5]);
    expect((await carts(database.db).findOne({ _id: cart._id }))?.revoked.length).toBeLessThanOrEqual(20);
    await shop.recover(minutesLater(22));
    await expectNoViolations(database.db);
  });

  it('does not return units that the same call holds later', async () => {
    await deliver();
    await shop.stock('B', 10);
    await shop.add(cart, { sku: 'B' });
    const call = { call: 'slow', cartId: cart._id, sku: 'A', quantity: 3 };
    // The worker has revoked the first attempt and is paused. The cart forgets the revocation, and a retry continues the call.
    const meanwhile = async () => {
      for (let n = 0; n < 30; n += 1) await shop.change(cart, 'B', 1 + (n % 3));
      await addToCart(database.db, call, minutesLater(11));
    };
    const dying = addToCart(dyingDatabase(database.db, 1), call, now);
    await expect(dying).rejects.toBeInstanceOf(Died);
    const slowWorker = slowDatabase(database.db, 'products', meanwhile, 'updateOne');
    await (await openShop(slowWorker)).recover(minutesLater(11));
    await changeQuantity(database.db, { ...call, call: 'later', quantity: 4 }, minutesLater(12));
    expect(await stockOfSku(database.db, 'A')).toEqual([1, 4, 0, 5]);
    await expectNoViolations(database.db);
  });
});
