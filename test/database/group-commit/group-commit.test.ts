/** The group commit, with receipts that take units of budgets. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Durability,
  GroupCommit,
  isOutcomeUnknown,
  outcomeOf,
  SeparateRecords,
} from '../../../src/database/index.js';
import { useDatabase } from '../../support/database.js';
import { budgets, expectBalance, openBudget, receiptsOf } from './receipt-support.js';
import { type Receipt, type ReceiptOutcome, receiptGroups } from './receipts.mjs';

const test = useDatabase({ checked: false }); // its collections are those of the tests
let commit: GroupCommit<Receipt, Receipt, ReceiptOutcome>;
let attempts: (readonly Receipt[])[] = [];
let budget = '';
let budgetsMade = 0;

const open = (options: { waitingMax?: number; groupWaitMaxMs?: number } = {}) => {
  const kind = receiptGroups(
    test.db,
    () => undefined,
    SeparateRecords,
    (entries) => void attempts.push(entries),
  );
  return new GroupCommit(kind, { db: test.db, waitingMax: 1000, ...options });
};

beforeAll(async () => {
  await test.db.createCollection('receipts');
  await test.db.createCollection('budgets');
});
beforeEach(async () => {
  budgetsMade += 1;
  budget = `budget${budgetsMade}`;
  await openBudget(test.db, budget, 5);
  commit = open();
  attempts = [];
});
afterEach(() => commit.close());

const receipt = (id: string | number, more: Partial<Receipt> = {}): Receipt => ({
  id: `${budget}-${id}`,
  budget,
  ...more,
});

async function send(one: Receipt, durability: Durability = 'MAJORITY'): Promise<ReceiptOutcome> {
  const [result] = await commit.record([one], durability);
  if (!result) throw new Error('A group has a result');
  return outcomeOf(result, one);
}

describe('a group', () => {
  it('decides the outcome of each record, and a refused or repeated one does not affect the others', async () => {
    expect(await send(receipt('old'))).toBe('RECORDED');
    const other = `${budget}-other`;
    await openBudget(test.db, other, 1);
    const sent = ['old', 1, 2, 2, 3, 4, 5, 'late'].map((id) => receipt(id));
    const outcomes = await Promise.all([...sent, { id: `${other}-1`, budget: other }].map((one) => send(one)));
    expect(outcomes).toEqual([
      'REPEATED',
      'RECORDED',
      'RECORDED',
      'REPEATED',
      'RECORDED',
      'RECORDED',
      'BUDGET_USED_UP',
      'BUDGET_USED_UP',
      'RECORDED',
    ]);
    expect(commit.health).toEqual({ waiting: 0, groups: 2 });
    expect(await expectBalance(test.db, budget, 5)).toHaveLength(5);
    expect(await expectBalance(test.db, other, 1)).toHaveLength(1);
  });

  it.each([
    ['the database rejects', { damaged: true }, { code: 53 }],
    ['the code cannot handle', { faulty: true }, { message: 'A faulty receipt' }],
  ])('fails only the record that %s', async (_case, fault, error) => {
    const sent = [receipt(1), receipt(2), receipt('bad', fault), receipt(3)];
    const results = await Promise.allSettled(sent.map((one) => send(one)));
    expect(results).toMatchObject([
      { value: 'RECORDED' },
      { value: 'RECORDED' },
      { status: 'rejected', reason: error },
      { value: 'RECORDED' },
    ]);
    expect(await expectBalance(test.db, budget, 5)).toEqual([1, 2, 3].map((id) => `${budget}-${id}`));
  });

  it('takes the records that arrived while the previous one was written, up to its maximum', async () => {
    await budgets(test.db).updateOne({ _id: budget }, { $set: { left: 250 } });
    const outcomes = await Promise.all(Array.from({ length: 250 }, (_, id) => send(receipt(id))));
    expect(outcomes).toEqual(Array(250).fill('RECORDED'));
    expect(attempts.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(await expectBalance(test.db, budget, 250)).toHaveLength(250);
  });

  it.each(['ACKNOWLEDGED', 'JOURNALED', 'MAJORITY'] as const)(
    'is stored when its callers are answered, with the durability %s',
    async (durability) => {
      expect(await send(receipt(1), durability)).toBe('RECORDED');
      expect(await expectBalance(test.db, budget, 5)).toEqual([`${budget}-1`]);
    },
  );

  it('is split when another process keeps writing its documents, and all its records are written', async () => {
    await budgets(test.db).updateOne({ _id: budget }, { $set: { left: 100 } });
    const session = test.client.startSession();
    session.startTransaction();
    await budgets(test.db).updateOne({ _id: budget }, { $set: { by: 'another' } }, { session });
    const outcomes = Promise.all(Array.from({ length: 40 }, (_, id) => send(receipt(id))));
    await expect.poll(() => Math.min(...attempts.map(({ length }) => length))).toBeLessThan(40);
    await session.commitTransaction();
    await session.endSession();
    expect(await outcomes).toEqual(Array(40).fill('RECORDED'));
    expect(await expectBalance(test.db, budget, 100).catch(() => null)).toBeNull(); // the other one's field
    await budgets(test.db).updateOne({ _id: budget }, { $unset: { by: '' } });
    expect(await expectBalance(test.db, budget, 100)).toHaveLength(40);
  });
});

describe('the queue', () => {
  it('is bounded: a record that has no place is refused with SERVER_BUSY and not written', async () => {
    await commit.close();
    commit = open({ waitingMax: 3 });
    const results = await Promise.allSettled([1, 2, 3, 4].map((id) => send(receipt(id))));
    expect(results).toMatchObject([
      { value: 'RECORDED' },
      { value: 'RECORDED' },
      { value: 'RECORDED' },
      { reason: { code: 'SERVER_BUSY', message: 'Too many receipts are waiting to be written' } },
    ]);
    expect(await expectBalance(test.db, budget, 5)).toHaveLength(3);
    expect(await send(receipt(4))).toBe('RECORDED'); // there is room again
  });

  it('is written when the group commit is closed, also what nobody waits for, and then accepts nothing', async () => {
    const sent = [1, 2, 3].map((id) => commit.record([receipt(id)], 'MAJORITY'));
    expect(await commit.record([receipt(4)], 'FIRE_AND_FORGET')).toEqual([]);
    await commit.close();
    expect(await expectBalance(test.db, budget, 5)).toHaveLength(4);
    expect(await Promise.all(sent)).toHaveLength(3);
    await expect(commit.record([receipt(5)], 'MAJORITY')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await receiptsOf(test.db, budget)).toHaveLength(4);
  });
});

describe('a group that takes too long', () => {
  it('has an unknown outcome, its followers are not written, and a retry completes it', async () => {
    await commit.close();
    commit = open({ groupWaitMaxMs: 50 });
    const session = test.client.startSession();
    session.startTransaction();
    await budgets(test.db).updateOne({ _id: budget }, { $inc: { spent: 0, left: 0 }, $set: { by: 'x' } }, { session });
    const first = send(receipt(1)).catch((error: unknown) => error);
    await expect.poll(() => commit.health.waiting).toBe(0);
    const second = send(receipt(2)).catch((error: unknown) => error);
    expect(isOutcomeUnknown(await first)).toBe(true);
    expect(await second).toMatchObject({ code: 'DATABASE_UNAVAILABLE', details: { outcome: 'NOT_RECORDED' } });
    await expect(send(receipt(3))).rejects.toMatchObject({ details: { outcome: 'NOT_RECORDED' } });
    await session.abortTransaction();
    await session.endSession();
    await commit.close(); // the group is written in the end
    commit = open();
    expect(await Promise.all([1, 2].map((id) => send(receipt(id))))).toEqual(['REPEATED', 'RECORDED']);
    expect(await expectBalance(test.db, budget, 5)).toHaveLength(2);
  });
});
