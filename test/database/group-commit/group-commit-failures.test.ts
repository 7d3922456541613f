/** Commands that fail, commits whose outcome is unknown, and processes that die: each receipt still counts once. */
import { type Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GroupCommit, isOutcomeUnknown, outcomeOf, SeparateRecords } from '../../../src/database/index.js';
import { useDatabase } from '../../support/database.js';
import { expectBalance, openBudget, receiptsOf, runProgram } from './receipt-support.js';
import { type Receipt, receiptGroups } from './receipts.mjs';

const test = useDatabase({ checked: false }); // its collections are those of the tests
const RECEIPTS = 6;

beforeAll(async () => {
  await test.db.createCollection('receipts');
  await test.db.createCollection('budgets');
});

describe('a group commit whose commands fail', () => {
  const appName = `sextant-receipts-${process.pid}`; // other tests use the same server
  let client: MongoClient;
  let budget = '';
  let budgetsMade = 0;

  beforeAll(async () => {
    client = await MongoClient.connect(test.uri, { appName, writeConcern: { w: 'majority' } });
  });
  afterAll(() => client.close());
  beforeEach(async () => {
    budgetsMade += 1;
    budget = `failing${budgetsMade}`;
    await openBudget(test.db, budget, 10);
  });
  afterEach(() => failing('off', {}));

  const failing = (mode: Document | string, data: Document) =>
    test.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data: { ...data, appName } });

  async function sendAll() {
    const db = client.db(test.db.databaseName);
    const commit = new GroupCommit(
      receiptGroups(db, () => undefined, SeparateRecords),
      { db, waitingMax: 1000 },
    );
    const receipts: Receipt[] = Array.from({ length: RECEIPTS }, (_, id) => ({ id: `${budget}-${id}`, budget }));
    const answers = await Promise.allSettled(
      receipts.map(async (receipt) => {
        const [result] = await commit.record([receipt], 'MAJORITY');
        return result && outcomeOf(result, receipt);
      }),
    );
    await commit.close();
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason));
  }

  const transient = ['TransientTransactionError'];
  it.each([
    ['an insert conflicts', { failCommands: ['insert'], errorCode: 112, errorLabels: transient }],
    ['the connection breaks before an update', { failCommands: ['update'], closeConnection: true }],
    ['the connection breaks before the commit', { failCommands: ['commitTransaction'], closeConnection: true }],
    ['the commit fails transiently', { failCommands: ['commitTransaction'], errorCode: 112, errorLabels: transient }],
    [
      'the commit is applied, and its outcome is unknown',
      { failCommands: ['commitTransaction'], writeConcernError: { code: 64, errmsg: 'waiting' } },
    ],
    ['the transaction is ended during its commit', { failCommands: ['commitTransaction'], errorCode: 11601 }],
    [
      'the primary has stepped down at the commit',
      { failCommands: ['commitTransaction'], errorCode: 10107, errorLabels: ['RetryableWriteError'] },
    ],
  ])('records each receipt once when %s twice', async (_case, data) => {
    await failing({ times: 2 }, data);
    expect(await sendAll()).toEqual(Array(RECEIPTS).fill('RECORDED'));
    expect(await expectBalance(test.db, budget, 10)).toHaveLength(RECEIPTS);
  });

  it('tells its callers that the outcome is unknown when that of the commit stays so; a retry finds it', async () => {
    await failing('alwaysOn', {
      failCommands: ['commitTransaction'],
      writeConcernError: { code: 64, errmsg: 'waiting' },
    });
    expect((await sendAll()).map(isOutcomeUnknown)).toEqual(Array(RECEIPTS).fill(true));
    await failing('off', {});
    expect(await sendAll()).toEqual(Array(RECEIPTS).fill('REPEATED'));
    expect(await expectBalance(test.db, budget, 10)).toHaveLength(RECEIPTS);
  });

  it('tells its callers that nothing was written when the primary stays lost; a retry records it', async () => {
    await failing('alwaysOn', { failCommands: ['insert'], errorCode: 10107, errorLabels: transient });
    for (const error of await sendAll()) {
      expect(error).toMatchObject({
        code: 'DATABASE_UNAVAILABLE',
        message: 'The database did not respond, and the receipt was not recorded',
        details: { outcome: 'NOT_RECORDED' },
      });
    }
    expect(await expectBalance(test.db, budget, 10)).toEqual([]);
    await failing('off', {});
    expect(await sendAll()).toEqual(Array(RECEIPTS).fill('RECORDED'));
    expect(await expectBalance(test.db, budget, 10)).toHaveLength(RECEIPTS);
  });
});

describe('two processes', () => {
  it('record a receipt once between them, and never take more than a budget has', async () => {
    await openBudget(test.db, 'shared', 150);
    const run = { budget: 'shared', receipts: 200, callers: 20 };
    const ends = await Promise.all([runProgram(test, run), runProgram(test, run)]);
    expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
    const outcomes = ends.map(({ acknowledged }) => acknowledged);
    const recordedBy = (id: string) => outcomes.filter((each) => each.get(id) === 'RECORDED').length;
    const ids = Array.from({ length: 200 }, (_, id) => `shared-${id}`);
    const stored = await expectBalance(test.db, 'shared', 150);
    expect(stored).toHaveLength(150);
    expect(ids.filter((id) => recordedBy(id) === 1).toSorted()).toEqual(stored);
    expect(ids.filter((id) => recordedBy(id) > 1)).toEqual([]);
  });
});

describe('a process that dies', () => {
  it.each(['inserted:3', 'taken:3', 'committed:3'])(
    'at %s has stored what it acknowledged, and nothing in part; another one completes the rest',
    async (diesAt) => {
      const budget = `dying-${diesAt.replace(':', '-')}`;
      await openBudget(test.db, budget, 40);
      const run = { budget, receipts: 50, callers: 6 };
      const died = await runProgram(test, { ...run, diesAt });
      expect(died).toMatchObject({ signal: 'SIGKILL' });
      const stored = new Set(await expectBalance(test.db, budget, 40));
      const acknowledged = [...died.acknowledged].filter(([, outcome]) => outcome === 'RECORDED').map(([id]) => id);
      expect(acknowledged.length).toBeGreaterThan(0); // two groups were committed before
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      const completed = await runProgram(test, run);
      expect(completed).toMatchObject({ code: 0 });
      const count = (outcome: string) => [...completed.acknowledged.values()].filter((one) => one === outcome).length;
      expect(count('REPEATED')).toBe(stored.size);
      expect(count('RECORDED')).toBe(40 - stored.size);
      expect(count('BUDGET_USED_UP')).toBe(10);
      expect(await receiptsOf(test.db, budget)).toHaveLength(40);
    },
  );
});
