import { beforeEach, describe, expect, it } from 'vitest';
import { dailyHits, type Hit, HitTally, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { createHitRecorder } from '../../../src/models/analytics/hits/hit-recorder.js';
import {
  createPreAllocation,
  preAllocate,
  preAllocationProbability,
} from '../../../src/models/analytics/hits/pre-allocation.js';
import { useDatabase } from '../../support/database.js';

const database = useDatabase();
const today = new Date('2026-01-30T12:00:00Z');
const dayMs = 86_400_000;
const hit = (page: string, at = today): Hit => ({ site: 'example.org', page, at });
const tally = (page: string, count: number, at = today) => {
  const hits = new HitTally();
  hits.add(hit(page, at), count);
  return hits.days;
};

beforeEach(async () => {
  await dailyHits(database.db).deleteMany({});
  await monthlyHits(database.db).deleteMany({});
});

describe('pre-allocating the documents of a day', () => {
  it('gives every counter of the day and of its month the value 0', async () => {
    await preAllocate(database.db, hit('/a', new Date('2026-02-01T05:00:00Z')));
    const [day] = await dailyHits(database.db).find().toArray();
    const [month] = await monthlyHits(database.db).find().toArray();
    expect(day).toMatchObject({ _id: '20260201/example.org//a', metadata: { date: new Date('2026-02-01') } });
    expect(Object.values(day?.hourly ?? {})).toEqual(Array(24).fill(0));
    expect(Object.values(day?.minute ?? {}).flatMap((minutes) => Object.values(minutes))).toEqual(Array(1440).fill(0));
    expect(month).toMatchObject({ _id: '202602/example.org//a', metadata: { date: new Date('2026-02-01') } });
    expect(Object.values(month?.daily ?? {})).toEqual(Array(31).fill(0));
  });

  it('changes no counts of documents that already have hits, even if repeated', async () => {
    const recorder = createHitRecorder({ client: database.client, db: database.db, waitingMax: 100 });
    await recorder.record([hit('/a'), hit('/a')], 'MAJORITY');
    await preAllocate(database.db, hit('/a'));
    await Promise.all([
      preAllocate(database.db, hit('/a')),
      preAllocate(database.db, hit('/b')),
      preAllocate(database.db, hit('/b')),
      recorder.record([hit('/a'), hit('/b')], 'MAJORITY'),
    ]);
    await recorder.close();
    expect(await dailyHits(database.db).findOne({ _id: '20260130/example.org//a' })).toMatchObject({
      hourly: { 11: 0, 12: 3 },
      minute: { 12: { 0: 3, 1: 0 } },
    });
    expect(await monthlyHits(database.db).findOne({ _id: '202601/example.org//b' })).toMatchObject({
      daily: { 30: 1 },
    });
  });
});

describe('the probability per hit', () => {
  it('is 4 / the hits of the previous day for a busy page, and 1 / 500,000 for others', () => {
    expect(preAllocationProbability(100)).toBe(0.04);
    expect(preAllocationProbability(40_000)).toBe(0.0001);
    expect(preAllocationProbability(99)).toBe(1 / 500_000);
    expect(preAllocationProbability(0)).toBe(1 / 500_000);
  });
});

describe('pre-allocation by a page’s own history', () => {
  const start = (draw: number) => createPreAllocation({ db: database.db, now: () => today, random: () => draw });

  beforeEach(async () => {
    const recorder = createHitRecorder({ client: database.client, db: database.db, waitingMax: 10_000 });
    const yesterday = new Date(+today - dayMs);
    await recorder.record(
      Array.from({ length: 200 }, () => hit('/busy', yesterday)),
      'ACKNOWLEDGED',
    );
    await recorder.record([hit('/quiet', yesterday)], 'ACKNOWLEDGED');
    await recorder.close();
  });
  const tomorrows = () =>
    dailyHits(database.db)
      .find(
        { 'metadata.site': 'example.org', 'metadata.date': new Date('2026-01-31') },
        { projection: { 'metadata.page': 1 } },
      )
      .map(({ metadata }) => metadata.page)
      .toArray();

  it('creates tomorrow’s documents of a busy page when the draw for a hit succeeds, once a day', async () => {
    const preAllocation = start(0.019); // below the probability of 4 / 200 = 0.02
    preAllocation.noticed([...tally('/busy', 1), ...tally('/quiet', 1), ...tally('/new', 1)]);
    await preAllocation.close();
    expect(await tomorrows()).toEqual(['/busy']);
    expect(preAllocation.health).toEqual({ remembered: 3, preAllocated: 1, failed: 0 });
  });

  it('does not create them when the draw fails', async () => {
    const preAllocation = start(0.021);
    preAllocation.noticed(tally('/busy', 1));
    await preAllocation.close();
    expect(await tomorrows()).toEqual([]);
  });

  it('draws again for later hits after failed draws', async () => {
    const draws = [0.9, 0.9, 0.9, 0];
    const random = () => draws.shift() ?? 1;
    const preAllocation = createPreAllocation({ db: database.db, now: () => today, random });
    preAllocation.noticed(tally('/busy', 1));
    await expect.poll(() => draws.length).toBe(3); // yesterday's hits have been read
    for (let i = 0; i < 3; i += 1) {
      preAllocation.noticed(tally('/busy', 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await preAllocation.close();
    expect(await tomorrows()).toEqual(['/busy']);
  });

  it('draws for every hit of a group', async () => {
    const preAllocation = start(0.9); // 1 - 0.98^200 = 0.982
    preAllocation.noticed(tally('/busy', 200));
    await preAllocation.close();
    expect(await tomorrows()).toEqual(['/busy']);
  });

  it('does not draw for hits of other days', async () => {
    const preAllocation = start(0);
    preAllocation.noticed(tally('/busy', 1, new Date(+today - dayMs)));
    await preAllocation.close();
    expect(await tomorrows()).toEqual([]);
  });

  it('draws again after a write failed, and not for every hit', async () => {
    const draws = [0, 0.9, 0, 0.9];
    const random = () => draws.shift() ?? 1;
    const preAllocation = createPreAllocation({ db: database.db, now: () => today, random });
    const refuse = (validator: object) => database.db.command({ collMod: 'hits.daily', validator });
    await refuse({ _id: { $exists: false } });
    preAllocation.noticed(tally('/busy', 1));
    await expect.poll(() => preAllocation.health.failed).toBe(1);
    await refuse({});
    for (const left of [2, 1]) {
      expect(preAllocation.health.preAllocated).toBe(0);
      preAllocation.noticed(tally('/busy', 1));
      await expect.poll(() => draws.length).toBe(left);
    }
    await expect.poll(() => preAllocation.health.preAllocated).toBe(1);
    preAllocation.noticed(tally('/busy', 1)); // done: no more draws
    await preAllocation.close();
    expect(draws).toEqual([0.9]);
    expect(await tomorrows()).toEqual(['/busy']);
  });

  it('is notified of hits written by the recorder', async () => {
    const preAllocation = start(0);
    const recorder = createHitRecorder({ client: database.client, db: database.db, waitingMax: 100, preAllocation });
    await recorder.record([hit('/busy')], 'MAJORITY');
    await recorder.close(); // and the pre-allocation with it
    expect(await tomorrows()).toEqual(['/busy']);
  });
});
