import fc from 'fast-check';
import type { Db } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { isSharded } from '../../src/database/index.js';
import {
  type CountedHit,
  dailyHits,
  type HitUpdates,
  hitUpdates,
  monthlyHits,
} from '../../src/models/analytics/hit.js';
import { hitUpdatesById } from '../../src/models/analytics/hit-by-id.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();

async function apply(db: Db, { daily, monthly }: HitUpdates): Promise<void> {
  if (daily.length > 0) await dailyHits(db).bulkWrite([...daily]);
  if (monthly.length > 0) await monthlyHits(db).bulkWrite([...monthly]);
}

/** All hit documents, and nothing is left. */
async function takeAll(db: Db) {
  const found = {
    days: await dailyHits(db).find().sort({ _id: 1 }).toArray(),
    months: await monthlyHits(db).find().sort({ _id: 1 }).toArray(),
  };
  for (const collection of [dailyHits, monthlyHits]) await db.collection(collection.collectionName).deleteMany({});
  return found;
}

describe('updates of hits by _id alone', () => {
  it('make and change the same documents as those by the shard key', async () => {
    const hit = fc.record({
      site: fc.constantFrom('a.example', 'b.example:8080'),
      page: fc.constantFrom('/', '/a.b', '$where', 'é'),
      at: fc.date({ min: new Date('2026-01-30'), max: new Date('2026-02-02'), noInvalidDate: true }),
      count: fc.integer({ min: -3, max: 3 }),
    });
    const rounds = fc.array(fc.array(hit, { maxLength: 12 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (all: CountedHit[][]) => {
        for (const hits of all) await apply(database.db, hitUpdates(hits));
        const byShardKey = await takeAll(database.db);
        for (const hits of all) await apply(database.db, hitUpdatesById(hitUpdates(hits)));
        expect(await takeAll(database.db)).toEqual(byShardKey);
      }),
      { numRuns: 30 },
    );
  });

  it('name nothing else in their filters', () => {
    const hits = [{ site: 'a.example', page: '/', at: new Date('2026-01-05T10:00:00Z') }];
    const { daily, monthly } = hitUpdatesById(hitUpdates(hits));
    const filters = [...daily, ...monthly].map((each) => 'updateOne' in each && each.updateOne.filter);
    expect(filters).toEqual([{ _id: '20260105/a.example//' }, { _id: '202601/a.example//' }]);
  });

  it('are for databases that are not sharded', async () => {
    expect(await isSharded(database.client)).toBe(false);
  });
});
