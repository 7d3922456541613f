/** `sextant recover` dies while it erases what a deleted account has left. In the end nothing is left. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { waitFor } from '../../harness/wait-for.js';
import type { Scenario } from '../crash/scenario.js';
import { leaveTraces, tracesOf } from './erasure-support.js';

const GONE = 'an-account';
const WAIT_MS = 120_000; // two runs of the recovery

const note = (db: Db) =>
  db.collection('people.erasures').insertOne({ _id: GONE as never, requested_at: new Date(Date.now() - 3_600_000) });

const judge = async (_product: unknown, db: Db): Promise<void> => {
  await waitFor('the erasure', WAIT_MS, async () => (await tracesOf(db, GONE)).length === 0 || null);
  expect(await db.collection('accounts').countDocuments({ name: 'Deleted account' })).toBe(
    await db.collection('orders').countDocuments(),
  );
};

export const erasure: Scenario<void> = {
  failpoints: {
    'erasure.batch-changed': 2,
    'erasure.carts-anonymized': 1,
    'erasure.orders-anonymized': 1,
    'erasure.sessions-deleted': 1,
    'erasure.resets-deleted': 1,
    'erasure.assets-anonymized': 1,
    'erasure.export-removed': 1,
    'erasure.work-anonymized': 1,
    'erasure.character-deleted': 1,
    'erasure.domain-erased': 2,
  },
  async leave(db) {
    await leaveTraces(db, GONE);
    await note(db);
  },
  judge,
};

export const erasureEnd: Scenario<void> = {
  failpoints: { 'erasure.ended': 1 },
  async leave(db) {
    await note(db);
  },
  judge,
};
