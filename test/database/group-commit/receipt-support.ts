/** What the tests of the group commit share. */

import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { spawnGuarded } from '../../../harness/process.js';
import { projectRoot } from '../../../harness/project-root.js';
import type { TestDatabase } from '../../support/database.js';

interface Budget {
  readonly _id: string;
  readonly left: number;
  readonly spent: number;
}

export const budgets = (db: Db) => db.collection<Budget>('budgets');
export const receiptsOf = async (db: Db, budget: string): Promise<string[]> => {
  const found = await db.collection<{ _id: string; budget: string }>('receipts').find({ budget }).toArray();
  return found.map(({ _id }) => _id).toSorted();
};

export async function openBudget(db: Db, name: string, left: number): Promise<void> {
  await budgets(db).insertOne({ _id: name, left, spent: 0 });
}

/** Each receipt that is stored has taken one unit, and nothing else has. */
export async function expectBalance(db: Db, name: string, total: number): Promise<readonly string[]> {
  const receipts = await receiptsOf(db, name);
  expect(await budgets(db).findOne({ _id: name })).toEqual({
    _id: name,
    left: total - receipts.length,
    spent: receipts.length,
  });
  return receipts;
}

export interface ProgramRun {
  readonly budget: string;
  readonly receipts: number;
  readonly callers: number;
  /** A step and the pass at which it dies. */
  readonly diesAt?: string;
}

/** Runs a process that records receipts. @returns how it ended, and the acknowledged outcomes by receipt */
export async function runProgram(test: TestDatabase, { budget, receipts, callers, diesAt }: ProgramRun) {
  const program = join(projectRoot, 'test/database/group-commit/receipt-program.mjs');
  const args = [program, test.uri, test.db.databaseName, budget, String(receipts), String(callers)];
  if (diesAt) args.push(diesAt);
  const { child, ended } = await spawnGuarded(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('The program has no output');
  const lines = (await text(child.stdout)).split('\n').filter((line) => line.endsWith('D') || line.endsWith('P'));
  const acknowledged = new Map(lines.map((line) => line.split(' ') as [string, string]));
  return { ...(await ended), acknowledged };
}
