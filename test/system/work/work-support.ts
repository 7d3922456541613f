/** Background work of a throwaway kind. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { beforeEach } from 'vitest';
import { defineCollection } from '../../../src/database/index.js';
import type { OpenDomain } from '../../../src/models/domain.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { recordRows } from '../../../src/models/system/work/data-import.js';
import { WorkLoop, type WorkLoopOptions } from '../../../src/models/system/work/work-loop.js';
import { startWork } from '../../../src/models/system/work/work-start.js';
import type { HeldWork, WorkDocument, WorkKind } from '../../../src/models/work.js';
import type { Services } from '../../../src/server/index.js';
import type { TestDatabase } from '../../support/database.js';
import { COUNTED, type CountingInput, makeCountingKind } from './counting-kind.mjs';

export const counted = defineCollection<{ _id: string }>(COUNTED);
export const countingKind = makeCountingKind({ recordRows });

/** A kind that does what the test says. */
export const kindOf = (name: string, run: (held: HeldWork) => Promise<void>): WorkKind => ({
  name,
  type: 'DataImport',
  run,
});

/** Adds a kind of work to the domains of a running test server. */
export function offerWork({ domains }: Pick<Services, 'domains'>, kind: WorkKind): void {
  const nothing = {
    collections: [],
    services: {},
    recoveryWorkers: [],
    jobs: [],
    metrics: [],
    countsHits: async () => false,
    adPlaceOf: async () => null,
  };
  const domain: OpenDomain = { ...nothing, name: 'throwaway', workKinds: [kind], close: async () => undefined };
  (domains as OpenDomain[]).push(domain);
}

/** The numbers that an import has stored, in order. */
export async function numbersOf(db: Db, id: string): Promise<number[]> {
  const found = await counted(db)
    .find({ _id: { $gte: `${id}.`, $lt: `${id}/` } })
    .sort({ _id: 1 })
    .toArray();
  return found.map(({ _id }) => Number(_id.slice(id.length + 1)));
}

/** The numbers that an import of so many rows stores. */
export const notTenths = (rows: number): number[] =>
  Array.from({ length: rows }, (_, number) => number).filter((number) => number % 10 !== 9);

/** Call next to `useDatabase`. Each test starts without work. */
export function useWork(database: TestDatabase) {
  beforeEach(async () => {
    await backgroundWork(database.db).deleteMany({ kind: { $ne: 'other' } });
  });
  const loopOf = (kinds: readonly WorkKind[] = [countingKind], options: Partial<WorkLoopOptions> = {}): WorkLoop =>
    new WorkLoop(database.db, kinds, {
      holder: randomUUID(),
      now: () => new Date(),
      onFault: (error) => {
        throw error;
      },
      leaseMs: 2000,
      ...options,
    });
  const start = (
    kind: Pick<WorkKind, 'name' | 'type'> = countingKind,
    { owner = null, input = { rows: 45, batch: 20 }, at = new Date() }: StartOptions = {},
  ): Promise<WorkDocument> =>
    startWork(database.db, { id: randomUUID(), kind, owner, input, file: { name: 'numbers.txt', bytes: 45 } }, at);
  return { loopOf, start, find: (id: string) => backgroundWork(database.db).findOne({ _id: id }) };
}

interface StartOptions {
  readonly owner?: string | null;
  readonly input?: CountingInput;
  readonly at?: Date;
}
