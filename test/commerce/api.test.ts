/** What concerns both carts and stock, through the API: permissions and subscriptions. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { stockOfSku } from './shop.js';
import { follow, useShopApi } from './shop-api.js';

const database = useDatabase();
const { server, ann, editor, call, newCart, add, pay, accountOf, stock } = useShopApi(database);

describe('a visitor', () => {
  it('can neither pay nor restock', async () => {
    const [cart, account] = [await newCart(), await accountOf(ann, 1000)];
    await add(cart);
    expect((await pay(cart, account, 'k', null)).code).toBe('UNAUTHENTICATED');
    expect((await call('restock(sku: "A", quantity: 1) { available }')).code).toBe('UNAUTHENTICATED');
    expect(await stockOfSku(database.db, 'A')).toEqual([9, 1, 0, 10]);
  });
});

describe('live', () => {
  it('sends the current state of a cart and of stock, then their changes', async () => {
    await stock('B', 5);
    const cart = await newCart();
    const lines = await follow(server, `cartChanged(id: "${cart}") { reset cart { lines { sku quantity } } }`);
    expect(lines.first).toEqual({ cartChanged: { reset: false, cart: { lines: [] } } });
    const one = await follow(server, 'stockChanged(skus: ["A"]) { stock { sku available inCarts } }');
    const both = await follow(server, 'stockChanged(skus: ["B", "A", "none"]) { stock { sku available } }');
    expect(both.first).toEqual({
      stockChanged: {
        stock: [
          { sku: 'A', available: 10 },
          { sku: 'B', available: 5 },
        ],
      },
    });

    await add(cart, { quantity: 4 });
    expect(await lines.next()).toEqual({ cartChanged: { reset: false, cart: { lines: [{ sku: 'A', quantity: 4 }] } } });
    expect(await one.next()).toEqual({ stockChanged: { stock: [{ sku: 'A', available: 6, inCarts: 4 }] } });
    expect(await both.next()).toEqual({ stockChanged: { stock: [{ sku: 'A', available: 6 }] } });
  });

  it('is refused for a cart that does not exist and for no stock', async () => {
    const refusal = async (field: string) => {
      const events = server.connect(null).iterate({ query: `subscription { ${field} }` });
      return JSON.stringify(await events.next().catch((error: unknown) => error));
    };
    expect(await refusal('cartChanged(id: "none") { cursor }')).toContain('NOT_FOUND');
    expect(await refusal('stockChanged(skus: []) { cursor }')).toContain('BAD_USER_INPUT');
  });
});

describe('the staff', () => {
  it('restocks as an editor, once per key', async () => {
    const restock = () =>
      call('restock(sku: "A", quantity: 5, idempotencyKey: "k") { sku available inCarts sold stocked }', editor.token);
    const stocked = { sku: 'A', available: 15, inCarts: 0, sold: 0, stocked: 15 };
    expect((await restock()).answer).toEqual(stocked);
    expect((await restock()).answer).toEqual(stocked);
    expect((await call('restock(sku: "none", quantity: 5) { sku }', editor.token)).code).toBe('NOT_FOUND');
    expect((await call('restock(sku: "A", quantity: 0) { sku }', editor.token)).code).toBe('BAD_USER_INPUT');
  });
});
