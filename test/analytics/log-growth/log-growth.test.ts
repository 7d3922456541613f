import { beforeEach, describe, expect, it } from 'vitest';
import { keepReadable } from '../../../src/models/analytics/log/log-write.js';
import { findEvents } from '../../../src/models/analytics/log/request-log.js';
import { findLogCollections } from '../../../src/models/analytics/log-growth/log-collections.js';
import { findGrowth, GRACE_MS, type LogGrowthDocument } from '../../../src/models/analytics/log-growth/log-growth.js';
import { changeLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-change.js';
import type { GrowthInput } from '../../../src/models/analytics/log-growth/log-growth-goal.js';
import {
  findLogGrowthViolations,
  type LogGrowthViolation,
} from '../../../src/models/analytics/log-growth/log-growth-invariants.js';
import { planLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-plan.js';
import { completeLog, keepLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-upkeep.js';
import { segmentCollection } from '../../../src/models/analytics/log-growth/log-segment.js';
import { findStorage } from '../../../src/models/system/storage.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
import { describeMoment } from '../../../src/shared/words.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { allPages, change, dropLog, goals, record, strategiesOf } from './log-growth-support.js';

const test = useDatabase();
const site = 'example.org';
const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);
const request = (time = now, more = {}) => ({ site, time, host: '192.0.2.1', path: '/', status: 200, ...more });
const shown = async (at = now) => (await allPages(test.db, { site }, 500, at)).length;
const numbers = ({ segments }: LogGrowthDocument) => segments.map(({ number }) => number);
/** Runs the upkeep as if every process that read earlier settings had finished. */
const keep = (at: Date) => keepLogGrowth(test.db, at, at);

async function violations(): Promise<LogGrowthViolation[]> {
  const found: LogGrowthViolation[] = [];
  for await (const violation of findLogGrowthViolations(test.db)) found.push(violation);
  return found;
}

beforeEach(() => dropLog(test.db));

describe('the growth of a new log', () => {
  it('is unbounded, in one collection', async () => {
    const growth = await findGrowth(test.db);
    expect(growth).toMatchObject({ version: 1, strategy: 'UNBOUNDED', retention: {}, next: 2, change: null });
    expect(await findLogCollections(test.db, growth)).toMatchObject([
      { name: 'log.events', isActive: true, events: 0, oldest: null, newest: null, dropsAt: null },
    ]);
    expect(await violations()).toEqual([]);
  });

  it('is created once by concurrent calls', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => findGrowth(test.db)));
    expect(new Set(all.map((growth) => JSON.stringify(growth))).size).toBe(1);
  });
});

describe('the start of a server', () => {
  it('adopts a log from before growth settings existed, and creates what is missing in its collections', async () => {
    await test.db.collection<{ _id: string }>('log.events').insertOne({ _id: 'old', ...request() });
    await completeLog(test.db);
    expect(await shown()).toBe(1);
    await change(test.db, goals.TTL, now);
    await test.db.collection('log.events').dropIndexes();
    expect(await violations()).toEqual([
      { invariant: 'log-segment-is-complete', subject: 'log.events', expected: 4, found: 0 },
    ]);
    await completeLog(test.db);
    expect(await violations()).toEqual([]);
  });
});

describe('growth settings', () => {
  const hour = { ms: HOUR_MS };
  it.each<[GrowthInput, string]>([
    [{ strategy: 'UNBOUNDED', maxAge: hour }, 'input.maxAge is not supported by UNBOUNDED'],
    [{ strategy: 'CAPPED' }, 'input.maxBytes is required for CAPPED'],
    [{ strategy: 'CAPPED', maxBytes: 1024 ** 2 - 1 }, 'input.maxBytes must be a whole number'],
    [{ strategy: 'CAPPED', maxBytes: 1024 ** 4 + 1 }, 'input.maxBytes must be a whole number'],
    [{ strategy: 'TTL' }, 'input.maxAge is required for TTL'],
    [{ strategy: 'TTL', maxAge: { ms: HOUR_MS - 1000 } }, 'input.maxAge must be whole seconds'],
    [{ strategy: 'TTL', maxAge: { ms: HOUR_MS + 1 } }, 'input.maxAge must be whole seconds'],
    [{ strategy: 'TTL', maxAge: { ms: 3651 * DAY_MS } }, 'input.maxAge must be whole seconds'],
    [{ strategy: 'ROTATED_COLLECTIONS', maxAge: hour }, 'input.collections is required'],
    [{ strategy: 'ROTATED_COLLECTIONS', maxAge: hour, collections: 1 }, 'input.collections must be a whole number'],
    [{ strategy: 'ROTATED_DATABASES', maxAge: hour, collections: 101 }, 'input.collections must be a whole number'],
    [
      { strategy: 'ROTATED_DATABASES', maxAge: hour, collections: 8 },
      'input.collections must be few enough for each to be active for at least 10 minutes',
    ],
    [{ strategy: 'TIME_SERIES', collections: 3 }, 'input.collections is not supported by TIME_SERIES'],
  ])('cannot be %j', async (input, message) => {
    await expect(changeLogGrowth(test.db, testAct(), input, now)).rejects.toThrow(message);
    await expect(planLogGrowth(test.db, input, now)).rejects.toThrow(message);
    expect(await findGrowth(test.db)).toMatchObject({ version: 1, strategy: 'UNBOUNDED' });
  });
});

