import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountDocument,
  accounts,
  openAccount,
  openAccountAs,
  STORE_ACCOUNT,
} from '../../src/models/commerce/account.js';
import { checkOut } from '../../src/models/commerce/checkout.js';
import { AMOUNT_MAX } from '../../src/models/commerce/money.js';
import {
  findTransfer,
  forbidTransfer,
  forgetForbidden,
  settleTransfer,
  type TransferState,
  transactions,
  transfer,
} from '../../src/models/commerce/transfer.js';
import { findTransfersOf } from '../../src/models/commerce/transfer-list.js';
import { HOUR_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { Died, dyingDatabase } from './interruptions.js';
import { emptyShop, euros, expectNoViolations, minutesLater, now, openShop, type Shop } from './shop.js';

const database = useDatabase();
let shop: Shop;
let ann: AccountDocument;
let bob: AccountDocument;

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  [ann, bob] = [await shop.open(1000), await shop.open(50)];
});

const move = (amount: number, { id = randomUUID() as string, from = ann._id, to = bob._id, at = now } = {}) =>
  transfer(database.db, id, { from, to, amount: euros(amount) }, at);
const balances = async () => [await shop.balance(ann), await shop.balance(bob)];

describe('a transfer', () => {
  it('moves money, leaves no note, and is listed at both accounts', async () => {
    const done = await move(300);
    expect(done).toMatchObject({ state: 'RETIRED', amount: 300 });
    expect(await balances()).toEqual([700, 350]);
    expect(await accounts(database.db).countDocuments({ pending: { $ne: [] } })).toBe(0);
    for (const { _id } of [ann, bob]) {
      const { edges } = await findTransfersOf(database.db, _id, { first: 20 });
      expect(edges.map(({ node }) => node.state)).toEqual(['RETIRED']);
    }
    await expectNoViolations(database.db);
  });

  it('happens once when it is repeated, and when several try it at once', async () => {
    const id = randomUUID();
    await move(300, { id });
    expect(await move(300, { id })).toMatchObject({ state: 'RETIRED' });
    const other = randomUUID();
    await Promise.allSettled(Array.from({ length: 5 }, () => move(100, { id: other })));
    await shop.recover(minutesLater(5));
    expect([
      [700, 350],
      [600, 450],
    ]).toContainEqual(await balances());
    await expectNoViolations(database.db);
  });

  it('may move all there is, and no balance goes below zero when many ask for more than there is', async () => {
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => move(100)));
    expect(outcomes.filter((outcome) => 'state' in outcome)).toHaveLength(10);
    expect(outcomes.filter((outcome) => '__typename' in outcome)).toHaveLength(5);
    expect(await balances()).toEqual([0, 1050]);
    await expectNoViolations(database.db);
  });

  it('goes in circles without loss', async () => {
    const all = [ann, bob, await shop.open(0)];
    const pairs = Array.from({ length: 60 }, (_, n) => ({
      from: all[n % 3]?._id ?? '',
      to: all[(n + 1) % 3]?._id ?? '',
    }));
    await Promise.all(pairs.map((pair) => move(7, pair)));
    await expectNoViolations(database.db);
  });
});

