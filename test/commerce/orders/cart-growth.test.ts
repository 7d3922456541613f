/** Anyone may start and change carts, so what they leave in the database is limited and removed early. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findCart } from '../../../src/models/commerce/orders/cart.js';
import { changeOnce } from '../../../src/models/commerce/orders/cart-call.js';
import { addToCart } from '../../../src/models/commerce/orders/cart-line.js';
import { CART_KEYS_MAX } from '../../../src/models/people/keyed-calls/key-count.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { emptyShop, minutesLater, now, openShop, type Shop } from '../shop.js';

const database = useDatabase();
const records = () => database.db.collection('idempotency').countDocuments();
const keyCounts = () => database.db.collection<{ _id: string; count: number }>('idempotency.counts');
let shop: Shop;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 10_000);
});

describe('the keys of a cart', () => {
  const add = (cartId: string, key: string | null) => {
    const once = { scope: cartId, operation: 'addToCart', key, input: 'A', keepMs: 24 * HOUR_MS };
    return changeOnce(database.db, once, now, (call) =>
      addToCart(database.db, { call, cartId, sku: 'A', quantity: 1 }, now),
    );
  };

  it('are counted, even concurrent ones: beyond the limit nothing is done or stored, and earlier results are still returned', async () => {
    const { _id } = await shop.start();
    await add(_id, 'first');
    expect(await keyCounts().findOne({ _id })).toEqual({ _id, count: 1, expires_at: minutesLater(24 * 60) });
    await keyCounts().updateOne({ _id }, { $set: { count: CART_KEYS_MAX - 4 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => add(_id, `${n}`)));
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(8);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await findCart(database.db, _id)).toMatchObject({ items: [{ qty: 5 }] });
    expect(await records()).toBe(5);

    expect(await add(_id, 'first')).toMatchObject({ items: [{ qty: 5 }] });
    expect(await add(_id, null)).toMatchObject({ items: [{ qty: 6 }] }); // nothing is stored for it
    expect(await add((await shop.start())._id, 'first')).toMatchObject({ items: [{ qty: 1 }] });
    expect(await records()).toBe(6);
  });

  it('that does not exist are not stored', async () => {
    const before = await keyCounts().countDocuments();
    for (let n = 0; n < 10; n += 1)
      expect(await add(`made up ${n}`, 'key')).toMatchObject({ __typename: 'CartNotFound' });
    expect(await records()).toBe(0);
    expect(await keyCounts().countDocuments()).toBe(before);
  });
});

describe('an idle cart', () => {
  it('is removed when it expires if it is empty, and kept for 30 days otherwise', async () => {
    const [empty, filled] = [await shop.start(), await shop.start()];
    await shop.add(filled, { sku: 'A' });
    const expired = minutesLater(31);
    await shop.recover(expired);
    expect(await findCart(database.db, empty._id)).toMatchObject({ state: 'EXPIRED', expires_at: expired });
    const later = minutesLater(31 + 30 * 24 * 60);
    expect(await findCart(database.db, filled._id)).toMatchObject({ state: 'EXPIRED', expires_at: later });
  });
});

describe('visitors from one network address', () => {
  const server = useServer(database, { MAX_CARTS_PER_MINUTE: '20' });
  const carts = () => database.db.collection('carts').countDocuments();
  const start = (token?: string | null) =>
    server.request<{ startCart: object }>('mutation { startCart { id } }', {}, token);

  it('leave nothing behind by checking out with many keys, and neither do users without an account', async () => {
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A' });
    const somebodys = await shop.open(1000, 'somebody');
    const cid = await addPerson(database.db, 'cid');
    const { token } = await beginTestSession(database.db, server.services.config, cid);
    const checkOut = async (key: string, bearer: string | null) =>
      server.request(
        `mutation { checkOut(
          cartId: "${toGlobalId('Cart', cart._id)}"
          payment: { account: "${toGlobalId('Account', somebodys._id)}" }
          idempotencyKey: "${key}"
        ) { __typename } }`,
        {},
        bearer,
      );
    for (let n = 0; n < 5; n += 1) {
      expect((await checkOut(`${n}`, null)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
      expect((await checkOut(`${n}`, token)).data).toEqual({ checkOut: { __typename: 'PaymentDeclined' } });
    }
    expect(await records()).toBe(0);
    expect(await findCart(database.db, cart._id)).toMatchObject({ state: 'ACTIVE' });
  });

  it('can start a limited number of carts, even with aliases; signed-in users are not limited', async () => {
    for (let n = 0; n < 20; n += 1) expect((await start(null)).data).toBeTruthy();
    const { errors } = await server.request('mutation { a: startCart { id } b: startCart { id } }', {}, null);
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'SERVER_BUSY', retryAfterMs: expect.any(Number) } });
    expect((await start(null)).errors).toMatchObject([{ extensions: { code: 'SERVER_BUSY' } }]);
    expect(await carts()).toBe(20);
    for (let n = 0; n < 30; n += 1) expect((await start()).errors).toBeUndefined();
    expect(await carts()).toBe(50);
  });
});
