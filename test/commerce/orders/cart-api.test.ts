/** Carts through the API: responses, keys, and who may list them. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { stockOfSku } from '../shop.js';
import { CART, useShopApi } from '../shop-api.js';

const database = useDatabase();
const { editor, admin, call, query, newCart, add } = useShopApi(database);

describe('a visitor', () => {
  it('fills a cart by its id and reads it back', async () => {
    const cart = await newCart();
    const line = {
      sku: 'A',
      title: 'A A',
      quantity: 2,
      unitPrice: { amount: 250 },
      product: { sku: 'A', title: 'A A' },
    };
    const filled = {
      __typename: 'Cart',
      id: cart,
      state: 'ACTIVE',
      total: { amount: 500, currency: 'EUR' },
      lines: [line],
    };
    expect((await add(cart, { quantity: 2 })).answer).toEqual(filled);
    expect((await query(`cart(id: "${cart}") { __typename ${CART} }`)).answer).toEqual(filled);
    expect((await query(`node(id: "${cart}") { __typename ${CART} }`)).answer).toEqual(filled);
    expect((await query('cart(id: "none") { id }')).answer).toBeNull();
  });

  it.each([
    ['0', 'BAD_USER_INPUT'],
    ['-1', 'BAD_USER_INPUT'],
    ['2147483648', 'GRAPHQL_VALIDATION_FAILED'],
    ['1.5', 'GRAPHQL_VALIDATION_FAILED'],
  ])('cannot add a quantity of %s, and nothing changes', async (quantity, code) => {
    const cart = await newCart();
    expect((await add(cart, { quantity })).code).toBe(code);
    expect((await call(`changeQuantity(cartId: "${cart}", sku: "A", quantity: ${quantity}) { __typename }`)).code).toBe(
      code,
    );
    expect(await stockOfSku(database.db, 'A')).toEqual([10, 0, 0, 10]);
  });

  it('gets the first result again for the same key, and an error for a different input', async () => {
    const cart = await newCart();
    const first = await add(cart, { quantity: 2, key: 'k' });
    expect(await add(cart, { quantity: 2, key: 'k' })).toEqual(first);
    expect((await add(cart, { quantity: 3, key: 'k' })).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await stockOfSku(database.db, 'A')).toEqual([8, 2, 0, 10]);
  });
});

describe('an administrator', () => {
  it('lists the carts in a state page by page, most recently changed first; other users cannot', async () => {
    const [first, second, third] = [await newCart(), await newCart(), await newCart()];
    await add(first);
    const list = (page: string, token = admin()) =>
      query<{ edges: { node: { id: string } }[]; pageInfo: { endCursor: string } }>(
        `carts(${page}) { edges { node { id } } pageInfo { endCursor } }`,
        token,
      );
    const ids = ({ answer: { edges } }: Awaited<ReturnType<typeof list>>) => edges.map(({ node }) => node.id);
    const page = await list('first: 2');
    expect(ids(page)).toEqual([first, third]);
    expect(ids(await list(`first: 2, after: "${page.answer.pageInfo.endCursor}"`))).toEqual([second]);
    expect(ids(await list('state: PENDING'))).toEqual([]);
    expect((await list('first: 101')).code).toBe('LIMIT_EXCEEDED');
    expect((await list('first: 2', editor.token)).code).toBe('FORBIDDEN');
  });
});
