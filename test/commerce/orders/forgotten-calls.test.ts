/** A call whose process died, and a cart that has forgotten it since: a retry with its key must not repeat it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { makeRandom } from '../../../harness/random.js';
import { performOnce } from '../../../src/database/writes/idempotency.js';
import { briefOfCart, type CartDocument, carts, findCart } from '../../../src/models/commerce/orders/cart.js';
import { addToCart, changeQuantity } from '../../../src/models/commerce/orders/cart-line.js';
import { ENTRIES_MAX } from '../../../src/models/commerce/orders/cart-memory.js';
import { restock } from '../../../src/models/commerce/orders/inventory.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { emptyShop, expectNoViolations, now, openShop, type Shop } from '../shop.js';
import { slowDatabase } from './interruptions.js';

const test = useDatabase();
let shop: Shop;
beforeEach(async () => {
  await emptyShop(test.db);
  shop = await openShop(test.db);
  for (const sku of ['A', 'B', 'C']) await shop.stock(sku, 1000);
});

type Outcome = Awaited<ReturnType<typeof addToCart>>;

const brief = {
  keep: (outcome: Outcome) => ('_id' in outcome ? briefOfCart(outcome) : outcome),
  recall: async (kept: unknown) => {
    const outcome = kept as Outcome | { cart: string };
    return 'cart' in outcome ? ((await findCart(test.db, outcome.cart)) as Outcome) : outcome;
  },
};

/** @param dies after its work, before its answer is stored @param begin what a slow call waits for */
function add(
  cart: CartDocument,
  sku: string,
  key: string,
  { dies = false, later = 0, begin = Promise.resolve(), db = test.db } = {},
): Promise<Outcome> {
  const once = { scope: cart._id, operation: 'addToCart', key, input: sku, keepMs: 24 * HOUR_MS };
  const at = new Date(now.getTime() + later);
  return new Promise((resolve, reject) => {
    const work = async (call: string) => {
      await begin;
      const outcome = await addToCart(db, { call, cartId: cart._id, sku, quantity: 1 }, at);
      if (!dies) return outcome;
      resolve(outcome);
      return new Promise<never>(() => undefined);
    };
    performOnce(test.db, once, at, work, brief).then(resolve, reject);
  });
}

const unitsOf = async (cart: CartDocument, sku: string) =>
  (await findCart(test.db, cart._id))?.items.find((line) => line.sku === sku)?.qty;

describe('a call whose process died', () => {
  it('is not repeated after 20 or 100 other changes of the cart', async () => {
    const cart = await shop.start();
    await add(cart, 'A', 'key', { dies: true });
    await shop.add(cart, { sku: 'B' });
    for (let change = 2; change <= 101; change += 1) {
      await shop.change(cart, 'B', change);
      if (change !== 21 && change !== 101) continue;
      expect(await add(cart, 'A', 'key', { later: 11_000 })).toMatchObject({ _id: cart._id });
      expect(await unitsOf(cart, 'A')).toBe(1);
    }
    expect((await findCart(test.db, cart._id))?.calls.length).toBeLessThan(ENTRIES_MAX);
    await expectNoViolations(test.db);
  });

  it('takes effect once, no matter how many calls die, run concurrently and are retried', async () => {
    const random = makeRandom(11);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'C' });
    const keys: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const dying = Array.from({ length: 1 + random.below(4) }, (_, n) => `${round} ${n}`);
      keys.push(...dying);
      await Promise.all(
        dying.map((key) => add(cart, random.pick(['A', 'B']), key, { dies: true }).catch(() => undefined)),
      );
      for (let change = random.below(12); change > 0; change -= 1) await shop.change(cart, 'C', 1 + random.below(50));
    }
    const total = async () => ((await unitsOf(cart, 'A')) ?? 0) + ((await unitsOf(cart, 'B')) ?? 0);
    expect(await total()).toBe(keys.length);
    const records = await test.db.collection('idempotency').countDocuments({ answer: { $exists: true } });
    expect(records).toBeGreaterThan(0); // the cart has stored answers for the calls that it forgot
    expect((await findCart(test.db, cart._id))?.calls.length).toBeLessThan(ENTRIES_MAX);
    await expectNoViolations(test.db);
  });

  it('does not block later changes once the cart has forgotten it', async () => {
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A' });
    await carts(test.db).updateOne({ _id: cart._id }, { $inc: { forgotten: 1 } });
    expect(
      await changeQuantity(test.db, { call: 'later', cartId: cart._id, sku: 'A', quantity: 3 }, now),
    ).toMatchObject({
      items: [{ qty: 3 }],
    });
    await expectNoViolations(test.db);
  });
});

describe('a slow call, considered dead and done meanwhile', () => {
  it('changes nothing once the cart has forgotten it', async () => {
    const cart = await shop.start();
    await shop.add(cart, { sku: 'B' });
    const meanwhile = async () => {
      expect(await add(cart, 'A', 'key', { later: 11_000 })).toMatchObject({ _id: cart._id });
      await shop.remove(cart, 'A');
      for (let change = 2; change <= 50; change += 1) await shop.change(cart, 'B', change);
      expect((await findCart(test.db, cart._id))?.forgotten).toBeGreaterThan(0);
    };
    const slow = slowDatabase(test.db, 'carts', meanwhile);
    expect(await add(cart, 'A', 'key', { db: slow })).toMatchObject({ items: [{ sku: 'B', qty: 50 }] });
    expect(await unitsOf(cart, 'A')).toBeUndefined();
    await expectNoViolations(test.db);
  });
});

describe('a slow call, considered dead and refused meanwhile', () => {
  it('returns the refusal and changes nothing', async () => {
    await shop.stock('D', 0);
    const cart = await shop.start();
    let wake = () => {};
    const begin = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const slow = add(cart, 'D', 'key', { begin });
    await expect.poll(() => test.db.collection('idempotency').countDocuments()).toBe(1);
    const refusal = await add(cart, 'D', 'key', { later: 11_000 });
    expect(refusal).toMatchObject({ __typename: 'InsufficientStock' });
    await restock(test.db, testAct(), { call: 'restock', sku: 'D', quantity: 5 });
    wake();
    expect(await slow).toEqual(refusal);
    expect(await unitsOf(cart, 'D')).toBeUndefined();
    await expectNoViolations(test.db);
  });
});

describe('the stored answer of a change', () => {
  it('takes only a few bytes, no matter how large the cart is', async () => {
    const cart = await shop.start();
    await add(cart, 'A', 'key');
    expect(await test.db.collection('idempotency').findOne({})).toMatchObject({ answer: { cart: cart._id } });
    expect(await add(cart, 'A', 'key')).toMatchObject({ _id: cart._id, items: [{ sku: 'A', qty: 1 }] });
  });
});
