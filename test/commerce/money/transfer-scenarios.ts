/** Transfers that are rolled back, restarted or recovered while the process dies: no cent is lost or created. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { administrator } from '../../../harness/product.js';
import { performOnce } from '../../../src/database/writes/idempotency.js';
import { openAccount } from '../../../src/models/commerce/money/account.js';
import { DAY_MS } from '../../../src/shared/time.js';
import type { Scenario } from '../../crash/scenario.js';
import { callJobs, letTimePass, letWorkersRun } from '../../crash/workers.js';
import { accountId, KEY, outcomeOf, unanswered } from '../crash-shop.js';

interface Accounts {
  readonly from: string;
  readonly to: string;
}

const AMOUNT = 60;
const both: Accounts = { from: 'source', to: 'destination' };

async function open(db: Db, balance = 100): Promise<void> {
  const opening = (amount: number) => ({ amount, currency: 'EUR' });
  await openAccount(db, { id: both.from, owner: null, name: 'from', opening: opening(balance) }, new Date());
  await openAccount(db, { id: both.to, owner: null, name: 'to', opening: opening(0) }, new Date());
}

const move = (key: string) =>
  `transfer(from: "${accountId(both.from)}", to: "${accountId(both.to)}", amount: { amount: ${AMOUNT}, currency: "EUR" }, idempotencyKey: "${key}") { __typename }`;

/** Balances of the two accounts. */
async function balances(db: Db): Promise<number[]> {
  const found = await db.collection<{ _id: string; balance: number }>('accounts').find().toArray();
  return [both.from, both.to].map((id) => found.find(({ _id }) => _id === id)?.balance ?? Number.NaN);
}

async function begin(db: Db, id: string, state: string, at: Date): Promise<void> {
  const moments = { created_at: at, last_modified: at };
  const begun = { _id: id, state, ...both, amount: AMOUNT, currency: 'EUR', run: 1, ...moments };
  await db.collection<{ _id: string }>('transactions').insertOne(begun);
}

/** The state left by a process that died after a step. @param at when it last made progress */
async function leave(
  db: Db,
  id: string,
  state: string,
  notes: { run: number; noted: boolean },
  at = new Date(0),
): Promise<void> {
  await begin(db, id, state, at);
  const accounts = db.collection<{ _id: string; pending: string[] }>('accounts');
  const pending = `${id}#${notes.run}`;
  await accounts.updateOne({ _id: both.from }, { $push: { pending }, $inc: { balance: -AMOUNT } } as object);
  if (notes.noted) await accounts.updateOne({ _id: both.to }, { $push: { pending } });
}

/** A process died after starting the call; now there is too little money, and the process that continues it rolls it back. */
export const transferTakenBack: Scenario<void> = {
  failpoints: {
    'transfer.given-up': 1,
    'transfer.rolled-back': 1,
    'transfer.destination-reversed': 1,
    'transfer.source-reversed': 1,
  },
  environment: { RECOVER_AFTER_SECONDS: '86400' }, // the workers leave it to a retry
  act: unanswered(
    async (db) => {
      await open(db, AMOUNT - 1);
      await begin(db, await claimCall(db), 'NEW', new Date());
      await letTimePass(db);
    },
    () => move(KEY),
  ),
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await balances(db)).toEqual([AMOUNT - 1, 0]);
  },
};

/** A process died after starting the call; the one that continues it dies as well. */
export const transferBegunAgain: Scenario<void> = {
  failpoints: { 'transfer.begun-again': 1 },
  environment: { RECOVER_AFTER_SECONDS: '86400' }, // the workers leave it to a retry
  act: unanswered(
    async (db) => {
      await open(db);
      await leave(db, await claimCall(db), 'NEW', { run: 1, noted: true }, new Date());
      await letTimePass(db);
    },
    () => move(KEY),
  ),
  async judge(product, db) {
    await letTimePass(db);
    expect(await outcomeOf(product, move(KEY))).toEqual({ __typename: 'Transfer' });
    await letWorkersRun(db);
    expect(await balances(db)).toEqual([40, 60]);
  },
};

/** @returns the call's id: its key is claimed as the API does, by a process that never answers */
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

/** An administrator moves other users' money: once committed, the audit trail will record it, whichever process finishes it. */
export const transferRecorded: Scenario<void> = {
  failpoints: { 'transfer.committed': 1, 'transfer.recorded': 1 },
  act: unanswered(
    (db) => open(db),
    () => move(KEY),
  ),
  async judge(product, db) {
    await letWorkersRun(db);
    await letTimePass(db);
    expect(await outcomeOf(product, move(KEY))).toEqual({ __typename: 'Transfer' });
    expect(await balances(db)).toEqual([40, 60]);
    const told = { action: 'MONEY_TRANSFERRED', actor: administrator.email, on_behalf_of: 'from', detail: '60 EUR to' };
    const trail = db.collection('audit').find({ action: told.action });
    expect(await trail.toArray()).toEqual([expect.objectContaining(told)]);
  },
};

/** A stuck transfer, and a debit that arrived after its transfer was reversed. */
async function leaveTransfers(db: Db): Promise<void> {
  await open(db);
  await leave(db, 'stuck', 'COMMIT', { run: 1, noted: true });
  const source = { _id: both.from as never };
  await db.collection('accounts').updateOne(source, { $inc: { balance: 100, opened_with: 100 } });
  await leave(db, 'stray', 'REVERSED', { run: 1, noted: false });
}

/** A worker that dies while it recovers them. */
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

/** A server that dies during its jobs: others take them over. */
export const jobsInterrupted: Scenario<void> = {
  failpoints: { 'recovery.leased': 20 }, // earlier ones are passed while the server starts
  environment: { RECOVER_AFTER_SECONDS: '1' },
  async act(product, db) {
    await leaveTransfers(db);
    await callJobs(db, product);
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await balances(db)).toEqual([140, 60]);
  },
};
