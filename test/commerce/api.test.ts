/** Carts, stock, orders and accounts through the API: permissions, responses, and subscriptions. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accounts } from '../../src/models/commerce/money/account.js';
import type { Role } from '../../src/models/people/user.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { useServer } from '../support/server.js';
import { emptyShop, openShop, type Shop, stockOfSku } from './shop.js';

const database = useDatabase();
const server = useServer(database);
let shop: Shop;

interface Person {
  readonly id: string;
  readonly token: string;
}
let ann: Person;
let bob: Person;
let editor: Person;

async function person(name: string, roles: readonly Role[]): Promise<Person> {
  const user = await addPerson(database.db, name, roles);
  return { id: user._id, token: (await beginTestSession(database.db, server.services.config, user)).token };
}

beforeAll(async () => {
  [ann, bob, editor] = [
    await person('ann', ['MEMBER']),
    await person('bob', ['MEMBER']),
    await person('edith', ['EDITOR']),
  ];
});

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 10, 250);
});

const CART = `... on Cart { id state total { amount currency } lines { sku title quantity unitPrice { amount } product { sku title } } }`;

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
const accountOf = async ({ id }: Person, balance: number) => toGlobalId('Account', (await shop.open(balance, id))._id);
const admin = () => server.token;
const auditTrail = async (first: number) => {
  const edges = `auditTrail(first: ${first}) { edges { node { actor action subject detail } } }`;
  const { answer } = await query<{ edges: { node: object }[] }>(edges, admin());
  return answer.edges.map(({ node }) => node);
};

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
    expect((await query('storeCurrency')).answer).toBe('EUR');
  });

  it('can neither pay nor read orders, accounts and violations', async () => {
    const [cart, account] = [await newCart(), await accountOf(ann, 1000)];
    await add(cart);
    expect((await pay(cart, account, 'k', null)).code).toBe('UNAUTHENTICATED');
    expect((await query(`account(id: "${account}") { id }`)).code).toBe('UNAUTHENTICATED');
    expect((await call('restock(sku: "A", quantity: 1) { available }')).code).toBe('UNAUTHENTICATED');
    expect((await query('violations { invariant }')).code).toBe('UNAUTHENTICATED');
    expect((await query(`node(id: "${account}") { id }`)).answer).toBeNull();
    expect(await stockOfSku(database.db, 'A')).toEqual([9, 1, 0, 10]);
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

describe('a customer', () => {
  it('pays from their own account once per key and sees the order; other users do not', async () => {
    const [cart, account] = [await newCart(), await accountOf(ann, 1000)];
    await add(cart, { quantity: 2 });
    expect((await pay(cart, account, 'k', bob.token)).answer).toMatchObject({ reason: 'ACCOUNT_UNKNOWN' });
    const paid = await pay(cart, account, 'k', ann.token);
    expect(paid.answer).toMatchObject({ __typename: 'Order', total: { amount: 500 } });
    expect(await pay(cart, account, 'k', ann.token)).toEqual(paid);
    const order = String(paid.answer.id);
    const orderOf = (token: string) => query<object | null>(`order(id: "${order}") { total { amount } }`, token);
    expect((await orderOf(ann.token)).answer).toEqual({ total: { amount: 500 } });
    expect((await orderOf(bob.token)).answer).toBeNull();
    expect((await orderOf(admin())).answer).toEqual({ total: { amount: 500 } });
    const orders = (token: string) => query('orders { edges { node { id } } }', token);
    expect((await orders(ann.token)).answer).toEqual({ edges: [{ node: { id: order } }] });
    expect((await orders(bob.token)).answer).toEqual({ edges: [] });
    const own = (list: string, token: string) => query(`${list}(own: true) { edges { node { id } } }`, token);
    expect((await own('orders', ann.token)).answer).toEqual({ edges: [{ node: { id: order } }] });
    expect((await own('accounts', ann.token)).answer).toEqual({ edges: [{ node: { id: account } }] });
    for (const list of ['orders', 'accounts']) expect((await own(list, admin())).answer).toEqual({ edges: [] });
    expect((await query(`account(id: "${account}") { balance { amount } }`, ann.token)).answer).toEqual({
      balance: { amount: 500 },
    });
    expect((await query(`account(id: "${account}") { balance { amount } }`, bob.token)).answer).toBeNull();
    const raise = (token: string) =>
      call(`raiseOrderQuantity(orderId: "${order}", sku: "A", by: 1, idempotencyKey: "r") { __typename }`, token);
    expect((await raise(bob.token)).answer).toEqual({ __typename: 'OrderNotFound' });
    expect((await raise(ann.token)).answer).toEqual({ __typename: 'Order' });
    expect((await raise(ann.token)).answer).toEqual({ __typename: 'Order' });
    expect(await stockOfSku(database.db, 'A')).toEqual([7, 0, 3, 10]);
    const erase = (token: string, key: string) =>
      call(`deleteOrder(orderId: "${order}", idempotencyKey: "${key}") { __typename }`, token);
    expect((await erase(ann.token, 'e')).code).toBe('FORBIDDEN');
    expect((await erase(admin(), 'e')).answer).toEqual({ __typename: 'DeletedOrder' });
    expect((await erase(admin(), 'e')).answer).toEqual({ __typename: 'DeletedOrder' });
    expect((await erase(admin(), 'f')).answer).toEqual({ __typename: 'OrderNotFound' });
    expect(await auditTrail(1)).toEqual([
      { actor: 'admin@example.org', action: 'ORDER_DELETED', subject: idOfType('Order', order), detail: '750 EUR' },
    ]);
  });

  it('opens an empty account and transfers only their own money', async () => {
    const open = (input: string, token: string) =>
      call<{ id: string; owner: string }>(`openAccount(input: ${input}) { id owner }`, token);
    expect((await open('{ openingBalance: { amount: 5, currency: "EUR" } }', ann.token)).code).toBe('FORBIDDEN');
    expect((await open(`{ owner: "${toGlobalId('User', bob.id)}" }`, ann.token)).code).toBe('FORBIDDEN');
    const own = (await open('{}', bob.token)).answer;
    expect(own.owner).toBe(toGlobalId('User', bob.id));
    const rich = await accountOf(ann, 1000);
    const move = (token: string, amount = 30, currency = 'EUR') =>
      call(
        `transfer(from: "${rich}", to: "${own.id}", amount: { amount: ${amount}, currency: "${currency}" }, idempotencyKey: "${token.slice(-9)}${amount}${currency}") { __typename ... on Transfer { state } }`,
        token,
      );
    expect((await move(bob.token)).answer).toEqual({ __typename: 'AccountNotFound' });
    expect((await move(ann.token)).answer).toEqual({ __typename: 'Transfer', state: 'RETIRED' });
    expect((await move(ann.token)).answer).toEqual({ __typename: 'Transfer', state: 'RETIRED' });
    expect((await move(ann.token, 1000)).answer).toEqual({ __typename: 'InsufficientFunds' });
    expect((await move(ann.token, 30, 'USD')).answer).toEqual({ __typename: 'CurrencyMismatch' });
    expect((await move(ann.token, 0)).code).toBe('BAD_USER_INPUT');
    const { answer } = await query<object>(
      `account(id: "${own.id}") { balance { amount } pending { id } transfers { edges { node { amount { amount } from } } } }`,
      bob.token,
    );
    expect(answer).toEqual({
      balance: { amount: 30 },
      pending: [],
      transfers: { edges: [{ node: { amount: { amount: 30 }, from: rich } }] },
    });
    expect((await query('transfers { edges { node { id } } }', ann.token)).code).toBe('FORBIDDEN');
  });
});

describe('the staff', () => {
  it('saves products as editor, once per key', async () => {
    const product = { sku: 'N', title: 'New', type: 'THING', price: { amount: 5, currency: 'EUR' } };
    const SAVE = `mutation ($products: [ProductInput!]!) {
      saveProducts(products: $products, idempotencyKey: "k") { saved rejected { index code } }
    }`;
    const save = (...products: object[]) => server.request(SAVE, { products }, editor.token);
    const { data } = await save(product, { ...product, sku: 'BAD', type: 'x' });
    expect(data).toEqual({ saveProducts: { saved: 1, rejected: [{ index: 1, code: 'BAD_USER_INPUT' }] } });
    await database.db.collection<{ _id: string }>('products').deleteOne({ _id: 'N' });
    expect((await save(product, { ...product, sku: 'BAD', type: 'x' })).data).toEqual(data);
    expect(await database.db.collection<{ _id: string }>('products').findOne({ _id: 'N' })).toBeNull(); // not repeated
    expect((await save(product)).errors?.[0]?.extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('restocks as editor, once per key; opens accounts as administrator; sees violations', async () => {
    const restock = () =>
      call('restock(sku: "A", quantity: 5, idempotencyKey: "k") { sku available inCarts sold stocked }', editor.token);
    const stocked = { sku: 'A', available: 15, inCarts: 0, sold: 0, stocked: 15 };
    expect((await restock()).answer).toEqual(stocked);
    expect((await restock()).answer).toEqual(stocked);
    expect((await call('restock(sku: "none", quantity: 5) { sku }', editor.token)).code).toBe('NOT_FOUND');
    expect((await call('restock(sku: "A", quantity: 0) { sku }', editor.token)).code).toBe('BAD_USER_INPUT');
    const input = '{ owner: "petty cash", openingBalance: { amount: 70, currency: "EUR" } }';
    const open = () =>
      call<{ id: string }>(
        `openAccount(input: ${input}, idempotencyKey: "k") { id owner balance { amount } }`,
        admin(),
      );
    const opened = (await open()).answer;
    expect(opened).toMatchObject({ owner: 'petty cash', balance: { amount: 70 } });
    expect((await open()).answer).toEqual(opened);
    const nobody = await call(`openAccount(input: { owner: "${toGlobalId('User', 'gone')}" }) { id }`, admin());
    expect([nobody.code, await database.db.collection('accounts').countDocuments({ owner: 'gone' })]).toEqual([
      'BAD_USER_INPUT',
      0,
    ]);
    await call('openAccount(input: {}) { id }', admin()); // an empty account of one's own is not audited
    expect((await auditTrail(10)).filter((entry) => 'action' in entry && entry.action === 'ACCOUNT_OPENED')).toEqual([
      {
        actor: 'admin@example.org',
        action: 'ACCOUNT_OPENED',
        subject: idOfType('Account', opened.id),
        detail: '70 EUR',
      },
    ]);
    expect((await query('accounts { edges { node { owner } } }', admin())).answer).toMatchObject({
      edges: expect.arrayContaining([{ node: { owner: 'The store' } }]),
    });
    expect((await query('violations { domain invariant subject detail }', admin())).answer).toEqual([]);
    await accounts(database.db).updateOne({ _id: 'store' }, { $inc: { balance: 3 } });
    expect((await query('violations { domain invariant subject detail }', admin())).answer).toEqual([
      { domain: 'commerce', invariant: 'money-is-conserved', subject: 'accounts', detail: '73 where 70 was expected' },
    ]);
  });
});

/** @returns its first event, and how to get the next */
async function follow(field: string, token: string | null = null) {
  const events = server.connect(token).iterate<Record<string, unknown>>({ query: `subscription { ${field} }` });
  const next = async () => {
    const { value } = await events.next();
    expect(value.errors).toBeUndefined();
    return value.data;
  };
  return { next, first: await next() };
}

