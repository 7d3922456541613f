import { MongoServerError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dailyHits, type Hit, monthlyHits, requireHit } from '../../../src/models/analytics/hits/hit.js';
import { findHitViolations } from '../../../src/models/analytics/hits/hit-invariants.js';
import { createHitRecorder, type HitRecorder } from '../../../src/models/analytics/hits/hit-recorder.js';
import { formatClusterTime } from '../../../src/shared/cluster-time.js';
import { useDatabase } from '../../support/database.js';

const database = useDatabase();
const hit = (page: string, at = '2026-01-31T23:59:30Z', site = 'example.org'): Hit => ({
  site,
  page,
  at: new Date(at),
});

let recorder: HitRecorder;
beforeEach(() => {
  recorder = createHitRecorder({ client: database.client, db: database.db, waitingMax: 1000 });
});
afterEach(async () => {
  await recorder.close();
  for await (const violation of findHitViolations(database.db)) expect(violation).toBeUndefined();
  await dailyHits(database.db).deleteMany({});
  await monthlyHits(database.db).deleteMany({});
});

const daily = () => dailyHits(database.db).find().sort({ _id: 1 }).toArray();
const monthly = () => monthlyHits(database.db).find().sort({ _id: 1 }).toArray();

describe('recording a hit', () => {
  it('counts it in the minute, the hour and the day, in one daily and one monthly document', async () => {
    expect(await recorder.record([hit('/a')], 'MAJORITY')).toMatchObject({
      recorded: 1,
      documentsTouched: 2,
      failed: [],
    });
    const metadata = { site: 'example.org', page: '/a' };
    expect(await daily()).toEqual([
      {
        _id: '20260131/example.org//a',
        metadata: { date: new Date('2026-01-31'), ...metadata },
        hourly: { 23: 1 },
        minute: { 23: { 59: 1 } },
      },
    ]);
    expect(await monthly()).toEqual([
      { _id: '202601/example.org//a', metadata: { date: new Date('2026-01-01'), ...metadata }, daily: { 31: 1 } },
    ]);
  });

  it('returns the cluster time at which it appears in the change stream', async () => {
    const stream = database.db.watch();
    const [event, { writtenAt }] = await Promise.all([stream.next(), recorder.record([hit('/a')], 'MAJORITY')]);
    await stream.close();
    expect(event).toMatchObject({ operationType: 'insert', ns: { coll: 'hits.daily' } });
    expect(writtenAt && formatClusterTime(writtenAt)).toBe(event.clusterTime && formatClusterTime(event.clusterTime));
  });

  it.each(['ACKNOWLEDGED', 'JOURNALED', 'MAJORITY'] as const)(
    'has stored it when it responds, with the durability %s',
    async (durability) => {
      await recorder.record([hit('/a')], durability);
      expect(await dailyHits(database.db).countDocuments()).toBe(1);
      expect(await monthlyHits(database.db).countDocuments()).toBe(1);
    },
  );

  it('responds to FIRE_AND_FORGET with the number sent, and has stored it when closed', async () => {
    expect(await recorder.record([hit('/a'), hit('/b')], 'FIRE_AND_FORGET')).toEqual({
      recorded: 2,
      documentsTouched: 4,
      writtenAt: undefined,
      failed: [],
    });
    await recorder.close();
    expect(await daily()).toHaveLength(2);
  });

  it.each([
    ['dots, dollars and slashes', '/$inc/a.b/../$where'],
    ['the name of a prototype', '__proto__'],
    ['control characters and NUL', '/a\u0000b\n\u0007'],
    ['characters outside the first plane', '/😀/é/e\u0301'],
    ['8192 bytes', `/${'x'.repeat(8191)}`],
  ])('keeps a page with %s unchanged', async (_case, page) => {
    await recorder.record([requireHit('hit', hit(page), new Date('2026-02-01'))], 'MAJORITY');
    expect(await daily()).toMatchObject([
      { _id: `20260131/example.org/${page}`, metadata: { page }, hourly: { 23: 1 } },
    ]);
    expect(await monthly()).toMatchObject([
      { _id: `202601/example.org/${page}`, metadata: { page }, daily: { 31: 1 } },
    ]);
  });
});

