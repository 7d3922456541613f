/** Transfers that are taken back, begun again or recovered while the process dies: no cent is lost or made. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { openAccount } from '../../../src/models/commerce/account.js';
import { performOnce } from '../../../src/models/commerce/idempotency.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { administrator } from '../../support/product.js';
import type { Scenario } from '../scenario.js';
import { accountId, callJobs, KEY, letTimePass, letWorkersRun, mutate, outcomeOf } from './shop.js';

interface Accounts {
  readonly from: string;
  readonly to: string;
}

const AMOUNT = 60;
const both: Accounts = { from: 'source', to: 'destination' };

async function open(db: Db): Promise<void> {
  const opening = (amount: number) => ({ amount, currency: 'EUR' });
  await openAccount(db, { id: both.from, owner: null, name: 'from', opening: opening(100) }, new Date());
  await openAccount(db, { id: both.to, owner: null, name: 'to', opening: opening(0) }, new Date());
}

const move = (key: string) =>
  `transfer(from: "${accountId(both.from)}", to: "${accountId(both.to)}", amount: { amount: ${AMOUNT}, currency: "EUR" }, idempotencyKey: "${key}") { __typename }`;

/** Of the two accounts. */
async function balances(db: Db): Promise<number[]> {
  const found = await db.collection<{ _id: string; balance: number }>('accounts').find().toArray();
  return [both.from, both.to].map((id) => found.find(({ _id }) => _id === id)?.balance ?? Number.NaN);
}

/** What a process has left that died after a step. */
async function leave(db: Db, id: string, state: string, notes: { run: number; noted: boolean }): Promise<void> {
  const moments = { created_at: new Date(0), last_modified: new Date(0) };
  const left = { _id: id, state, ...both, amount: AMOUNT, currency: 'EUR', run: 1, ...moments };
  await db.collection<{ _id: string }>('transactions').insertOne(left);
  const accounts = db.collection<{ _id: string; pending: string[] }>('accounts');
  const pending = `${id}#${notes.run}`;
  await accounts.updateOne({ _id: both.from }, { $push: { pending }, $inc: { balance: -AMOUNT } } as object);
  if (notes.noted) await accounts.updateOne({ _id: both.to }, { $push: { pending } });
}

/** Many ask at once for what suffices for one: the others are taken back after they were begun. */
export const transferTakenBack: Scenario<void> = {
  failpoints: {
    'transfer.given-up': 1,
    'transfer.rolled-back': 1,
    'transfer.destination-reversed': 1,
    'transfer.source-reversed': 1,
  },
  async act(product, db) {
    await open(db);
    await Promise.all(Array.from({ length: 12 }, (_, n) => mutate(product, move(`${KEY} ${n}`))));
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    expect([
      [100, 0],
      [40, 60],
    ]).toContainEqual(await balances(db));
  },
};

/** The call was begun by a process that died; the one that carries it on dies as well. */
export const transferBegunAgain: Scenario<void> = {
  failpoints: { 'transfer.begun-again': 1 },
  async act(product, db) {
    await open(db);
    const call = await claimCall(db);
    await leave(db, call, 'NEW', { run: 1, noted: true });
    await letTimePass(db);
    expect(await mutate(product, move(KEY))).toBeNull();
  },
  async judge(product, db) {
    await letTimePass(db);
    expect(await outcomeOf(product, move(KEY))).toEqual({ __typename: 'Transfer' });
    await letWorkersRun(db);
    expect(await balances(db)).toEqual([40, 60]);
  },
};

/** @returns the call's id: its key is claimed as the API does, by somebody who never answers */
async function claimCall(db: Db): Promise<string> {
  const viewer = await db.collection<{ _id: string; email: string }>('users').findOne({ email: administrator.email });
  const input = { ...both, amount: { amount: AMOUNT, currency: 'EUR' } };
  const once = { scope: viewer?._id ?? '', operation: 'transfer', key: KEY, input, keepMs: DAY_MS };
  return new Promise((resolve) => {
    void performOnce(db, once, new Date(), (call) => {
      resolve(call);
      return new Promise<never>(() => undefined);
    });
  });
}

/** Transfers that did not get on, and a debit that came too late. */
async function leaveTransfers(db: Db): Promise<void> {
  await open(db);
  await leave(db, 'stuck', 'COMMIT', { run: 1, noted: true });
  const source = { _id: both.from as never };
  await db.collection('accounts').updateOne(source, { $inc: { balance: 100, opened_with: 100 } });
  await leave(db, 'stray', 'REVERSED', { run: 1, noted: false });
}

/** A worker that dies while it sees to them. */
export const transferWorker: Scenario<void> = {
  failpoints: {
    'transfer.recovered': 1,
    'transfer.stray-returned': 1,
    'recovery.worked': 1,
    'recovery.released': 1,
  },
  environment: { RECOVER_AFTER_SECONDS: '1' },
  leave: leaveTransfers,
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await balances(db)).toEqual([140, 60]);
  },
};

/** A server that dies in the midst of its jobs: others take them over. */
export const jobsInterrupted: Scenario<void> = {
  failpoints: { 'recovery.leased': 2 },
  environment: { RECOVER_AFTER_SECONDS: '1' },
  async act(product, db) {
    await leaveTransfers(db);
    await callJobs(db, product);
  },
  async judge(_product, db) {
    await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
    await letWorkersRun(db);
    expect(await balances(db)).toEqual([140, 60]);
  },
};
