/**
 * Compares the growth strategies of the request log: inserts, bytes on disk, queries, and the cost of removing the
 * older half. This includes time-series against plain collections.
 */
import { performance } from 'node:perf_hooks';
import type { Db } from 'mongodb';
import { keptFields } from '../../src/models/analytics/log/log-fields.js';
import { type EventFilter, findEvents } from '../../src/models/analytics/log/request-log.js';
import { type RequestInput, recordEvents } from '../../src/models/analytics/log/request-record.js';
import { type LogQueryName, requestsByDayAndPage } from '../../src/models/analytics/log/request-report.js';
import { sizeOf } from '../../src/models/analytics/log-growth/log-collections.js';
import { activeSegment, findGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import {
  changeLogGrowth,
  finishChange,
  noteRotation,
} from '../../src/models/analytics/log-growth/log-growth-change.js';
import type { GrowthInput } from '../../src/models/analytics/log-growth/log-growth-goal.js';
import {
  dropSegment,
  isTimeSeries,
  segmentCollection,
  segmentName,
} from '../../src/models/analytics/log-growth/log-segment.js';
import { DAY_MS } from '../../src/shared/time.js';
import type { Benchmark, Surroundings } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';

const EVENTS = 1_000_000;
const DAYS = 30;
const INSERTED_AT_ONCE = 1000;
const PATHS = 500;
const HOSTS = 5000;
const SITE = 'bench.example.org';
const SEGMENTS = 4; // for the rotated strategies: dropping two of them removes the older half
const QUERIES = 30;
const REPORTS = 3;
const REMOVAL_WAIT_MS = 20 * 60_000;

const goals: Readonly<Record<string, GrowthInput>> = {
  UNBOUNDED: { strategy: 'UNBOUNDED' },
  CAPPED: { strategy: 'CAPPED', maxBytes: 1024 ** 4 }, // large enough for everything; a full one is measured with half
  TTL: { strategy: 'TTL', maxAge: { ms: 3650 * DAY_MS } },
  ROTATED_COLLECTIONS: { strategy: 'ROTATED_COLLECTIONS', maxAge: { ms: 3650 * DAY_MS }, collections: SEGMENTS },
  ROTATED_DATABASES: { strategy: 'ROTATED_DATABASES', maxAge: { ms: 3650 * DAY_MS }, collections: SEGMENTS },
  TIME_SERIES: { strategy: 'TIME_SERIES', maxAge: { ms: 3650 * DAY_MS } },
};

const queries: Readonly<Record<string, { readonly name: LogQueryName; readonly filter: (end: Date) => EventFilter }>> =
  {
    'requests for a path': { name: 'EVENTS', filter: () => ({ site: SITE, path: '/page/7' }) },
    'of a client in two days': {
      name: 'EVENTS',
      filter: (end) => ({ site: SITE, host: '192.0.2.7', range: range(end, 2) }),
    },
    'newest of all': { name: 'EVENTS', filter: () => ({ site: SITE }) },
    'report of a week': { name: 'REQUESTS_BY_DAY_AND_PAGE', filter: (end) => ({ site: SITE, range: range(end, 7) }) },
  };

const range = (end: Date, days: number) => ({ from: new Date(end.getTime() - days * DAY_MS), to: end });

export const logGrowths: Benchmark = {
  name: 'log-growth',
  title: 'Request log: six growth strategies',
  async run(surroundings) {
    const { rounds, scale, log } = surroundings;
    const figures = new Rounds();
    for (let round = 1; round <= rounds; round += 1) {
      for (const strategy of Object.keys(goals)) {
        if (surroundings.only && !surroundings.only.includes(strategy)) continue;
        await play(surroundings, strategy, (figure, value) => figures.add(`${strategy} ${figure}`, value));
        log(`round ${round}: ${strategy} done`);
      }
    }
    const columns = ['inserts/s', 'bytes/request', 'of which indexes', ...Object.keys(queries), 'removing half, s'];
    const strategies = Object.keys(goals);
    return {
      verdicts: [],
      tables: [
        {
          columns: ['strategy', ...columns],
          rows: strategies.map((strategy) => [
            strategy,
            ...columns.map((column) => format(figures.median(`${strategy} ${column}`))),
          ]),
        },
      ],
      notes: [
        `${Math.round(EVENTS * scale).toLocaleString('en')} requests over ${DAYS} days in order of time, for ${PATHS} paths and from ${HOSTS} clients, in calls of ${INSERTED_AT_ONCE} at w: majority, one at a time. ${roundsOf(rounds)}, each in new databases. Queries: milliseconds, the median of ${QUERIES} (reports: ${REPORTS}), the first page of 50 requests.`,
        'Bytes on disk after a checkpoint. Removing half: UNBOUNDED deletes by time, which would be manual work; CAPPED is the extra time of inserting half as many again into a full collection, compared with one that is not full; TTL and TIME_SERIES wait for the TTL monitor, which runs every second here; the rotated strategies drop two of four.',
      ],
    };
  },
};

type Tell = (figure: string, value: number) => void;

async function play(surroundings: Surroundings, strategy: string, tell: Tell): Promise<void> {
  const count = Math.round(EVENTS * surroundings.scale);
  const end = new Date();
  await inOwnDatabase(surroundings, async (_client, db) => {
    await grow(db, goals[strategy] ?? { strategy: 'UNBOUNDED' });
    const seconds = await insert(db, { from: 0, count, of: count, end }, strategy.startsWith('ROTATED'));
    tell('inserts/s', count / seconds);
    await db.admin().command({ fsync: 1 }); // a checkpoint, so that the files contain all writes
    await measureBytes(db, count, tell);
    for (const [query, { name, filter }] of Object.entries(queries)) {
      tell(query, await ask(db, name, filter(end)));
    }
    tell('removing half, s', await removeHalf(db, strategy, count, end));
  });
}

async function grow(db: Db, input: GrowthInput): Promise<void> {
  const act = { actor: 'bench', address: 'bench', at: new Date(), keptUntil: new Date() };
  const grown = await changeLogGrowth(db, act, input, new Date());
  if (!('_id' in grown)) throw new Error(grown.message);
}

interface Insertion {
  readonly from: number;
  readonly count: number;
  /** The final total: it determines how far apart in time the requests are. */
  readonly of: number;
  readonly end: Date;
}

/** @returns seconds, without creating the documents */
async function insert(db: Db, { from, count, of, end }: Insertion, isRotated = false): Promise<number> {
  let ms = 0;
  for (let first = from; first < from + count; first += INSERTED_AT_ONCE) {
    if (
      isRotated &&
      first > 0 &&
      Math.floor((first * SEGMENTS) / of) > Math.floor(((first - INSERTED_AT_ONCE) * SEGMENTS) / of)
    ) {
      await rotate(db);
    }
    const requests = Array.from({ length: Math.min(INSERTED_AT_ONCE, from + count - first) }, (_, index) =>
      request(new Date(end.getTime() - DAYS * DAY_MS * (1 - (first + index) / of))),
    );
    const begin = performance.now();
    const { inserted } = await recordEvents(db, requests, 'MAJORITY', { now: new Date(), keep: keptFields([]) });
    ms += performance.now() - begin;
    if (inserted < requests.length) throw new Error('Some requests were not stored');
  }
  return ms / 1000;
}

async function rotate(db: Db): Promise<void> {
  await noteRotation(db, await findGrowth(db));
  await finishChange(db, await findGrowth(db), new Date());
}

const below = (max: number) => Math.floor(Math.random() * max);

function request(time: Date): RequestInput {
  return {
    site: SITE,
    time,
    host: `192.0.2.${below(HOSTS)}`,
    method: 'GET',
    path: `/page/${below(PATHS)}`,
    protocol: 'HTTP/1.1',
    status: below(10) === 0 ? 404 : 200,
    bytes: below(100_000),
    referrer: `https://example.org/from/${below(100)}`,
    user_agent: `Mozilla/5.0 (X11; Linux x86_64; rv:${below(40)}.0) Gecko/20100101 Firefox/${below(40)}.0`,
  };
}

async function measureBytes(db: Db, count: number, tell: Tell): Promise<void> {
  let bytes = 0;
  let indexBytes = 0;
  for (const segment of (await findGrowth(db)).segments) {
    bytes += (await sizeOf(db, segment)).diskBytes;
    const [statistics] = await segmentCollection(db, segment)
      .aggregate([{ $collStats: { storageStats: {} } }])
      .toArray();
    indexBytes += Number(statistics?.storageStats.totalIndexSize ?? 0);
  }
  tell('bytes/request', bytes / count);
  tell('of which indexes', indexBytes / count);
}

/** @returns the median, in milliseconds */
async function ask(db: Db, name: LogQueryName, filter: EventFilter): Promise<number> {
  const now = new Date();
  const times = new Rounds();
  const repeats = name === 'EVENTS' ? QUERIES : REPORTS;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const begin = performance.now();
    if (name === 'EVENTS') await findEvents(db, filter, { first: 50 }, now);
    else if (filter.range) await requestsByDayAndPage(db, filter.site, filter.range, 1000, now);
    times.add(name, performance.now() - begin);
  }
  return times.median(name);
}