describe('what a transfer refuses', () => {
  it.each([0, -1, 1.5, 2 ** 53])('is an amount of %d', async (amount) => {
    await expect(move(amount)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await balances()).toEqual([1000, 50]);
  });

  it('is told before anything is written', async () => {
    const dollars = await openAccount(
      database.db,
      { id: 'dollars', owner: null, opening: { amount: 5, currency: 'USD' } },
      now,
    );
    expect(await move(1001)).toMatchObject({ __typename: 'InsufficientFunds', balance: euros(1000) });
    expect(await move(1, { to: ann._id })).toMatchObject({ __typename: 'SameAccount' });
    expect(await move(1, { to: 'none' })).toMatchObject({ __typename: 'AccountNotFound' });
    expect(await move(1, { from: 'none' })).toMatchObject({ __typename: 'AccountNotFound' });
    expect(await move(1, { to: dollars._id })).toMatchObject({ __typename: 'CurrencyMismatch' });
    expect(await balances()).toEqual([1000, 50]);
    // That there was too little must stand, also for another one who carries the call on: nothing of it is listed.
    expect(await transactions(database.db).find().toArray()).toMatchObject([
      { amount: 1001, state: 'REVERSED', run: 0 },
    ]);
    expect((await findTransfersOf(database.db, ann._id, { first: 20 })).edges).toEqual([]);
  });

  it('that was refused for want of money stays refused, whoever carries the same call on when more has come', async () => {
    const id = randomUUID();
    expect(await move(1001, { id })).toMatchObject({ __typename: 'InsufficientFunds' });
    await move(50, { from: bob._id, to: ann._id });
    expect(await move(1001, { id })).toMatchObject({ __typename: 'TransferInterrupted' });
    expect(await balances()).toEqual([1050, 0]);
    await expectNoViolations(database.db);
  });
});

describe('a transfer that was forbidden', () => {
  it('is forgotten some days after its key, and those that were begun stay', async () => {
    const [refused, done, undone] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await move(1001, { id: refused })).toMatchObject({ __typename: 'InsufficientFunds' });
    await move(5, { id: done });
    const input = { from: ann._id, to: bob._id, amount: euros(5) };
    await transfer(dyingDatabase(database.db, 1), undone, input, now).catch(() => undefined);
    await settleTransfer(database.db, undone, now);
    const keepMs = 24 * HOUR_MS;
    const ids = async () => (await transactions(database.db).find().toArray()).map(({ _id }) => _id).toSorted();

    await forgetForbidden(database.db, keepMs, minutesLater(4 * 24 * 60));
    expect(await ids()).toEqual([refused, done, undone].toSorted());
    await forgetForbidden(database.db, keepMs, minutesLater(4 * 24 * 60 + 1));
    expect(await ids()).toEqual([done, undone].toSorted());
    expect(await balances()).toEqual([995, 55]);
    await expectNoViolations(database.db);
  });

  it('and is forgotten is forbidden again for a checkout that has slept for longer', async () => {
    await shop.stock('A', 10);
    const cart = await shop.start();
    await shop.add(cart, { sku: 'A' });
    const dying = checkOut(
      dyingDatabase(database.db, 1),
      shop.store.payment,
      { call: 'slept', cartId: cart._id, account: ann._id, owner: null },
      now,
    );
    await expect(dying).rejects.toBeInstanceOf(Died);
    const payment = { from: ann._id, to: 'store', amount: euros(100), kind: 'PAYMENT' } as const;
    await forbidTransfer(database.db, 'slept', payment, now);
    const later = minutesLater(5 * 24 * 60);
    await forgetForbidden(database.db, 24 * HOUR_MS, later);
    expect(await transactions(database.db).countDocuments()).toBe(0);
    await shop.recover(later);
    expect(await transactions(database.db).findOne({ _id: 'slept' })).toMatchObject({ state: 'REVERSED', run: 0 });
    expect(await balances()).toEqual([1000, 50]);
    await expectNoViolations(database.db);
  });
});

describe('all the money there is', () => {
  it('stays below 2^53, however many accounts are opened at once, so that every balance and every sum is exact', async () => {
    const act = { actor: 'ada@example.org', address: '::1', at: now, keptUntil: minutesLater(1) };
    const opening = { owner: null, name: 'rich', opening: euros(AMOUNT_MAX) };
    const open = (id: string) => openAccountAs(database.db, act, { id, ...opening });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => open(`rich-${n}`)));
    const opened = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(outcomes.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code)).toEqual(
      Array(10 - opened).fill('LIMIT_EXCEEDED'),
    );
    expect(opened).toBe(9);
    const [first] = await accounts(database.db).find({ name: 'rich' }).toArray();
    expect(await open(first?._id ?? '')).toEqual(first); // repeated by its call, it counts once
    const rich = await accounts(database.db).find({ name: 'rich' }).toArray();
    for (const { _id } of rich.slice(1)) await move(AMOUNT_MAX, { from: _id, to: first?._id ?? '' });
    await move(1, { to: first?._id ?? '' });
    expect(await shop.balance({ _id: first?._id ?? '' })).toBe(9 * AMOUNT_MAX + 1);
    await expectNoViolations(database.db);
  });
});

