/**
 * A caller who moves money needs the right to the paying account at that moment. Every mutation that moves money is called by everyone
 * who lacks the right, including a user who had it when the order was entered. A mutation that moves money and is missing here fails.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { orders } from '../../../src/models/commerce/orders/order.js';
import { createApiKey, type Scope } from '../../../src/models/people/api-key.js';
import { type Role, users } from '../../../src/models/people/user.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { steps } from '../../server/operations/every-mutation.js';
import { useDatabase } from '../../support/database.js';
import { enumValues } from '../../support/domain/enum-values.js';
import type { Known, MutationStep } from '../../support/domain/mutation-step.js';
import { addPerson, beginTestSession, testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { euros } from '../lists/mutation-steps.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

/** What an attempt needs, prepared by a user who still has the right. */
interface Prepared {
  readonly ann: string;
  /** Ann's account, with money in it. */
  readonly account: string;
  /** An account without a user. */
  readonly till: string;
  /** A cart that is not empty. */
  readonly cart: string;
  /** An order entered at the till and paid from Ann's account. */
  readonly order: string;
  /** A transfer of Ann's money to the account without a user. */
  readonly moved: string;
  /** A draft of a campaign that Ann's account pays for. */
  readonly draft: string;
  /** A campaign that Ann's account has paid for. */
  readonly campaign: string;
}

/** Mutations that take Ann's or the shop's money, or the record of it. */
const moves: Readonly<Record<string, (one: Prepared) => string>> = {
  openAccount: ({ ann }) => `openAccount(input: { owner: "${ann}", openingBalance: ${euros(5)} }) { __typename }`,
  transfer: ({ account, till }) =>
    `transfer(from: "${account}", to: "${till}", amount: ${euros(5)}, idempotencyKey: "t") { __typename }`,
  checkOut: ({ cart, account }) =>
    `checkOut(cartId: "${cart}", payment: { account: "${account}" }, idempotencyKey: "c") { __typename }`,
  raiseOrderQuantity: ({ order }) => `raiseOrderQuantity(orderId: "${order}", sku: "A", by: 1) { __typename }`,
  refundOrder: ({ order }) => `refundOrder(orderId: "${order}") { __typename }`,
  reverseTransfer: ({ moved }) => `reverseTransfer(id: "${moved}", idempotencyKey: "b") { __typename }`,
  startCampaign: ({ draft }) => `startCampaign(id: "${draft}", idempotencyKey: "s") { __typename }`,
  changeCampaign: ({ campaign }) =>
    `changeCampaign(id: "${campaign}", changes: { budget: ${euros(500)} }) { __typename }`,
  deleteOrder: ({ order }) => `deleteOrder(orderId: "${order}") { __typename }`,
};
/** They give back what was not spent, to the account that paid: editors may do that as well. */
const returns = ['endCampaign'];
const REFUSALS = ['AccountNotFound', 'CampaignNotFound', 'OrderNotFound', 'PaymentDeclined', 'TransferNotFound'];
const CODES = ['UNAUTHENTICATED', 'FORBIDDEN'];

let former: { id: string; token: string };

/** All data about money and goods. */
async function books(): Promise<Readonly<Record<string, object[]>>> {
  const names = ['accounts', 'transactions', 'orders', 'carts', 'products'];
  const all = names.map(async (name) => [name, await database.db.collection(name).find().sort({ _id: 1 }).toArray()]);
  return Object.fromEntries(await Promise.all(all));
}

/** Documents that change when money moves, or when a mutation leaves it to the workers to move money later. */
async function money(): Promise<string> {
  const { accounts, transactions, orders } = await books();
  const beingPaid = await database.db.collection('carts').find({ state: 'PENDING' }).toArray();
  return JSON.stringify({ accounts, transactions, orders, beingPaid });
}

async function ask<T>(mutation: string, token: string | null = server.token) {
  const { data, errors } = await server.request<{ answer: T }>(`mutation { answer: ${mutation} }`, {}, token);
  return { answer: data?.answer as T, code: errors?.[0]?.extensions.code };
}

async function tell<T>(mutation: string, token: string): Promise<T> {
  const { answer, code } = await ask<T>(mutation, token);
  expect(code).toBeUndefined();
  return answer;
}

async function prepare(token: string): Promise<Prepared> {
  const ann = toGlobalId('User', (await users(database.db).findOne({ email: 'anna@example.org' }))?._id ?? '');
  const open = (owner: string, amount: number) =>
    tell<{ id: string }>(`openAccount(input: { owner: "${owner}", openingBalance: ${euros(amount)} }) { id }`, token);
  const { id: account } = await open(ann, 100_000);
  const { id: till } = await open('Petty cash', 0);
  const fill = async () => {
    const { id } = await tell<{ id: string }>('startCart { id }', token);
    await tell(`addToCart(cartId: "${id}", sku: "A", quantity: 1) { __typename }`, token);
    return id;
  };
  const paying = `payment: { account: "${account}" }, idempotencyKey: "entered"`;
  const order = `checkOut(cartId: "${await fill()}", ${paying}) { ... on Order { id } }`;
  const { id } = await tell<{ id: string }>(order, token);
  const moving = `from: "${account}", to: "${till}", amount: ${euros(5)}, idempotencyKey: "${account}"`;
  const { id: moved } = await tell<{ id: string }>(`transfer(${moving}) { ... on Transfer { id } }`, token);
  const campaigns = { draft: await draft(token, ann, account), campaign: await draft(token, ann, account) };
  await tell(`startCampaign(id: "${campaigns.campaign}", idempotencyKey: "${account}") { __typename }`, token);
  return { ann, account, till, cart: await fill(), order: id, moved, ...campaigns };
}

