import fc from 'fast-check';
import type { Db } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { commitConcernOf, inTransaction, isSharded, updateInTransaction } from '../../../src/database/index.js';
import { type CountedHit, dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { statementsOf } from '../../../src/models/analytics/hits/hit-statements.js';
import { useDatabase } from '../../support/database.js';

const database = useDatabase();

async function apply(hits: readonly CountedHit[], sharded = false): Promise<void> {
  const { daily, monthly } = statementsOf(hits, sharded);
  await inTransaction(database.db, commitConcernOf.MAJORITY, async (session) => {
    await updateInTransaction(database.db, dailyHits.collectionName, daily, session);
    await updateInTransaction(database.db, monthlyHits.collectionName, monthly, session);
  });
}

/** Returns all hit documents and removes them. */
async function takeAll(db: Db) {
  const found = {
    days: await dailyHits(db).find().sort({ _id: 1 }).toArray(),
    months: await monthlyHits(db).find().sort({ _id: 1 }).toArray(),
  };
  for (const collection of [dailyHits, monthlyHits]) await db.collection(collection.collectionName).deleteMany({});
  return found;
}

describe('updates of hits as plain statements', () => {
  it('create and change the same documents by _id alone as by the shard key', async () => {
    const hit = fc.record({
      site: fc.constantFrom('a.example', 'b.example:8080'),
      page: fc.constantFrom('/', '/a.b', '$where', 'é'),
      at: fc.date({ min: new Date('2026-01-30'), max: new Date('2026-02-02'), noInvalidDate: true }),
      count: fc.integer({ min: -3, max: 3 }),
    });
    const rounds = fc.array(fc.array(hit, { maxLength: 12 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (all: CountedHit[][]) => {
        for (const hits of all) await apply(hits, true);
        const byShardKey = await takeAll(database.db);
        for (const hits of all) await apply(hits, false);
        expect(await takeAll(database.db)).toEqual(byShardKey);
      }),
      { numRuns: 30 },
    );
  });

  it('leave zeros where hits are undone', async () => {
    const hit = (page: string, count: number) => ({
      site: 'a.example',
      page,
      at: new Date('2026-01-05T10:20:00Z'),
      count,
    });
    await apply([hit('/a', 2), hit('/b', 1)]);
    await apply([hit('/a', -2)]);
    const { days } = await takeAll(database.db);
    expect(days.map(({ hourly, minute }) => [hourly, minute])).toEqual([
      [{ 10: 0 }, { 10: { 20: 0 } }],
      [{ 10: 1 }, { 10: { 20: 1 } }],
    ]);
  });

  it('filter by _id alone, and on a sharded cluster also by the shard key', async () => {
    const hits = [{ site: 'a.example', page: '/', at: new Date('2026-01-05T10:00:00Z'), count: 1 }];
    const filters = (sharded: boolean) => {
      const { daily, monthly } = statementsOf(hits, sharded);
      return [...daily, ...monthly].map(({ q }) => q);
    };
    expect(filters(false)).toEqual([{ _id: '20260105/a.example//' }, { _id: '202601/a.example//' }]);
    const metadata = { 'metadata.site': 'a.example', 'metadata.page': '/' };
    expect(filters(true)).toEqual([
      { _id: '20260105/a.example//', 'metadata.date': new Date('2026-01-05'), ...metadata },
      { _id: '202601/a.example//', 'metadata.date': new Date('2026-01-01'), ...metadata },
    ]);
    expect(await isSharded(database.client)).toBe(false);
  });
});