describe('recording many hits concurrently', () => {
  it('writes each document once in a group', async () => {
    const before = recorder.health.groups;
    await Promise.all(Array.from({ length: 64 }, (_, i) => recorder.record([hit(`/${i % 4}`)], 'MAJORITY')));
    expect(recorder.health).toEqual({ waiting: 0, hits: 64, groups: before + 1, failed: 0 });
    expect((await daily()).map(({ hourly }) => hourly)).toEqual([{ 23: 16 }, { 23: 16 }, { 23: 16 }, { 23: 16 }]);
  });

  it('counts every hit of 50 callers, with every durability, in two processes', async () => {
    const other = createHitRecorder({ client: database.client, db: database.db, waitingMax: 1000 });
    const durabilities = ['MAJORITY', 'JOURNALED', 'ACKNOWLEDGED', 'FIRE_AND_FORGET'] as const;
    await Promise.all(
      Array.from({ length: 50 }, async (_, caller) => {
        for (const durability of durabilities) {
          await (caller % 2 ? recorder : other).record([hit('/a'), hit(`/${caller % 5}`)], durability);
        }
      }),
    );
    await Promise.all([recorder.close(), other.close()]);
    const [a, ...others] = (await daily()).reverse();
    expect(a).toMatchObject({ metadata: { page: '/a' }, hourly: { 23: 200 }, minute: { 23: { 59: 200 } } });
    expect(others.map(({ hourly }) => hourly)).toEqual(Array.from({ length: 5 }, () => ({ 23: 40 })));
  });

  it('returns how many daily and monthly documents a call updated', async () => {
    const hits = [hit('/a'), hit('/a', '2026-02-01T00:00:00Z'), hit('/a', '2026-02-02T00:00:00Z'), hit('/b')];
    expect(await recorder.record(hits, 'MAJORITY')).toMatchObject({ recorded: 4, documentsTouched: 4 + 3 });
  });

  it('splits a call of 3,000 pages into several groups and responds when all are stored', async () => {
    const hits = Array.from({ length: 3000 }, (_, page) => hit(`/${page}`));
    expect(await recorder.record(hits, 'MAJORITY')).toMatchObject({
      recorded: 3000,
      documentsTouched: 6000,
      failed: [],
    });
    expect(await dailyHits(database.db).countDocuments()).toBe(3000);
    expect(recorder.health.groups).toBeGreaterThan(1);
  });
});

describe('the largest group', () => {
  it('fits into one command even with the longest pages', async () => {
    // This tests the size: on a busy machine 13 MB take longer than callers should wait.
    const patience = { waitingMax: 1_000_000, groupWaitMaxMs: 60_000 };
    const roomy = createHitRecorder({ client: database.client, db: database.db, ...patience });
    const long = 'é'.repeat(4094); // plus four digits: 8192 bytes
    const call = (from: number, many: number) =>
      roomy.record(
        Array.from({ length: many }, (_, page) => hit(`${long}${1000 + from + page}`)),
        'MAJORITY',
      );
    const outcomes = await Promise.all([call(0, 399), call(399, 400)]);
    expect(outcomes).toMatchObject([
      { recorded: 399, failed: [] },
      { recorded: 400, failed: [] },
    ]);
    expect(roomy.health).toMatchObject({ groups: 1, hits: 799 });
    await roomy.close();
  });
});

describe('when the database rejects a document', () => {
  beforeEach(async () => {
    // A counter that is not a number: no increment can be applied to it.
    const metadata = { date: new Date('2026-01-31'), site: 'example.org', page: '/broken' };
    await dailyHits(database.db).insertOne({ _id: '20260131/example.org//broken', metadata, hourly: 'x' as never });
  });
  afterEach(async () => {
    await dailyHits(database.db).deleteOne({ _id: '20260131/example.org//broken' });
  });

  it('affects only the hits of that document, regardless of the call', async () => {
    const [good, mixed, bad] = await Promise.all([
      recorder.record([hit('/a')], 'MAJORITY'),
      recorder.record([hit('/b'), hit('/broken'), hit('/c')], 'MAJORITY'),
      recorder.record([hit('/broken')], 'MAJORITY'),
    ]);
    expect(good).toMatchObject({ recorded: 1, failed: [] });
    expect(mixed).toMatchObject({ recorded: 2, failed: [{ index: 1 }] });
    expect(bad).toMatchObject({ recorded: 0, failed: [{ index: 0 }] });
    expect(bad.failed[0]?.error).toBeInstanceOf(MongoServerError);
    expect(recorder.health).toMatchObject({ hits: 3, failed: 2 });
    expect((await monthly()).map(({ metadata, daily }) => [metadata.page, daily])).toEqual([
      ['/a', { 31: 1 }],
      ['/b', { 31: 1 }],
      ['/c', { 31: 1 }],
    ]);
    await dailyHits(database.db).deleteOne({ _id: '20260131/example.org//broken' });
  });
});