describe('a change of the growth settings', () => {
  it('adds a collection with all its indexes, and recorded requests are still shown', async () => {
    await record(test.db, [request(), request(later(-DAY_MS))], now);
    const growth = await change(test.db, goals.TTL, now);
    expect(growth).toMatchObject({ strategy: 'TTL', retention: { max_age_ms: 3650 * DAY_MS }, change: null });
    expect(numbers(growth)).toEqual([1, 2]);
    await record(test.db, [request()], now);
    expect(await shown()).toBe(3);
    expect(await findLogCollections(test.db, growth)).toMatchObject([
      { name: 'log.events_2', isActive: true, events: 1 },
      { name: 'log.events', isActive: false, events: 2, oldest: later(-DAY_MS), newest: now },
    ]);
    const indexes = await test.db.collection('log.events_2').listIndexes().toArray();
    expect(indexes.find(({ name }) => name === 'time_1')?.expireAfterSeconds).toBe((3650 * DAY_MS) / 1000);
    expect(await violations()).toEqual([]);
    expect(await findStorage(test.db, 'log.events')).toMatchObject({ documents: 3 });
  });

  it('can be planned in advance, which changes nothing', async () => {
    await record(test.db, [request(later(-3 * DAY_MS)), request(later(-2 * DAY_MS)), request()], now);
    const plan = await planLogGrowth(test.db, { strategy: 'TTL', maxAge: { ms: DAY_MS } }, now);
    expect(plan).toEqual({
      steps: [
        'Nothing is copied or moved: requests in log.events stay there and can still be read.',
        'log.events_2 is created with 5 indexes; the database removes each request 1 day after its time.',
        'From then on new requests are written there. Reads and writes are not interrupted.',
        `Requests from before ${describeMoment(later(-DAY_MS))} are no longer shown. This limit moves forward with time.`,
        'An older collection is dropped when everything in it is outside of the window.',
      ],
      eventsOutside: 2,
      keptFrom: later(-DAY_MS),
      newCollection: 'log.events_2',
    });
    expect(await findGrowth(test.db)).toMatchObject({ version: 1, strategy: 'UNBOUNDED' });
    await change(test.db, { strategy: 'TTL', maxAge: { ms: DAY_MS } }, now);
    expect(await shown()).toBe(1);
  });

  it.each<[GrowthInput, string]>([
    [
      { strategy: 'CAPPED', maxBytes: 1.5 * 1024 ** 3 },
      'is created with 4 indexes; when it holds 1.5 GiB, new requests replace the oldest ones.',
    ],
    [{ strategy: 'ROTATED_COLLECTIONS', maxAge: { ms: 30 * DAY_MS }, collections: 4 }, 'takes over after 10 days.'],
    [
      { strategy: 'TIME_SERIES', maxAge: { ms: 36 * HOUR_MS } },
      'removes a bucket when everything in it is older than 1 day and 12 hours.',
    ],
  ])('is described in words: %j', async (input, words) => {
    const { steps } = await planLogGrowth(test.db, input, now);
    expect(steps.join(' ')).toContain(words);
    expect(steps.join(' ')).not.toMatch(/\bPT?\d|\dT\d|\d{4} bytes/);
  });

  it('estimates by size how many requests do not fit', async () => {
    const long = { user_agent: 'x'.repeat(4000) };
    for (let times = 0; times < 2; times += 1)
      await record(
        test.db,
        Array.from({ length: 400 }, () => request(now, long)),
        now,
      );
    const { eventsOutside, keptFrom } = await planLogGrowth(test.db, { strategy: 'CAPPED', maxBytes: 1024 ** 2 }, now);
    expect(keptFrom).toBeNull();
    expect(eventsOutside).toBeGreaterThan(500);
    expect(eventsOutside).toBeLessThan(600);
  });

  it('is idempotent', async () => {
    const growth = await change(test.db, goals.CAPPED, now);
    expect(await change(test.db, goals.CAPPED, later(1000))).toEqual(growth);
    expect(await planLogGrowth(test.db, goals.CAPPED, now)).toMatchObject({
      steps: ['Nothing changes: these are the current settings.'],
      newCollection: 'log.events_2',
    });
  });

  it('is made once by concurrent calls', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => change(test.db, goals.TIME_SERIES, now)));
    for (const growth of all) expect(numbers(growth)).toEqual([1, 2]);
  });

  it('is refused while a different change is in progress, and changes nothing', async () => {
    await findGrowth(test.db);
    const under = { ...goals.TTL, retention: { max_age_ms: DAY_MS }, segment: { number: 2, strategy: 'TTL' } };
    const noted = { strategy: under.strategy, retention: under.retention, segment: under.segment, is_rotation: false };
    await test.db.collection('log.growth').updateOne({}, { $set: { change: noted, next: 3 }, $inc: { version: 1 } });
    const before = await findGrowth(test.db);
    expect(await changeLogGrowth(test.db, testAct(), goals.CAPPED, now)).toEqual({
      __typename: 'LogGrowthBusy',
      message: 'Another change of the log growth settings is in progress',
      growth: before,
    });
    expect(await findGrowth(test.db)).toEqual(before);
    expect(await keep(now)).toBeGreaterThan(0); // the worker finishes it
    expect(await findGrowth(test.db)).toMatchObject({ strategy: 'TTL', change: null });
    await change(test.db, goals.CAPPED, now);
  });

  it('to a longer window stops expiry in older collections', async () => {
    await change(test.db, { strategy: 'TTL', maxAge: { ms: 30 * DAY_MS } }, now);
    await change(test.db, { strategy: 'TIME_SERIES', maxAge: { ms: 40 * DAY_MS } }, now);
    const growth = await change(test.db, goals.UNBOUNDED, now);
    expect(growth.segments.map(({ expires_after_ms }) => expires_after_ms)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const ttl = await test.db.collection('log.events_2').listIndexes().toArray();
    expect(ttl.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toEqual([]);
    const [series] = await test.db.listCollections({ name: 'log.events_3' }).toArray();
    expect(series).toMatchObject({ type: 'timeseries' });
    expect(series && 'options' in series ? series.options : {}).not.toHaveProperty('expireAfterSeconds');
  });

  it('loses none of the requests recorded meanwhile', async () => {
    let recorded = 0;
    let isOver = false;
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { inserted } = await record(test.db, [request(), request()], now);
        recorded += inserted;
      }
    });
    for (const goal of [...Object.values(goals), goals.UNBOUNDED]) await change(test.db, goal, now);
    isOver = true;
    await Promise.all(writers);
    expect(await shown()).toBe(recorded);
    expect(new Set(await strategiesOf(test.db)).size).toBe(6);
    expect(await violations()).toEqual([]);
  });
});