describe('live', () => {
  it('sends the current state of a cart, of stock and of an account, then their changes', async () => {
    await shop.stock('B', 5);
    const [cart, account] = [await newCart(), await accountOf(ann, 1000)];
    const lines = await follow(`cartChanged(id: "${cart}") { reset cart { lines { sku quantity } } }`);
    expect(lines.first).toEqual({ cartChanged: { reset: false, cart: { lines: [] } } });
    const one = await follow('stockChanged(skus: ["A"]) { stock { sku available inCarts } }');
    const both = await follow('stockChanged(skus: ["B", "A", "none"]) { stock { sku available } }');
    expect(both.first).toEqual({
      stockChanged: {
        stock: [
          { sku: 'A', available: 10 },
          { sku: 'B', available: 5 },
        ],
      },
    });
    const money = await follow(`accountChanged(id: "${account}") { account { balance { amount } } }`, ann.token);
    expect(money.first).toEqual({ accountChanged: { account: { balance: { amount: 1000 } } } });

    await add(cart, { quantity: 4 });
    expect(await lines.next()).toEqual({ cartChanged: { reset: false, cart: { lines: [{ sku: 'A', quantity: 4 }] } } });
    expect(await one.next()).toEqual({ stockChanged: { stock: [{ sku: 'A', available: 6, inCarts: 4 }] } });
    expect(await both.next()).toEqual({ stockChanged: { stock: [{ sku: 'A', available: 6 }] } });
    await pay(cart, account, 'k', ann.token);
    expect(await money.next()).toEqual({ accountChanged: { account: { balance: { amount: 0 } } } });
  });

  it('sends newly opened accounts: to users their own, to administrators all', async () => {
    const first = await accountOf(ann, 1);
    const ids = (token: string) => follow('accountOpened { reset accounts { id } }', token);
    const [own, all] = [await ids(ann.token), await ids(server.token)];
    expect(own.first).toEqual({ accountOpened: { reset: false, accounts: [{ id: first }] } });
    await accountOf(bob, 1);
    const second = await accountOf(ann, 1);
    expect(await own.next()).toEqual({ accountOpened: { reset: false, accounts: [{ id: second }] } });
    expect(await all.next()).toMatchObject({ accountOpened: { accounts: [{}] } });
    expect(await all.next()).toEqual({ accountOpened: { reset: false, accounts: [{ id: second }] } });
  });

  it('is refused for objects that belong to another user or do not exist', async () => {
    const account = await accountOf(ann, 1);
    const refusal = async (field: string, token: string | null) => {
      const events = server.connect(token).iterate({ query: `subscription { ${field} }` });
      return JSON.stringify(await events.next().catch((error: unknown) => error));
    };
    expect(await refusal(`accountChanged(id: "${account}") { cursor }`, bob.token)).toContain('NOT_FOUND');
    expect(await refusal(`accountChanged(id: "${account}") { cursor }`, null)).toContain('UNAUTHENTICATED');
    expect(await refusal('cartChanged(id: "none") { cursor }', null)).toContain('NOT_FOUND');
    expect(await refusal('stockChanged(skus: []) { cursor }', null)).toContain('BAD_USER_INPUT');
  });
});
