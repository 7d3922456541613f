/** `extensions.writtenAt`: every mutation reports when it wrote, so that a subscriber knows whether its cursor has passed the write. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { euros } from '../../commerce/lists/mutation-steps.js';
import { useDatabase } from '../../support/database.js';
import type { Known, MutationStep } from '../../support/domain/mutation-step.js';
import { type Answer, useServer } from '../../support/server.js';
import { steps } from './every-mutation.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

/** Mutations that write later, elsewhere or not at all, with the file that tests them. */
const elsewhere = {
  importLog: 'test/analytics/log/log-api.test.ts: an upload',
  uploadPhoto: 'test/content/posts/photo-api.test.ts: an upload',
  replacePhoto: 'test/content/posts/photo-api.test.ts: an upload',
  uploadPicture: 'test/system/assets/asset-api.test.ts: an upload',
  undoLogImport: 'test/analytics/log/log-api.test.ts',
  importContent: 'test/content/import/import-api.test.ts: an upload',
  importComments: 'test/comments/import/comment-import-api.test.ts: an upload',
  importNetwork: 'test/social/import/network-import.test.ts: an upload',
  importWorld: 'test/game/import/world-import-api.test.ts: an upload',
  undoImport: 'test/system/work/background-work.test.ts',
  seedDomain: 'test/system/work/seed.test.ts: needs an empty domain',
  undoSeed: 'test/system/work/seed.test.ts',
  confirmSignUp: 'test/people/sign-up-mail.test.ts: needs an email',
  resetPassword: 'test/people/password-reset.test.ts: needs an email',
  recordImpressions: 'test/ads/recording/receipt.test.ts: needs a receipt',
  recordClicks: 'test/ads/recording/receipt.test.ts: needs a receipt',
  recordConversion: 'test/ads/recording/receipt.test.ts: needs a receipt',
  forgetVisitor: 'test/ads/recording/receipt.test.ts: needs a decision',
  requestPasswordReset: 'test/people/password-reset.test.ts: does not reveal that it has written',
};

const TIME = /^[0-9a-f]{16}$/;
const known: Known = {};

const send = ({ mutation, text, as }: MutationStep): Promise<Answer> =>
  server.request(
    `mutation { ${mutation} ${text(known)} }`,
    {},
    as && (as === 'visitor' ? null : (known.annToken ?? '')),
  );

describe('a mutation that has written', () => {
  it('is in the table or in the list of exceptions', () => {
    const named = new Set([...steps.map(({ mutation }) => mutation), ...Object.keys(elsewhere)]);
    expect([...named].toSorted()).toEqual(Object.keys(makeSchema().getMutationType()?.getFields() ?? {}).toSorted());
  });

  it.each(steps)('reports when: $mutation', async (step) => {
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
    ['has invalid input', 'mutation { restock(sku: "A", quantity: 0) { available } }', undefined],
    [
      'is signed in with a wrong password',
      'mutation { signIn(email: "admin@example.org", password: "wrong") { __typename } }',
      null,
    ],
    ['does not find its category', 'mutation { moveCategory(slug: "none") { __typename } }', undefined],
  ])('reports no time when it %s', async (_name, query, token) => {
    expect((await server.request(query, {}, token)).extensions).toBeUndefined();
  });
});

describe('a repeat with the same idempotency key', () => {
  it('reports the time of the first call', async () => {
    const restock = 'mutation { restock(sku: "A", quantity: 1, idempotencyKey: "again") { available } }';
    const first = await server.request(restock);
    expect(first.extensions?.writtenAt).toMatch(TIME);
    expect(await server.request(restock)).toEqual(first);
  });
});

/** On a busy machine, the stream may be opening again when the write happens. */
const BUSY = { retry: 3 };

describe('a follower', () => {
  // While the change stream opens, a write may be part of a snapshot, whose cursor is later than the write.
  beforeAll(async () => {
    const keepsTheStreamOpen = server.connect().iterate<{ stockChanged: { cursor: string } }>({
      query: 'subscription { stockChanged(skus: ["A"]) { cursor } }',
    });
    await keepsTheStreamOpen.next();
    await server.request('mutation { restock(sku: "A", quantity: 1) { available } }');
    await keepsTheStreamOpen.next();
  });

  it.each([
    {
      of: 'a cart',
      subscription: ({ cart }: Known) => `subscription { cartChanged(id: "${cart}") { cursor } }`,
      mutation: ({ cart }: Known) =>
        `mutation { addToCart(cartId: "${cart}", sku: "A", quantity: 1, idempotencyKey: "${randomUUID()}") { __typename } }`,
    },
    {
      of: 'stock',
      subscription: () => 'subscription { stockChanged(skus: ["A"]) { cursor } }',
      mutation: () => `mutation { restock(sku: "A", quantity: 1, idempotencyKey: "${randomUUID()}") { available } }`,
    },
    {
      of: 'an account',
      subscription: ({ to }: Known) => `subscription { accountChanged(id: "${to}") { cursor } }`,
      mutation: ({ from, to }: Known) =>
        `mutation { transfer(from: "${from}", to: "${to}", amount: ${euros(1)}, idempotencyKey: "${randomUUID()}") { __typename } }`,
    },
    {
      of: 'a chart',
      subscription: () => 'subscription { hitChartChanged(site: "a.example.org", page: "/", last: "PT1H") { cursor } }',
      mutation: () =>
        'mutation { recordHit(hit: { site: "a.example.org", page: "/" }, durability: MAJORITY) { recorded } }',
    },
  ])(
    'of $of sees a cursor with exactly the time that the mutation reports',
    BUSY,
    async ({ subscription, mutation }) => {
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
    },
  );
});