describe('rotated collections', () => {
  const goal: GrowthInput = { strategy: 'ROTATED_COLLECTIONS', maxAge: { ms: 3 * DAY_MS }, collections: 4 };

  it.each(['ROTATED_COLLECTIONS', 'ROTATED_DATABASES'] as const)(
    'take turns, and are dropped when everything in them is outside of the window: %s',
    async (strategy) => {
      await change(test.db, { ...goal, strategy }, now);
      for (let day = 0; day < 8; day += 1) {
        const at = later(day * DAY_MS + HOUR_MS);
        await record(test.db, [request(at, { path: `/${day}` })], at);
        await keep(later((day + 1) * DAY_MS)); // the next one takes over
      }
      const end = later(8 * DAY_MS);
      await keep(later(8 * DAY_MS + GRACE_MS)); // closes, retires and drops what the last run has left
      const growth = await findGrowth(test.db);
      expect(numbers(growth)).toEqual([7, 8, 9, 10]);
      expect(growth.retired).toEqual([]);
      const pages = await allPages(test.db, { site }, 500, end);
      expect(pages.map(({ path }) => path)).toEqual(['/7', '/6', '/5']);
      expect(await violations()).toEqual([]);
      const databases = await test.db.admin().listDatabases({ nameOnly: true });
      const rotated = databases.databases.filter(({ name }) => name.startsWith(`${test.db.databaseName}_log_`));
      expect(rotated.length).toBe(strategy === 'ROTATED_DATABASES' ? 4 : 0);
    },
  );

  it('are kept while one request in them is inside the window', async () => {
    await change(test.db, goal, now);
    await record(test.db, [request(now), request(later(DAY_MS))], now);
    await keep(later(DAY_MS));
    await keep(later(3.5 * DAY_MS));
    expect(numbers(await findGrowth(test.db))).toContain(2);
    expect(await shown(later(3.5 * DAY_MS))).toBe(1);
    await keep(later(4.5 * DAY_MS));
    expect(numbers(await findGrowth(test.db))).not.toContain(2);
  });
});