async function removeHalf(db: Db, strategy: string, count: number, end: Date): Promise<number> {
  const middle = new Date(end.getTime() - (DAYS / 2) * DAY_MS);
  const segment = activeSegment(await findGrowth(db));
  if (strategy === 'CAPPED') return insertWhenFull(db, count, end);
  if (strategy === 'UNBOUNDED')
    return timed(() => segmentCollection(db, segment).deleteMany({ site: SITE, time: { $lt: middle } }));
  if (strategy.startsWith('ROTATED')) {
    const { segments } = await findGrowth(db);
    const old = segments.slice(0, -SEGMENTS / 2);
    return timed(async () => {
      for (const each of old) await dropSegment(db, each);
    });
  }
  const expireAfterSeconds = Math.round((Date.now() - middle.getTime()) / 1000);
  const collMod = segmentName(segment);
  const change = isTimeSeries(segment)
    ? { collMod, expireAfterSeconds }
    : { collMod, index: { keyPattern: { time: 1 }, expireAfterSeconds } };
  return withQuickMonitor(db, () =>
    timed(async () => {
      await db.command(change);
      const goal = count * 0.55; // a time-series collection drops whole buckets, one per day
      const begin = performance.now();
      while ((await sizeOf(db, segment)).events > goal) {
        if (performance.now() - begin > REMOVAL_WAIT_MS) throw new Error('The TTL monitor did not run in time');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }),
  );
}

/** Inserts half as many again into a collection that is full, and into one that is not. */
async function insertWhenFull(db: Db, count: number, end: Date): Promise<number> {
  const { dataBytes } = await sizeOf(db, activeSegment(await findGrowth(db)));
  const half = { from: 0, count: Math.round(count / 2), of: count, end };
  const free = await insert(db, half);
  await grow(db, { strategy: 'CAPPED', maxBytes: Math.max(1024 ** 2, Math.round(dataBytes / 2)) });
  await insert(db, half); // fills it
  return (await insert(db, half)) - free;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

/** The TTL monitor runs once a minute by default: that wait must not be measured. */
async function withQuickMonitor<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const admin = db.client.db('admin');
  const { ttlMonitorSleepSecs: before } = await admin.command({ getParameter: 1, ttlMonitorSleepSecs: 1 });
  const passes = async () => Number((await admin.command({ serverStatus: 1 })).metrics.ttl.passes);
  const seen = await passes();
  await admin.command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
  try {
    // It first finishes its current sleep.
    while ((await passes()) === seen) await new Promise((resolve) => setTimeout(resolve, 100));
    return await work();
  } finally {
    await admin.command({ setParameter: 1, ttlMonitorSleepSecs: before });
  }
}
