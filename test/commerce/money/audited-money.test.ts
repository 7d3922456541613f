/** What administrators do with the money of others and with the shop is in the audit trail: who, on whose behalf, how much. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { emptyShop, openShop, type Shop } from '../shop.js';

const database = useDatabase();
const server = useServer(database);
const ADMINISTRATOR = 'admin@example.org';
let shop: Shop;
let ann: { readonly id: string; readonly token: string };

beforeAll(async () => {
  const person = await addPerson(database.db, 'ann', ['MEMBER']);
  ann = { id: person._id, token: (await beginTestSession(database.db, server.services.config, person)).token };
});

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 10, 250);
  await database.db.collection('audit').deleteMany({});
});

/** Sends a request as the administrator unless another token is given. */
async function ask<T = { id: string }>(field: string, token = server.token): Promise<T> {
  const { data, errors } = await server.request<{ answer: T }>(`mutation { answer: ${field} }`, {}, token);
  expect(errors).toBeUndefined();
  return data?.answer as T;
}

const accountOf = async (owner: string) => toGlobalId('Account', (await shop.open(1000, owner))._id);

async function cartWith(quantity: number): Promise<string> {
  const { id } = await ask('startCart { id }');
  await ask(`addToCart(cartId: "${id}", sku: "A", quantity: ${quantity}) { __typename }`);
  return id;
}

async function buy(account: string, token?: string): Promise<string> {
  const paying = `payment: { account: "${account}" }, idempotencyKey: "k"`;
  return (await ask(`checkOut(cartId: "${await cartWith(2)}", ${paying}) { ... on Order { id } }`, token)).id;
}

/** The trail, newest first. */
async function trail(): Promise<object[]> {
  const fields = 'edges { node { action actor onBehalfOf subject detail } }';
  const { data } = await server.request<{ auditTrail: { edges: { node: object }[] } }>(`{ auditTrail { ${fields} } }`);
  return data?.auditTrail.edges.map(({ node }) => node) ?? [];
}

const euro = (amount: number) => `{ amount: ${amount}, currency: "EUR" }`;

describe("an administrator who moves another user's money", () => {
  it('is audited with both names and the amount: a payment at the till, added units, a deleted record', async () => {
    const order = await buy(await accountOf(ann.id));
    await ask(`raiseOrderQuantity(orderId: "${order}", sku: "A", by: 1) { __typename }`);
    await ask(`deleteOrder(orderId: "${order}") { __typename }`);
    const both = { actor: ADMINISTRATOR, onBehalfOf: 'ann@example.org', subject: expect.any(String) };
    expect(await trail()).toEqual([
      { ...both, action: 'ORDER_DELETED', detail: '750 EUR' },
      { ...both, action: 'ORDER_RAISED', detail: '250 EUR 1 A A' },
      { ...both, action: 'ORDER_PAID', detail: '500 EUR' },
    ]);
  });

  it('is audited with both names and the amount: a transfer, also from an account without a user', async () => {
    const [hers, own] = [await accountOf(ann.id), (await ask('openAccount(input: {}) { id }')).id];
    const move = (from: string, to: string, key: string) =>
      ask(`transfer(from: "${from}", to: "${to}", amount: ${euro(5)}, idempotencyKey: "${key}") { __typename }`);
    await move(hers, toGlobalId('Account', 'store'), 'one');
    await move(toGlobalId('Account', 'store'), hers, 'two');
    await move(hers, own, 'three');
    await move(own, hers, 'four'); // their own money
    const told = { actor: ADMINISTRATOR, action: 'MONEY_TRANSFERRED', subject: expect.any(String) };
    expect(await trail()).toEqual([
      { ...told, onBehalfOf: 'ann@example.org', detail: `5 EUR ${ADMINISTRATOR}` },
      { ...told, onBehalfOf: 'The store', detail: '5 EUR ann@example.org' },
      { ...told, onBehalfOf: 'ann@example.org', detail: '5 EUR The store' },
    ]);
  });

  it('is audited once when the call is retried with its key, and not when it is refused', async () => {
    const account = await accountOf(ann.id);
    const transfer = (amount: number, key: string) =>
      `transfer(from: "${account}", to: "${toGlobalId('Account', 'store')}", amount: ${euro(amount)}, idempotencyKey: "${key}") { __typename }`;
    for (const _again of [1, 2]) await ask(transfer(5, 'same'));
    expect(await ask(transfer(5000, 'too much'))).toEqual({ __typename: 'InsufficientFunds' });
    const paying = `payment: { account: "${account}" }, idempotencyKey: "k"`;
    expect(await ask(`checkOut(cartId: "${await cartWith(8)}", ${paying}) { __typename }`)).toEqual({
      __typename: 'PaymentDeclined',
    });
    expect(await trail()).toHaveLength(1);
  });
});