describe('a request outside of the window', () => {
  const goal: GrowthInput = { strategy: 'TTL', maxAge: { ms: 30 * DAY_MS } };
  const old = later(-31 * DAY_MS);

  it('is not recorded, and is reported by its index', async () => {
    await change(test.db, goal, now);
    expect(await record(test.db, [request(), request(old), request()], now)).toEqual({
      inserted: 2,
      rejected: [{ index: 1, code: 'BAD_USER_INPUT', message: 'events.1.time is older than what the log keeps' }],
    });
    expect(await shown()).toBe(2);
  });

  it('is not shown while it is still stored, and is shown again when the window grows', async () => {
    await record(test.db, [request(old), request()], now);
    await change(test.db, goal, now);
    expect(await shown()).toBe(1);
    expect(
      (await findEvents(test.db, { site, range: { from: old, to: later(-DAY_MS) } }, { first: 5 }, now)).edges,
    ).toEqual([]);
    await change(test.db, goals.UNBOUNDED, now);
    expect(await shown()).toBe(2);
  });
});

describe('a capped log', () => {
  it('drops older collections when it is full itself', async () => {
    const long = { user_agent: 'x'.repeat(8000) };
    const fill = () =>
      record(
        test.db,
        Array.from({ length: 60 }, () => request(now, long)),
        now,
      );
    await fill();
    await change(test.db, { strategy: 'CAPPED', maxBytes: 1024 ** 2 }, now);
    await fill();
    await keep(later(GRACE_MS));
    expect(numbers(await findGrowth(test.db))).toEqual([1, 2]); // half a megabyte is newer
    for (let times = 0; times < 3; times += 1) await fill();
    await keep(later(2 * GRACE_MS));
    expect(numbers(await findGrowth(test.db))).toEqual([2]);
    const [{ dataBytes }] = [(await findStorage(test.db, 'log.events')) ?? { dataBytes: 0 }];
    expect(dataBytes).toBeGreaterThanOrEqual(1024 ** 2);
    expect(dataBytes).toBeLessThanOrEqual(1024 ** 2 + 128 * 1024);
  });
});

describe('a late writer', () => {
  it('writes into the active collection, which is created again with its indexes if it was dropped', async () => {
    await record(test.db, [request()], now); // learns which collection is active
    await test.db.collection('log.events').drop();
    await record(test.db, [request()], now);
    expect(await shown()).toBe(1);
    expect(await violations()).toEqual([]); // all indexes exist
  });

  it('widens the span of a collection closed meanwhile', async () => {
    await record(test.db, [request()], now);
    await change(test.db, goals.TTL, now);
    await keep(later(GRACE_MS));
    const [first] = (await findGrowth(test.db)).segments;
    if (!first) throw new Error('The log has no segments');
    const early = later(-5 * DAY_MS);
    await segmentCollection(test.db, first).insertOne({ ...request(early), _id: 'late' });
    const ask = { site, range: { from: early, to: later(-4 * DAY_MS) } };
    expect((await findEvents(test.db, ask, { first: 5 }, now)).edges).toEqual([]);
    expect(await keepReadable(test.db, first, [{ time: early }])).toBe(true);
    expect((await findEvents(test.db, ask, { first: 5 }, now)).edges).toHaveLength(1);
    expect(await keepReadable(test.db, { number: 99, strategy: 'TTL' }, [{ time: early }])).toBe(false);
  });
});

describe("the source pattern's approach: renaming the collection under its writers", () => {
  it('loses indexes and limits if a writer writes between two renames', async () => {
    const log = test.db.collection('log.source');
    await log.createIndex({ time: 1 }, { expireAfterSeconds: 3600 });
    await log.rename('log.source.old');
    await log.insertOne({ time: now }); // an unaware writer
    const indexes = await log.listIndexes().toArray();
    expect(indexes.map(({ name }) => name)).toEqual(['_id_']);
    await expect(test.db.collection('log.source.new').rename('log.source')).rejects.toThrow();
  });
});