/** What a process that died has left, by the last step that it made. */
const leave = async (state: TransferState, noted: { source: boolean; destination: boolean }, run = 1) => {
  const id = randomUUID();
  const pending = `${id}#${run}`;
  await transactions(database.db).insertOne({
    _id: id,
    state,
    from: ann._id,
    to: bob._id,
    amount: 300,
    currency: 'EUR',
    run: 1,
    created_at: now,
    last_modified: now,
  });
  if (noted.source)
    await accounts(database.db).updateOne({ _id: ann._id }, { $push: { pending }, $inc: { balance: -300 } });
  if (noted.destination) await accounts(database.db).updateOne({ _id: bob._id }, { $push: { pending } });
  return id;
};

describe('a transfer that was left', () => {
  it.each([
    ['NEW', false, false, [1000, 50], 'REVERSED'],
    ['NEW', true, false, [1000, 50], 'REVERSED'],
    ['NEW', true, true, [1000, 50], 'REVERSED'],
    ['ROLLBACK', true, true, [1000, 50], 'REVERSED'],
    ['ROLLBACK', true, false, [1000, 50], 'REVERSED'],
    ['COMMIT', true, true, [700, 350], 'RETIRED'],
  ] as const)(
    '%s, debited %s, noted %s, is brought to its end once',
    async (state, source, destination, expected, end) => {
      const id = await leave(state, { source, destination });
      await shop.recover(new Date(now.getTime() + 1000)); // too early
      expect((await findTransfer(database.db, id))?.state).toBe(state);
      await expectNoViolations(database.db); // the money is on its way
      await Promise.all([shop.recover(minutesLater(5)), settleTransfer(database.db, id, minutesLater(5))]);
      await shop.recover(minutesLater(5));
      expect((await findTransfer(database.db, id))?.state).toBe(end);
      expect(await balances()).toEqual(expected);
      await expectNoViolations(database.db);
    },
  );

  it('is carried on by whoever repeats the call', async () => {
    const id = await leave('NEW', { source: true, destination: true });
    expect(await move(300, { id })).toMatchObject({ state: 'RETIRED', run: 2 });
    expect(await balances()).toEqual([700, 350]);
  });

  it('is carried on with all there is, also when whoever began it again died before the first debit was returned', async () => {
    await move(700, { id: randomUUID() });
    const id = await leave('NEW', { source: true, destination: true });
    await transactions(database.db).updateOne({ _id: id }, { $set: { run: 2 } });
    expect(await move(300, { id })).toMatchObject({ state: 'RETIRED', run: 3 });
    expect(await balances()).toEqual([0, 1050]);
    await expectNoViolations(database.db);
  });

  it('with a debit that came after it was given up, gets it back', async () => {
    await leave('REVERSED', { source: true, destination: false });
    await expectNoViolations(database.db);
    await shop.recover(minutesLater(5));
    expect(await balances()).toEqual([1000, 50]);
    await expectNoViolations(database.db);
  });

  it('is never begun after it was forbidden', async () => {
    const id = randomUUID();
    await forbidTransfer(database.db, id, { from: ann._id, to: STORE_ACCOUNT, amount: euros(10) }, now);
    expect(await move(10, { id, to: STORE_ACCOUNT })).toMatchObject({ __typename: 'TransferInterrupted' });
    expect(await balances()).toEqual([1000, 50]);
  });
});