describe('users who move their own money', () => {
  it('are not audited', async () => {
    const account = await accountOf(ann.id);
    const order = await buy(account, ann.token);
    await ask(`raiseOrderQuantity(orderId: "${order}", sku: "A", by: 1) { __typename }`, ann.token);
    expect(await trail()).toEqual([]);
  });
});

describe('editors and administrators of the shop', () => {
  const told = { actor: ADMINISTRATOR, onBehalfOf: null };
  it('are audited: added stock, once per key; price changes; removals; the start of a recovery', async () => {
    const save = (amount: number) =>
      ask(`saveProducts(products: [{ sku: "A", title: "A", type: "THING", price: ${euro(amount)} }]) { saved }`);
    for (const _again of [1, 2]) await ask('restock(sku: "A", quantity: 5, idempotencyKey: "r") { available }');
    await save(250); // unchanged
    await save(300);
    for (const slug of ['one', 'two']) await ask(`addCategory(input: { slug: "${slug}", name: "A" }) { __typename }`);
    await ask('removeCategory(slug: "one", moveContentsTo: "two") { __typename }');
    await ask('removeCategory(slug: "two") { __typename }');
    await ask('recover { state }');
    expect(await trail()).toEqual([
      { ...told, action: 'RECOVERY_STARTED', subject: 'all workers', detail: null },
      { ...told, action: 'CATEGORY_REMOVED', subject: 'two', detail: null },
      { ...told, action: 'CATEGORY_REMOVED', subject: 'one', detail: 'two' },
      { ...told, action: 'PRICE_CHANGED', subject: 'A', detail: '250 EUR 300 EUR' },
      { ...told, action: 'STOCK_BROUGHT_IN', subject: 'A', detail: '5' },
    ]);
  });

  it('add units to stock once per key, whatever was added since', async () => {
    const bring = (key: string) =>
      ask<{ stocked: number }>(`restock(sku: "A", quantity: 1, idempotencyKey: "${key}") { stocked }`);
    await bring('first');
    for (let n = 0; n < 21; n += 1) await bring(`other ${n}`);
    // As if the process had died before storing the answer.
    await database.db
      .collection('idempotency')
      .updateMany({}, { $unset: { answer: '' }, $set: { locked_until: new Date(0) } });
    expect(await bring('first')).toEqual({ stocked: 32 });
  });
});

describe('an order entered at the till', () => {
  const parties = 'buyer { id name } payer { id name } enteredBy { id name }';

  it('names buyer, payer and the user who entered it, and is in the payer’s list of orders', async () => {
    const id = await buy(await accountOf(ann.id));
    const { data } = await server.request(
      `{ order(id: "${id}") { ${parties} } orders(own: true) { edges { node { id } } } }`,
      {},
      ann.token,
    );
    const me = { id: toGlobalId('User', ann.id), name: 'ann' };
    expect(data).toEqual({
      order: { buyer: me, payer: me, enteredBy: { id: expect.any(String), name: 'Administrator' } },
      orders: { edges: [{ node: { id } }] },
    });
    const own = await server.request('{ orders(own: true) { edges { node { id } } } }');
    expect(own.data).toEqual({ orders: { edges: [] } }); // the administrator has bought nothing
  });

  it('is listed for the payer even if it is an older order that does not name who entered it: page by page, each once', async () => {
    const account = await accountOf(ann.id);
    const ids = [await buy(account, ann.token)];
    const bought = database.db.collection<{ _id: string }>('orders');
    const [first] = await bought.find().toArray();
    for (const number of [1, 2, 3]) {
      const old = { ...first, _id: `old-${number}`, owner: 'an administrator', placed_at: new Date(number) };
      Reflect.deleteProperty(old, 'entered_by');
      await bought.insertOne(old);
      ids.splice(1, 0, toGlobalId('Order', old._id));
    }
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page: {
        data?: {
          orders: { edges: { node: { id: string } }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
        } | null;
      } = await server.request(
        'query ($after: String) { orders(first: 2, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } } }',
        { after },
        ann.token,
      );
      seen.push(...(page.data?.orders.edges.map(({ node }) => node.id) ?? []));
      after = page.data?.orders.pageInfo.endCursor ?? null;
      more = page.data?.orders.pageInfo.hasNextPage ?? false;
    }
    expect(seen).toEqual(ids);
    const one = await server.request(`{ order(id: "${ids[1]}") { ${parties} } }`, {}, ann.token);
    expect(one.data).toMatchObject({ order: { buyer: { name: '' }, payer: { name: 'ann' }, enteredBy: null } });
  });
});