async function draft(token: string, ownerId: string, accountId: string): Promise<string> {
  const tellId = async (mutation: string) => (await tell<{ id: string }>(mutation, token)).id;
  const advertiserId = await tellId(`addAdvertiser(input: { name: "Ann", ownerId: "${ownerId}" }) { id }`);
  const flight = `{ to: "${new Date(Date.now() + DAY_MS).toISOString()}" }`;
  const fields = `name: "A", price: ${euros(5)}, budget: ${euros(100)}, flight: ${flight}, placements: [{ site: "a.example", zone: "a" }]`;
  const campaign = `advertiserId: "${advertiserId}", accountId: "${accountId}", ${fields}`;
  const id = await tellId(`createCampaign(input: { ${campaign} }) { ... on Campaign { id } }`);
  const unit = '{ size: "1x1", headline: "A", landingUrl: "https://a.example/" }';
  await tell(`addAdUnit(campaignId: "${id}", input: ${unit}) { __typename }`, token);
  return id;
}

async function signIn(name: string, roles: readonly Role[]) {
  const user = await addPerson(database.db, name, roles);
  return { id: user._id, token: (await beginTestSession(database.db, server.services.config, user)).token };
}

const others: readonly [who: string, role: Role | null][] = [
  ['a member', 'MEMBER'],
  ['an advertiser', 'ADVERTISER'],
  ['an editor of the shop', 'EDITOR'],
  ['a user without a role', null],
];

async function tokenOf(who: string): Promise<string | null> {
  if (who === 'a visitor') return null;
  if (who === 'a former administrator, who entered the order') return former.token;
  if (who === 'a program with every scope')
    return (await createApiKey(database.db, testAct(), { name: 'All', scopes: enumValues('Scope') as Scope[] })).key;
  const role = others.find(([name]) => name === who)?.[1] ?? null;
  return (await signIn(`one-${crypto.randomUUID()}`, role ? [role] : [])).token;
}

let prepared: Prepared;

beforeAll(async () => {
  const saving = `saveProducts(products: [{ sku: "A", title: "A thing", type: "THING", price: ${euros(100)} }]) { saved }`;
  await tell(saving, server.token);
  await tell('restock(sku: "A", quantity: 1000) { available }', server.token);
  await addPerson(database.db, 'anna', ['MEMBER']);
  former = await signIn('former', ['ADMIN']);
  prepared = await prepare(former.token);
  // Like older orders, which do not name who entered them: the order belongs to the user who entered it.
  const order = { _id: idOfType('Order', prepared.order) ?? '' };
  await orders(database.db).updateOne(order, { $set: { owner: former.id }, $unset: { entered_by: '' } });
  await tell(`revokeRole(userId: "${toGlobalId('User', former.id)}", role: ADMIN) { id }`, server.token);
  const people = () => server.request('{ people { edges { cursor } } }', {}, former.token);
  await vi.waitFor(async () => expect((await people()).errors?.[0]?.extensions.code).toBe('FORBIDDEN'));
});

const everybodyElse = [
  'a visitor',
  'a program with every scope',
  'a former administrator, who entered the order',
  ...others.map(([who]) => who),
];

describe.each(Object.keys(moves))('%s', (mutation) => {
  it.each(everybodyElse)('is refused to %s and moves nothing', async (who) => {
    const token = await tokenOf(who);
    const before = await books();
    const { answer, code } = await ask<{ __typename: string }>(moves[mutation]?.(prepared) ?? '', token);
    if (code) expect(CODES).toContain(code);
    else expect(REFUSALS).toContain(answer.__typename);
    expect(await books()).toEqual(before);
  });
});

describe('an administrator', () => {
  it.each(Object.keys(moves))('may: %s', async (mutation) => {
    const here = await prepare(server.token);
    const before = await books();
    const { answer, code } = await ask<{ __typename: string }>(moves[mutation]?.(here) ?? '');
    expect(code).toBeUndefined();
    expect(REFUSALS).not.toContain(answer.__typename);
    expect(await books()).not.toEqual(before);
  });
});

describe('the list of mutations', () => {
  it('includes every mutation that moves money', async () => {
    const known: Known = {};
    const send = async ({ mutation, text, tells, as }: MutationStep) => {
      const token = as && (as === 'visitor' ? null : (known.annToken ?? ''));
      const { data, errors } = await server.request(`mutation { ${mutation} ${text(known)} }`, {}, token);
      expect(errors, mutation).toBeUndefined();
      Object.assign(known, tells?.(data?.[mutation] as Readonly<Record<string, string>>));
    };
    const moved = new Set<string>();
    for (const step of steps) {
      const before = await money();
      await send(step);
      if ((await money()) !== before) moved.add(step.mutation);
    }
    expect([...moved].toSorted()).toEqual([...Object.keys(moves), ...returns].toSorted());
  });

  it('covers every mutation except those with files, emails, receipts and an empty domain', () => {
    const asked = new Set(steps.map(({ mutation }) => mutation));
    const all = Object.keys(makeSchema().getMutationType()?.getFields() ?? {});
    expect(all.filter((name) => !asked.has(name)).toSorted()).toEqual([
      'confirmSignUp',
      'forgetVisitor',
      'importComments',
      'importContent',
      'importLog',
      'importNetwork',
      'importWorld',
      'recordClicks',
      'recordConversion',
      'recordImpressions',
      'replacePhoto',
      'requestPasswordReset',
      'resetPassword',
      'seedDomain',
      'undoImport',
      'undoLogImport',
      'undoSeed',
      'uploadPhoto',
      'uploadPicture',
    ]);
  });
});
