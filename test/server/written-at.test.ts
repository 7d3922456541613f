/** `extensions.writtenAt`: every mutation tells when it wrote, so that a subscriber knows whether its cursor has passed that write. */
import { describe, expect, it } from 'vitest';
import { makeSchema } from '../../src/server/schema.js';
import { useDatabase } from '../support/database.js';
import { type Answer, useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

/** Told elsewhere: by the test of the same name, or in the file that is named. */
const elsewhere = {
  importLog: 'test/analytics/log-api.test.ts: it is an upload',
  undoLogImport: 'test/analytics/log-api.test.ts',
  confirmSignUp: 'test/people/sign-up-mail.test.ts: it needs a mail',
};

const euros = (amount: number) => `{ amount: ${amount}, currency: "EUR" }`;
const PASSWORD = 'correct horse battery staple';
const ANN = `email: "ann@example.org", password: "${PASSWORD}"`;

interface Known {
  [name: string]: string;
}

interface Step {
  readonly mutation: string;
  /** The mutation's arguments and selection. */
  readonly text: (known: Known) => string;
  /** What later steps need of the answer. */
  readonly tells?: (field: Readonly<Record<string, string>>) => Known;
  /** Who asks; left out: the administrator. */
  readonly as?: 'visitor' | 'ann';
}

/** In this order: each needs those before it. */
const steps: readonly Step[] = [
  { mutation: 'registerSite', text: () => '(input: { host: "a.example.org" }) { __typename }' },
  { mutation: 'changeSiteOrigins', text: () => '(host: "a.example.org", allowedOrigins: []) { __typename }' },
  {
    mutation: 'recordHit',
    text: () => '(hit: { site: "a.example.org", page: "/" }, durability: MAJORITY) { recorded }',
  },
  {
    mutation: 'recordHits',
    text: () => '(hits: [{ site: "a.example.org", page: "/" }], durability: JOURNALED) { recorded }',
  },
  {
    mutation: 'recordEvents',
    text: () =>
      '(events: [{ site: "a.example.org", time: "2026-01-05T00:00:00Z", host: "192.0.2.1", path: "/", status: 200 }], durability: MAJORITY) { inserted }',
  },
  { mutation: 'addCategory', text: () => '(input: { name: "Music", slug: "music" }) { __typename }' },
  { mutation: 'addCategory', text: () => '(input: { name: "Jazz", slug: "jazz" }) { __typename }' },
  { mutation: 'moveCategory', text: () => '(slug: "jazz", under: "music") { __typename }' },
  { mutation: 'renameCategory', text: () => '(slug: "jazz", name: "Cool jazz") { __typename }' },
  { mutation: 'removeCategory', text: () => '(slug: "jazz") { __typename }' },
  {
    mutation: 'saveProducts',
    text: () => `(products: [{ sku: "A", title: "A thing", type: "THING", price: ${euros(100)} }]) { saved }`,
  },
  { mutation: 'restock', text: () => '(sku: "A", quantity: 10, idempotencyKey: "restock") { available }' },
  {
    mutation: 'openAccount',
    text: () => `(input: { openingBalance: ${euros(10_000)} }) { id }`,
    tells: ({ id }) => ({ from: String(id) }),
  },
  { mutation: 'openAccount', text: () => '(input: {}) { id }', tells: ({ id }) => ({ to: String(id) }) },
  {
    mutation: 'transfer',
    text: ({ from, to }) => `(from: "${from}", to: "${to}", amount: ${euros(5)}, idempotencyKey: "pay") { __typename }`,
  },
  { mutation: 'startCart', text: () => '{ id }', tells: ({ id }) => ({ cart: String(id) }), as: 'visitor' },
  { mutation: 'addToCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 3) { __typename }` },
  { mutation: 'changeQuantity', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 2) { __typename }` },
  { mutation: 'removeFromCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A") { __typename }` },
  { mutation: 'addToCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 1) { __typename }` },
  {
    mutation: 'checkOut',
    text: ({ cart, from }) =>
      `(cartId: "${cart}", payment: { account: "${from}" }, idempotencyKey: "out") { ... on Order { id } }`,
    tells: ({ id }) => ({ order: String(id) }),
  },
  { mutation: 'raiseOrderQuantity', text: ({ order }) => `(orderId: "${order}", sku: "A", by: 1) { __typename }` },
  { mutation: 'deleteOrder', text: ({ order }) => `(orderId: "${order}") { __typename }` },
  {
    mutation: 'createApiKey',
    text: () => '(input: { name: "Key", scopes: [HITS_WRITE] }) { apiKey { id } }',
    tells: ({ apiKey }) => ({ key: (apiKey as unknown as Known).id ?? '' }),
  },
  { mutation: 'revokeApiKey', text: ({ key }) => `(id: "${key}") { id }` },
  {
    mutation: 'invite',
    text: () => '(input: { email: "bob@example.org" }) { ... on Invited { link } }',
    tells: ({ link }) => ({ invitation: link?.split('#')[1] ?? '' }),
  },
  {
    mutation: 'acceptInvitation',
    text: ({ invitation }) =>
      `(input: { token: "${invitation}", name: "Bob", password: "${PASSWORD}" }) { __typename }`,
    as: 'visitor',
  },
  {
    mutation: 'invite',
    text: () => '(input: { email: "cid@example.org" }) { ... on Invited { invitation { id } } }',
    tells: ({ invitation }) => ({ invited: (invitation as unknown as Known).id ?? '' }),
  },
  { mutation: 'withdrawInvitation', text: ({ invited }) => `(id: "${invited}") { withdrawn }` },
  {
    mutation: 'signUp',
    text: () => `(input: { ${ANN}, name: "Ann" }) { ... on SignedIn { viewer { id } } }`,
    tells: ({ viewer }) => ({ ann: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  { mutation: 'grantRole', text: ({ ann }) => `(userId: "${ann}", role: EDITOR) { id }` },
  { mutation: 'revokeRole', text: ({ ann }) => `(userId: "${ann}", role: EDITOR) { id }` },
  {
    mutation: 'signIn',
    text: () => `(${ANN}) { ... on SignedIn { accessToken refreshToken } }`,
    tells: ({ accessToken, refreshToken }) => ({ annToken: String(accessToken), refreshToken: String(refreshToken) }),
    as: 'visitor',
  },
  { mutation: 'changeName', text: () => '(name: "Anna") { id }', as: 'ann' },
  {
    mutation: 'changePassword',
    text: () => `(password: "${PASSWORD}", newPassword: "${PASSWORD}!") { __typename }`,
    as: 'ann',
  },
  {
    mutation: 'signIn',
    text: () => `(email: "ann@example.org", password: "${PASSWORD}!") { ... on SignedIn { accessToken refreshToken } }`,
    tells: ({ accessToken, refreshToken }) => ({ annToken: String(accessToken), refreshToken: String(refreshToken) }),
    as: 'visitor',
  },
  {
    mutation: 'refresh',
    text: ({ refreshToken }) => `(refreshToken: "${refreshToken}") { ... on SignedIn { accessToken } }`,
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'signOut', text: () => '{ signedOut }', as: 'ann' },
  {
    mutation: 'signIn',
    text: () => `(email: "ann@example.org", password: "${PASSWORD}!") { ... on SignedIn { accessToken } }`,
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'deleteAccount', text: () => `(password: "${PASSWORD}!") { __typename }`, as: 'ann' },
  {
    mutation: 'signUp',
    text: () =>
      `(input: { email: "dan@example.org", password: "${PASSWORD}", name: "Dan" }) { ... on SignedIn { viewer { id } } }`,
    tells: ({ viewer }) => ({ dan: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  { mutation: 'deleteUser', text: ({ dan }) => `(userId: "${dan}") { __typename }` },
];

const TIME = /^[0-9a-f]{16}$/;
const known: Known = {};

const send = ({ mutation, text, as }: Step): Promise<Answer> =>
  server.request(
    `mutation { ${mutation} ${text(known)} }`,
    {},
    as && (as === 'visitor' ? null : (known.annToken ?? '')),
  );

describe('a mutation that has written', () => {
  it('is in the table or told elsewhere, whichever it is', () => {
    const named = new Set([...steps.map(({ mutation }) => mutation), ...Object.keys(elsewhere)]);
    expect([...named].toSorted()).toEqual(Object.keys(makeSchema().getMutationType()?.getFields() ?? {}).toSorted());
  });

  it.each(steps)('tells when: $mutation', async (step) => {
    const answer = await send(step);
    expect(answer.errors).toBeUndefined();
    expect(answer.extensions?.writtenAt).toMatch(TIME);
    const field = answer.data?.[step.mutation] as Readonly<Record<string, string>>;
    Object.assign(known, step.tells?.(field));
  });
});

describe('a mutation that has changed nothing', () => {
  it.each([
    ['is refused', 'mutation { addToCart(cartId: "none", sku: "A", quantity: 1) { __typename } }', null],
    ['breaks a rule', 'mutation { restock(sku: "A", quantity: 0) { available } }', undefined],
    [
      'is signed in with a wrong password',
      'mutation { signIn(email: "admin@example.org", password: "wrong") { __typename } }',
      null,
    ],
    ['does not find its category', 'mutation { moveCategory(slug: "none") { __typename } }', undefined],
  ])('tells no time when it %s', async (_name, query, token) => {
    expect((await server.request(query, {}, token)).extensions).toBeUndefined();
  });
});

describe('a repeat with the same idempotency key', () => {
  it('tells the time of the first call', async () => {
    const restock = 'mutation { restock(sku: "A", quantity: 1, idempotencyKey: "again") { available } }';
    const first = await server.request(restock);
    expect(first.extensions?.writtenAt).toMatch(TIME);
    expect(await server.request(restock)).toEqual(first);
  });
});

describe('a follower', () => {
  it.each([
    {
      of: 'a cart',
      subscription: ({ cart }: Known) => `subscription { cartChanged(id: "${cart}") { cursor } }`,
      mutation: ({ cart }: Known) =>
        `mutation { addToCart(cartId: "${cart}", sku: "A", quantity: 1, idempotencyKey: "follow") { __typename } }`,
    },
    {
      of: 'stock',
      subscription: () => 'subscription { stockChanged(skus: ["A"]) { cursor } }',
      mutation: () => 'mutation { restock(sku: "A", quantity: 1, idempotencyKey: "followed") { available } }',
    },
    {
      of: 'an account',
      subscription: ({ to }: Known) => `subscription { accountChanged(id: "${to}") { cursor } }`,
      mutation: ({ from, to }: Known) =>
        `mutation { transfer(from: "${from}", to: "${to}", amount: ${euros(1)}, idempotencyKey: "follow") { __typename } }`,
    },
    {
      of: 'a chart',
      subscription: () => 'subscription { hitChartChanged(site: "a.example.org", page: "/", last: "PT1H") { cursor } }',
      mutation: () =>
        'mutation { recordHit(hit: { site: "a.example.org", page: "/" }, durability: MAJORITY) { recorded } }',
    },
  ])('of $of sees a cursor with the very time that the mutation tells', async ({ subscription, mutation }) => {
    const started = await server.request<{ startCart: { id: string } }>('mutation { startCart { id } }', {}, null);
    known.cart = started.data?.startCart.id ?? '';
    const events = server
      .connect()
      .iterate<Record<string, { readonly cursor: string }>>({ query: subscription(known) });
    await events.next(); // the snapshot
    const { extensions, errors } = await server.request(mutation(known));
    expect(errors).toBeUndefined();
    const writtenAt = String(extensions?.writtenAt);
    let time = '';
    while (time < writtenAt) {
      const { value } = await events.next();
      const [event] = Object.values<{ readonly cursor: string }>(value?.data ?? {});
      time = event?.cursor.slice(0, 16) ?? '~';
    }
    expect(time).toBe(writtenAt);
    await events.return?.();
  });
});