describe('when too many hits are waiting', () => {
  it('refuses the call with SERVER_BUSY and records none of its hits, but all accepted ones', async () => {
    const taken = recorder.record(
      Array.from({ length: 900 }, () => hit('/a')),
      'MAJORITY',
    );
    await expect(
      recorder.record(
        Array.from({ length: 101 }, () => hit('/b')),
        'MAJORITY',
      ),
    ).rejects.toMatchObject({
      code: 'SERVER_BUSY',
    });
    expect(recorder.health.waiting).toBe(900);
    await taken;
    expect(await daily()).toMatchObject([{ metadata: { page: '/a' }, hourly: { 23: 900 } }]);
  });

  it('prepares nothing for hits that it does not accept, and records none whose preparation failed', async () => {
    const prepare = vi.fn(async () => undefined);
    const many = Array.from({ length: 900 }, () => hit('/a'));
    const taken = recorder.record(many, 'MAJORITY', prepare);
    await expect(recorder.record(many, 'MAJORITY', prepare)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await taken;
    expect(prepare).toHaveBeenCalledTimes(1);
    const failing = () => Promise.reject(new Error('The site could not be listed'));
    await expect(recorder.record(many, 'MAJORITY', failing)).rejects.toThrow('could not be listed');
    expect(recorder.health.waiting).toBe(0);
    await recorder.record(many, 'MAJORITY'); // their room is free again
    expect(await daily()).toMatchObject([{ metadata: { page: '/a' }, hourly: { 23: 1800 } }]);
  });

  it('counts a long page as several hits, so that waiting hits are limited in bytes', async () => {
    const long = 'x'.repeat(8000);
    const taken = Array.from({ length: 32 }, (_, index) => recorder.record([hit(`${long}${index}`)], 'MAJORITY'));
    const outcomes = await Promise.allSettled(taken);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(31); // 31 x 32 < 1000
  });

  it('accepts nothing after it was closed', async () => {
    await recorder.close();
    await expect(recorder.record([hit('/a')], 'MAJORITY')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await daily()).toEqual([]);
  });
});

describe('a group that the database does not accept', () => {
  it('fails in limited time, as do waiting and new calls; waiting hits are not recorded, and afterwards everything works again', async () => {
    const blocked = createHitRecorder({
      client: database.client,
      db: database.db,
      waitingMax: 1000,
      groupWaitMaxMs: 50,
    });
    const session = database.client.startSession();
    session.startTransaction();
    await dailyHits(database.db).updateOne({ _id: '20260131/example.org//a' }, { $set: { x: 1 } } as never, {
      session,
      upsert: true,
    });
    const first = blocked.record([hit('/a')], 'MAJORITY'); // its transaction conflicts until that one has ended
    await vi.waitFor(() => expect(blocked.health.waiting).toBe(0));
    const second = blocked.record([hit('/b')], 'MAJORITY');
    const unavailable = (outcome: string, message: string) => ({
      code: 'DATABASE_UNAVAILABLE',
      message: `The database did not respond, and ${message}`,
      details: { outcome },
    });
    const unknown = unavailable('UNKNOWN', 'it is unknown whether the hit was recorded');
    const notRecorded = unavailable('NOT_RECORDED', 'the hit was not recorded');
    expect(await first).toMatchObject({ recorded: 0, failed: [{ index: 0, error: unknown }] });
    expect(await second).toMatchObject({ recorded: 0, failed: [{ index: 0, error: notRecorded }] });
    await expect(blocked.record([hit('/c')], 'MAJORITY')).rejects.toMatchObject(notRecorded);
    expect(blocked.health.waiting).toBe(0);
    await session.abortTransaction();
    await session.endSession();
    await vi.waitFor(async () => expect(await blocked.record([hit('/d')], 'MAJORITY')).toMatchObject({ recorded: 1 }));
    await blocked.close();
    expect((await daily()).map(({ metadata }) => metadata.page)).toEqual(['/a', '/d']); // the outcome of the first one was unknown
  });
});

describe('a hit from a client', () => {
  const now = new Date('2026-02-01T12:00:00Z');
  it.each([
    ['a site with a path', { site: 'example.org/x', page: '/' }, 'hit.site'],
    ['an empty site', { site: '', page: '/' }, 'hit.site'],
    ['an empty page', { site: 'example.org', page: '' }, 'hit.page'],
    ['a page of 8193 bytes', { site: 'example.org', page: 'x'.repeat(8193) }, 'hit.page'],
    ['a page of 4097 characters with two bytes each', { site: 'example.org', page: 'é'.repeat(4097) }, 'hit.page'],
    ['a lone surrogate', { site: 'example.org', page: '/\ud83d' }, 'hit.page'],
    ['a time before 1970', { site: 'example.org', page: '/', at: new Date(-1) }, 'hit.at'],
    [
      'a time more than a day in the future',
      { site: 'example.org', page: '/', at: new Date(+now + 86_400_001) },
      'hit.at',
    ],
    ['an invalid date', { site: 'example.org', page: '/', at: new Date(Number.NaN) }, 'hit.at'],
  ])('is refused with %s', (_case, input, field) => {
    expect(() => requireHit('hit', input, now)).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', details: expect.objectContaining({ field }) }),
    );
  });

  it('is accepted up to the limits, and without a time counts as now', () => {
    expect(requireHit('hit', { site: 'EXAMPLE.org:80', page: 'é'.repeat(4096) }, now)).toEqual({
      site: 'example.org',
      page: 'é'.repeat(4096),
      at: now,
    });
    expect(requireHit('hit', { site: 'a', page: '/', at: new Date(0) }, now).at).toEqual(new Date(0));
    expect(requireHit('hit', { site: 'a', page: '/', at: new Date(+now + 86_400_000) }, now).at.getUTCDate()).toBe(2);
  });
});
