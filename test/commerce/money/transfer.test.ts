import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountDocument,
  accounts,
  openAccount,
  STORE_ACCOUNT,
} from '../../../src/models/commerce/money/account.js';
import {
  findTransfer,
  forbidTransfer,
  forgetForbidden,
  settleTransfer,
  type TransferState,
  transactions,
  transfer,
} from '../../../src/models/commerce/money/transfer.js';
import { findTransfersOf } from '../../../src/models/commerce/money/transfer-list.js';
import { checkOut } from '../../../src/models/commerce/orders/checkout.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { Died, dyingDatabase } from '../orders/interruptions.js';
import { emptyShop, euros, expectNoViolations, minutesLater, now, openShop, type Shop } from '../shop.js';

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
  it('moves money, leaves no note, and is listed for both accounts', async () => {
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

  it('takes effect once when it is retried, even concurrently', async () => {
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

  it('may move the whole balance, and no balance becomes negative under concurrent calls', async () => {
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => move(100)));
    expect(outcomes.filter((outcome) => 'state' in outcome)).toHaveLength(10);
    expect(outcomes.filter((outcome) => '__typename' in outcome)).toHaveLength(5);
    expect(await balances()).toEqual([0, 1050]);
    await expectNoViolations(database.db);
  });

  it('loses no money when many concurrent ones go in circles', async () => {
    const all = [ann, bob, await shop.open(0)];
    const pairs = Array.from({ length: 60 }, (_, n) => ({
      from: all[n % 3]?._id ?? '',
      to: all[(n + 1) % 3]?._id ?? '',
    }));
    await Promise.all(pairs.map((pair) => move(7, pair)));
    await expectNoViolations(database.db);
  });
});

describe('a transfer refuses', () => {
  it.each([0, -1, 1.5, 2 ** 53])('an amount of %d', async (amount) => {
    await expect(move(amount)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await balances()).toEqual([1000, 50]);
  });

  it('too little money, a single account, unknown accounts and another currency, and moves nothing', async () => {
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
    // The refusal for lack of money is final, even for another process that continues the call. The transfer is not listed.
    expect(await transactions(database.db).find().toArray()).toMatchObject([
      { amount: 1001, state: 'REVERSED', run: 0 },
    ]);
    expect((await findTransfersOf(database.db, ann._id, { first: 20 })).edges).toEqual([]);
  });

  it('for lack of money permanently, even if another process continues the call when more has arrived', async () => {
    const id = randomUUID();
    expect(await move(1001, { id })).toMatchObject({ __typename: 'InsufficientFunds' });
    await move(50, { from: bob._id, to: ann._id });
    expect(await move(1001, { id })).toMatchObject({ __typename: 'TransferInterrupted' });
    expect(await balances()).toEqual([1050, 0]);
    await expectNoViolations(database.db);
  });
});

describe('a forbidden transfer', () => {
  it('is removed some days after its key, while started transfers are kept', async () => {
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

  it('that was removed is forbidden again for a checkout that was paused for longer', async () => {
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

/** The state left by a process that died, by its last step. */
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

describe('an interrupted transfer', () => {
  it.each([
    ['NEW', false, false, [1000, 50], 'REVERSED'],
    ['NEW', true, false, [1000, 50], 'REVERSED'],
    ['NEW', true, true, [1000, 50], 'REVERSED'],
    ['ROLLBACK', true, true, [1000, 50], 'REVERSED'],
    ['ROLLBACK', true, false, [1000, 50], 'REVERSED'],
    ['COMMIT', true, true, [700, 350], 'RETIRED'],
  ] as const)('%s, debited %s, noted %s, is settled once', async (state, source, destination, expected, end) => {
    const id = await leave(state, { source, destination });
    await shop.recover(new Date(now.getTime() + 1000)); // too early
    expect((await findTransfer(database.db, id))?.state).toBe(state);
    await expectNoViolations(database.db); // the money is in transit
    await Promise.all([shop.recover(minutesLater(5)), settleTransfer(database.db, id, minutesLater(5))]);
    await shop.recover(minutesLater(5));
    expect((await findTransfer(database.db, id))?.state).toBe(end);
    expect(await balances()).toEqual(expected);
    await expectNoViolations(database.db);
  });

  it('is continued by a retry of the call', async () => {
    const id = await leave('NEW', { source: true, destination: true });
    expect(await move(300, { id })).toMatchObject({ state: 'RETIRED', run: 2 });
    expect(await balances()).toEqual([700, 350]);
  });

  it('of the whole balance is continued even if the process that restarted it died before returning the first debit', async () => {
    await move(700, { id: randomUUID() });
    const id = await leave('NEW', { source: true, destination: true });
    await transactions(database.db).updateOne({ _id: id }, { $set: { run: 2 } });
    expect(await move(300, { id })).toMatchObject({ state: 'RETIRED', run: 3 });
    expect(await balances()).toEqual([0, 1050]);
    await expectNoViolations(database.db);
  });

  it('gets back a debit made after it was given up', async () => {
    await leave('REVERSED', { source: true, destination: false });
    await expectNoViolations(database.db);
    await shop.recover(minutesLater(5));
    expect(await balances()).toEqual([1000, 50]);
    await expectNoViolations(database.db);
  });

  it('is never started after it was forbidden', async () => {
    const id = randomUUID();
    await forbidTransfer(database.db, id, { from: ann._id, to: STORE_ACCOUNT, amount: euros(10) }, now);
    expect(await move(10, { id, to: STORE_ACCOUNT })).toMatchObject({ __typename: 'TransferInterrupted' });
    expect(await balances()).toEqual([1000, 50]);
  });
});
