/** Opening, reading and following money accounts. `transfer.test.ts` tests how their balances change. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accounts, openAccountAs, STORE_ACCOUNT } from '../../../src/models/commerce/money/account.js';
import { AMOUNT_MAX } from '../../../src/models/commerce/money/money.js';
import { transfer } from '../../../src/models/commerce/money/transfer.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { emptyShop, euros, expectNoViolations, minutesLater, now, openShop, type Shop } from '../shop.js';
import { follow } from '../shop-api.js';

const database = useDatabase();
const server = useServer(database);
let shop: Shop;

interface Person {
  readonly id: string;
  readonly token: string;
}
let ann: Person;
let bob: Person;

async function member(name: string): Promise<Person> {
  const user = await addPerson(database.db, name, ['MEMBER']);
  return { id: user._id, token: (await beginTestSession(database.db, server.services.config, user)).token };
}

beforeAll(async () => {
  [ann, bob] = [await member('ann'), await member('bob')];
});

beforeEach(async () => {
  await emptyShop(database.db);
  await database.db.collection('audit').deleteMany({});
  shop = await openShop(database.db);
});

/** Sends a request as an administrator unless another token is given. */
async function ask<T>(operation: string, token?: string | null) {
  const { data, errors } = await server.request<{ answer: T }>(operation, {}, token);
  return { answer: data?.answer as T, code: errors?.[0]?.extensions.code };
}
const query = <T>(field: string, token?: string | null) => ask<T>(`{ answer: ${field} }`, token);
const open = (input: string, token?: string) =>
  ask<{ id: string; owner: string }>(
    `mutation { answer: openAccount(${input}) { id owner balance { amount } } }`,
    token,
  );
const accountOf = async (owner: string, balance: number) =>
  toGlobalId('Account', (await shop.open(balance, owner))._id);

describe('a member', () => {
  it('opens an empty account for themselves, and no other', async () => {
    const owner = toGlobalId('User', bob.id);
    expect((await open('input: { openingBalance: { amount: 5, currency: "EUR" } }', ann.token)).code).toBe('FORBIDDEN');
    expect((await open(`input: { owner: "${owner}" }`, ann.token)).code).toBe('FORBIDDEN');
    expect((await open('input: {}', bob.token)).answer).toMatchObject({ owner, balance: { amount: 0 } });
  });

  it('reads their own accounts; other members and visitors do not', async () => {
    const account = await accountOf(ann.id, 500);
    const read = (token?: string | null) => query(`account(id: "${account}") { balance { amount } }`, token);
    for (const token of [ann.token, server.token])
      expect((await read(token)).answer).toEqual({ balance: { amount: 500 } });
    expect((await read(bob.token)).answer).toBeNull();
    expect((await read(null)).code).toBe('UNAUTHENTICATED');
    for (const token of [bob.token, null])
      expect((await query(`node(id: "${account}") { id }`, token)).answer).toBeNull();
    const own = (token: string) => query('accounts(own: true) { edges { node { id } } }', token);
    expect((await own(ann.token)).answer).toEqual({ edges: [{ node: { id: account } }] });
    for (const token of [bob.token, server.token]) expect((await own(token)).answer).toEqual({ edges: [] });
  });
});

