/** A shop behind a server: its users, and their calls through the API. Each test starts with 10 units of one product. */
import { beforeAll, beforeEach, expect } from 'vitest';
import type { Role } from '../../src/models/people/user.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { TestDatabase } from '../support/database.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { type TestServer, useServer } from '../support/server.js';
import { emptyShop, openShop, type Shop } from './shop.js';

interface Person {
  readonly id: string;
  readonly token: string;
}

export const CART = `... on Cart { id state total { amount currency } lines { sku title quantity unitPrice { amount } product { sku title } } }`;

/** Call at the top of a test file. */
export function useShopApi(database: TestDatabase) {
  const server = useServer(database);
  let shop: Shop;

  /** Signed in once the server has started. */
  function usePerson(name: string, role: Role): Person {
    let [id, token] = ['', ''];
    beforeAll(async () => {
      const user = await addPerson(database.db, name, [role]);
      id = user._id;
      token = (await beginTestSession(database.db, server.services.config, user)).token;
    });
    return {
      get id() {
        return id;
      },
      get token() {
        return token;
      },
    };
  }
  const [ann, bob, editor] = [usePerson('ann', 'MEMBER'), usePerson('bob', 'MEMBER'), usePerson('edith', 'EDITOR')];
  const admin = () => server.token;

  beforeEach(async () => {
    await emptyShop(database.db);
    shop = await openShop(database.db);
    await shop.stock('A', 10, 250);
  });

  const call = async <T = { __typename: string }>(mutation: string, token: string | null = null) => {
    const { data, errors } = await server.request<{ answer: T }>(`mutation { answer: ${mutation} }`, {}, token);
    return { answer: data?.answer as T, code: errors?.[0]?.extensions.code, errors };
  };
  const query = async <T>(text: string, token: string | null = null) => {
    const { data, errors } = await server.request<{ answer: T }>(`{ answer: ${text} }`, {}, token);
    return { answer: data?.answer as T, code: errors?.[0]?.extensions.code };
  };

  const newCart = async () => (await call<{ id: string }>('startCart { id }')).answer.id;
  const add = (cart: string, { sku = 'A', quantity = 1 as number | string, key = '' } = {}) =>
    call<Record<string, unknown>>(
      `addToCart(cartId: "${cart}", sku: "${sku}", quantity: ${quantity}${key && `, idempotencyKey: "${key}"`}) { __typename ${CART} ... on Refusal { message } }`,
    );
  const pay = (cart: string, account: string, key: string, token: string | null) =>
    call<Record<string, unknown>>(
      `checkOut(cartId: "${cart}", payment: { account: "${account}" }, idempotencyKey: "${key}") { __typename ... on Order { id total { amount } } ... on PaymentDeclined { reason } }`,
      token,
    );
  const accountOf = async ({ id }: Person, balance: number) =>
    toGlobalId('Account', (await shop.open(balance, id))._id);
  const stock = (sku: string, quantity: number) => shop.stock(sku, quantity);

  return { server, ann, bob, editor, admin, call, query, newCart, add, pay, accountOf, stock };
}

/** Subscribes to a field. @returns its first event, and how to get the next */
export async function follow(server: TestServer, field: string, token: string | null = null) {
  const events = server.connect(token).iterate<Record<string, unknown>>({ query: `subscription { ${field} }` });
  const next = async () => {
    const { value } = await events.next();
    expect(value.errors).toBeUndefined();
    return value.data;
  };
  return { next, first: await next() };
}
