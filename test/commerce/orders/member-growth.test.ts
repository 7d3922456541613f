/** With open sign-up anyone can become a member, so what a member's refused calls leave in the database is limited. */
import { beforeEach, describe, expect, it } from 'vitest';
import { accounts, OWN_MAX } from '../../../src/models/commerce/money/account.js';
import { MEMBER_KEYS_MAX } from '../../../src/models/people/keyed-calls/key-count.js';
import type { Role } from '../../../src/models/people/user.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { emptyShop, openShop, type Shop } from '../shop.js';

const database = useDatabase();
const server = useServer(database);
let shop: Shop;
let name = 0;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
});

async function signIn(roles: readonly Role[]) {
  name += 1;
  const person = await addPerson(database.db, `person ${name}`, roles);
  const { token } = await beginTestSession(database.db, server.services.config, person);
  return { id: person._id, token };
}

const records = () => database.db.collection('idempotency').countDocuments();

async function ask(mutation: string, token: string) {
  const { data, errors } = await server.request<{ answer: object }>(`mutation { answer: ${mutation} }`, {}, token);
  return data?.answer ?? errors?.[0]?.extensions;
}

/** A member with an account, an empty cart, and a number of used keys. */
async function prepare(roles: readonly Role[], used: number) {
  const { id, token } = await signIn(roles);
  const account = toGlobalId('Account', (await shop.open(0, id))._id);
  const cart = toGlobalId('Cart', (await shop.start())._id);
  const expires_at = new Date(Date.now() + 3_600_000);
  await database.db
    .collection<{ _id: string }>('idempotency.counts')
    .insertOne({ _id: id, count: used, expires_at } as { _id: string });
  const till = toGlobalId('Account', 'store');
  const calls: readonly ((key: string) => string)[] = [
    (key) => `checkOut(cartId: "${cart}", payment: { account: "${account}" }, idempotencyKey: "${key}") { __typename }`,
    (key) =>
      `transfer(from: "${account}", to: "${till}", amount: { amount: 1, currency: "EUR" }, idempotencyKey: "${key}") { __typename }`,
    (key) => `openAccount(input: {}, idempotencyKey: "${key}") { __typename }`,
  ];
  return { token, calls };
}

const beyond = { code: 'LIMIT_EXCEEDED' };

describe('a member', () => {
  it.each([0, 1, 2])(
    'reaches the limit of keys with call number %i, and can still retry the last key',
    async (which) => {
      const { token, calls } = await prepare(['MEMBER'], MEMBER_KEYS_MAX - 1);
      const call = calls[which] ?? String;
      const answer = await ask(call('the last'), token);
      expect(answer).toMatchObject({ __typename: expect.any(String) });
      const money = () => database.db.collection('transactions').countDocuments();
      const before = [await records(), await accounts(database.db).countDocuments(), await money()];
      for (const other of calls) expect(await ask(other('one more'), token)).toMatchObject(beyond);
      expect([await records(), await accounts(database.db).countDocuments(), await money()]).toEqual(before);
      expect(await ask(call('the last'), token)).toEqual(answer);
    },
  );

  it('cannot open more than the maximum number of accounts, with or without keys', async () => {
    const { token, calls } = await prepare(['MEMBER'], 0);
    const open = calls[2] ?? String;
    const first = await ask(open('first'), token);
    for (let opened = 2; opened < OWN_MAX; opened += 1) await ask('openAccount(input: {}) { __typename }', token);
    const before = await accounts(database.db).countDocuments();
    expect(await ask('openAccount(input: {}) { __typename }', token)).toMatchObject(beyond);
    expect(await ask(open('another'), token)).toMatchObject(beyond);
    expect(await accounts(database.db).countDocuments()).toBe(before);
    expect(await ask(open('first'), token)).toEqual(first);
  });
});

it('may use more keys as an editor', async () => {
  const { token, calls } = await prepare(['EDITOR'], MEMBER_KEYS_MAX);
  for (const call of calls) expect(await ask(call('key'), token)).toMatchObject({ __typename: expect.any(String) });
});