describe('an administrator', () => {
  it('opens an account with a balance once per key, which is in the audit trail', async () => {
    const petty =
      'input: { owner: "petty cash", openingBalance: { amount: 70, currency: "EUR" } }, idempotencyKey: "k"';
    const { answer: opened } = await open(petty);
    expect(opened).toMatchObject({ owner: 'petty cash', balance: { amount: 70 } });
    expect((await open(petty)).answer).toEqual(opened);
    await open('input: {}'); // an empty account of one's own is not audited
    const trail = await query('auditTrail { edges { node { actor action subject detail } } }');
    const subject = idOfType('Account', opened.id);
    expect(trail.answer).toEqual({
      edges: [{ node: { actor: 'admin@example.org', action: 'ACCOUNT_OPENED', subject, detail: '70 EUR' } }],
    });
  });

  it('opens no account for a user who does not exist', async () => {
    expect((await open(`input: { owner: "${toGlobalId('User', 'gone')}" }`)).code).toBe('BAD_USER_INPUT');
    expect(await accounts(database.db).countDocuments({ owner: 'gone' })).toBe(0);
  });

  it("sees all accounts, with their owners' names", async () => {
    const ids = [await accountOf(ann.id, 1000), await accountOf('gone', 1000), toGlobalId('Account', STORE_ACCOUNT)];
    const names = await Promise.all(ids.map((id) => query(`account(id: "${id}") { ownerName }`)));
    expect(names.map(({ answer }) => answer)).toEqual(['ann', '', 'The store'].map((ownerName) => ({ ownerName })));
    const { answer } = await query<{ edges: { node: { id: string } }[] }>('accounts { edges { node { id } } }');
    expect(answer.edges.map(({ node }) => node.id).toSorted()).toEqual(ids.toSorted());
  });
});

describe('the sum of all money', () => {
  it('stays below 2^53, even if accounts are opened concurrently, so that every balance and sum is exact', async () => {
    const act = { actor: 'ada@example.org', address: '::1', at: now, keptUntil: minutesLater(1) };
    const opening = { owner: null, name: 'rich', opening: euros(AMOUNT_MAX) };
    const openRich = (id: string) => openAccountAs(database.db, act, { id, ...opening });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => openRich(`rich-${n}`)));
    const opened = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(outcomes.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code)).toEqual(
      Array(10 - opened).fill('LIMIT_EXCEEDED'),
    );
    expect(opened).toBe(9);
    const [first, ...others] = await accounts(database.db).find({ name: 'rich' }).toArray();
    const to = first?._id ?? '';
    expect(await openRich(to)).toEqual(first); // a retry of its call counts once
    const move = (from: string, amount: number) =>
      transfer(database.db, randomUUID(), { from, to, amount: euros(amount) }, now);
    for (const { _id } of others) await move(_id, AMOUNT_MAX);
    await move((await shop.open(1))._id, 1);
    expect(await shop.balance({ _id: to })).toBe(9 * AMOUNT_MAX + 1);
    await expectNoViolations(database.db);
  });
});

describe('live', () => {
  it('sends the current balance of an account, then its changes', async () => {
    const account = await shop.open(1000, ann.id);
    const id = toGlobalId('Account', account._id);
    const money = await follow(server, `accountChanged(id: "${id}") { account { balance { amount } } }`, ann.token);
    expect(money.first).toEqual({ accountChanged: { account: { balance: { amount: 1000 } } } });
    const paid = { from: account._id, to: STORE_ACCOUNT, amount: euros(1000) };
    await transfer(database.db, randomUUID(), paid, now);
    expect(await money.next()).toEqual({ accountChanged: { account: { balance: { amount: 0 } } } });
  });

  it('sends newly opened accounts: to users their own, to administrators all', async () => {
    const first = await accountOf(ann.id, 1);
    const ids = (token: string) => follow(server, 'accountOpened { reset accounts { id } }', token);
    const [own, all] = [await ids(ann.token), await ids(server.token)];
    expect(own.first).toEqual({ accountOpened: { reset: false, accounts: [{ id: first }] } });
    await accountOf(bob.id, 1);
    const second = await accountOf(ann.id, 1);
    expect(await own.next()).toEqual({ accountOpened: { reset: false, accounts: [{ id: second }] } });
    expect(await all.next()).toMatchObject({ accountOpened: { accounts: [{}] } });
    expect(await all.next()).toEqual({ accountOpened: { reset: false, accounts: [{ id: second }] } });
  });

  it('refuses to show the account of another user', async () => {
    const account = await accountOf(ann.id, 1);
    const refusal = async (token: string | null) => {
      const events = server
        .connect(token)
        .iterate({ query: `subscription { accountChanged(id: "${account}") { cursor } }` });
      return JSON.stringify(await events.next().catch((error: unknown) => error));
    };
    expect(await refusal(bob.token)).toContain('NOT_FOUND');
    expect(await refusal(null)).toContain('UNAUTHENTICATED');
  });
});
