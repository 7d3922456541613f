/**
 * The benefit of pre-allocation and hierarchical minutes under WiredTiger, and the share of pages that are ready at
 * midnight. Writes a whole day of hits, minute by minute, to documents of four shapes, then applies the probability to
 * real traffic.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { type Collection, type Db, MongoClient, WriteConcern } from 'mongodb';
import { projectRoot } from '../../harness/project-root.js';
import { dailyHits, type Hit, hitFilter } from '../../src/models/analytics/hits/hit.js';
import { slotOf } from '../../src/models/analytics/hits/hit-slot.js';
import { preAllocationProbability } from '../../src/models/analytics/hits/pre-allocation.js';
import { parseLogLine } from '../../src/models/analytics/log/log-line.js';
import type { Benchmark, Table } from '../support/benchmark.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';

const PAGES = 20;
const PAGES_AT_MIDNIGHT = 300;
const BULK_MINUTES = 10;
const HOURS = 24;
const LATE_HOUR = 20;
const DAY = new Date('2026-01-15');
const LOG = join(projectRoot, '../shared/data/access-logs/blog-combined.log.gz');

const shapes = ['flat', 'hierarchical'] as const;
const variants = shapes.flatMap((shape) => [false, true].map((ahead) => ({ shape, ahead })));
type Variant = (typeof variants)[number];
const nameOf = ({ shape, ahead }: Variant) => `${shape}, ${ahead ? 'pre-allocated' : 'growing'}`;

const columns = {
  midnight: 'µs per first hit of a day',
  early: 'µs per hit, hours 0-3',
  late: 'µs per hit, hours 20-23',
  bytes: 'bytes at midnight',
  making: 'ms to create one',
} as const;
type Figures = Record<keyof typeof columns, Rounds>;

export const preAllocation: Benchmark = {
  name: 'pre-allocation',
  title: 'Pre-allocation and hierarchical minutes',
  async run({ mongodbUri, rounds, log }) {
    const client = await MongoClient.connect(mongodbUri);
    const figures = Object.fromEntries(Object.keys(columns).map((name) => [name, new Rounds()])) as Figures;
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const db = client.db(`sextant_bench_${randomBytes(4).toString('hex')}`);
        await playDay(db, figures).finally(() => db.dropDatabase());
        log(`round ${round} done`);
      }
    } finally {
      await client.close();
    }
    const rows = variants.map((variant) => {
      const cells = Object.values(figures).map((rounds) => format(rounds.median(nameOf(variant))));
      return [nameOf(variant), ...cells.map((cell) => (cell === 'NaN' ? '' : cell))];
    });
    return {
      verdicts: [],
      tables: [{ columns: ['documents', ...Object.values(columns)], rows }, ...readiness()],
      notes: [
        `First hits: ${PAGES_AT_MIDNIGHT} pages in one bulk write. Then ${PAGES} pages with a hit in every minute of a day; ${BULK_MINUTES * PAGES} upserts of the daily document per bulk write (w: 1), shapes interleaved hour by hour, ${roundsOf(rounds)}. Times are of the whole call, measured at the client.`,
        'Ready at midnight: the expected share of the previous day’s busy pages whose documents the day’s hits would have created, for a real log of four days in May 2015 (GET with 2xx or 304).',
      ],
    };
  },
};

async function playDay(db: Db, figures: Figures): Promise<void> {
  const collections = new Map<Variant, Collection>();
  for (const variant of variants) {
    const name = nameOf(variant);
    const days = await makeCollection(db.collection(name));
    const others = await makeCollection(db.collection(`${name}, midnight`));
    collections.set(variant, days);
    figures.midnight.add(name, await playMidnight(others, variant));
    if (variant.ahead) figures.making.add(name, await makeAhead(days, variant, PAGES));
  }
  for (let hour = 0; hour < HOURS; hour += 1) {
    for (const [variant, days] of collections) {
      const microseconds = await playHour(days, variant, hour);
      if (hour < HOURS - LATE_HOUR) figures.early.add(nameOf(variant), microseconds);
      if (hour >= LATE_HOUR) figures.late.add(nameOf(variant), microseconds);
    }
  }
  for (const [variant, days] of collections) figures.bytes.add(nameOf(variant), await averageBytes(days));
}

async function makeCollection(collection: Collection): Promise<Collection> {
  await collection.createIndexes(dailyHits.indexes.map(({ key }) => ({ key: key as never })));
  return collection;
}

const hitOf = (page: number): Hit => ({ site: 'bench.example', page: `/page-${page}`, at: DAY });
const minuteField = ({ shape }: Variant, hour: number, minute: number) =>
  shape === 'flat' ? `minute.${hour * 60 + minute}` : `minute.${hour}.${minute}`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/**
 * The first hits of a day, one page each: they create the documents, or find them pre-allocated. @returns microseconds
 * per hit
 */
async function playMidnight(collection: Collection, variant: Variant): Promise<number> {
  if (variant.ahead) await makeAhead(collection, variant, PAGES_AT_MIDNIGHT);
  const begin = performance.now();
  await collection.bulkWrite(
    numbers(PAGES_AT_MIDNIGHT).map((page) => writeOf(variant, page, 0, 0)),
    { writeConcern: new WriteConcern(1) },
  );
  return ((performance.now() - begin) * 1000) / PAGES_AT_MIDNIGHT;
}

/** @returns milliseconds per document */
async function makeAhead(collection: Collection, variant: Variant, pages: number): Promise<number> {
  const zeros = Object.fromEntries(
    numbers(HOURS).flatMap((hour) => [
      [`hourly.${hour}`, 0],
      ...numbers(60).map((minute) => [minuteField(variant, hour, minute), 0] as const),
    ]),
  );
  const begin = performance.now();
  for (const page of numbers(pages)) {
    await collection.updateOne(hitFilter('DAY', hitOf(page)) as never, { $inc: zeros }, { upsert: true });
  }
  return (performance.now() - begin) / pages;
}

/** @returns microseconds per hit */
async function playHour(collection: Collection, variant: Variant, hour: number): Promise<number> {
  const begin = performance.now();
  for (let first = 0; first < 60; first += BULK_MINUTES) {
    const writes = numbers(BULK_MINUTES * PAGES).map((index) =>
      writeOf(variant, index % PAGES, hour, first + Math.floor(index / PAGES)),
    );
    await collection.bulkWrite(writes, { writeConcern: new WriteConcern(1) });
  }
  return ((performance.now() - begin) * 1000) / (60 * PAGES);
}

function writeOf(variant: Variant, page: number, hour: number, minute: number) {
  const update = { $inc: { [`hourly.${hour}`]: 1, [minuteField(variant, hour, minute)]: 1 } };
  return { updateOne: { filter: hitFilter('DAY', hitOf(page)) as never, update, upsert: true } };
}

async function averageBytes(collection: Collection): Promise<number> {
  const [stats] = await collection.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
  return stats?.storageStats.avgObjSize;
}

/** By day, then by page. */
type DayCounts = ReadonlyMap<number, ReadonlyMap<string, number>>;

const policies: readonly [string, (hitsBefore: number) => number][] = [
  ['1 / 500,000, as in the source pattern', () => 1 / 500_000],
  ['1 / hits of the previous day', (hitsBefore) => 1 / hitsBefore],
  ['ours', preAllocationProbability],
];
const BUSY = 100;

function readiness(): Table[] {
  if (!existsSync(LOG)) return [];
  const days = countLog();
  const dates = [...days.keys()].sort((a, b) => a - b);
  const chances = policies.map(([name, probability]) => {
    const ready: number[] = [];
    for (const [index, date] of dates.entries()) {
      const [before, today] = [days.get(dates[index - 1] ?? 0), days.get(date)];
      for (const [page, hitsBefore] of before ?? []) {
        if (hitsBefore >= BUSY) ready.push(1 - (1 - Math.min(1, probability(hitsBefore))) ** (today?.get(page) ?? 0));
      }
    }
    return [
      name,
      String(ready.length),
      `${format((100 * ready.reduce((sum, chance) => sum + chance, 0)) / ready.length)} %`,
    ];
  });
  return [
    {
      columns: ['probability per hit', `pages with ${BUSY} hits on the previous day`, 'ready at midnight'],
      rows: chances,
    },
  ];
}

function countLog(): DayCounts {
  const days = new Map<number, Map<string, number>>();
  for (const line of gunzipSync(readFileSync(LOG)).toString('latin1').split('\n')) {
    const fields = parseLogLine(line, { latestMs: Date.now() });
    if (typeof fields === 'string' || fields.method !== 'GET' || !fields.page) continue;
    if (fields.status !== 304 && Math.floor(fields.status / 100) !== 2) continue;
    const date = slotOf('DAY', fields.time.getTime());
    const pages = days.get(date) ?? new Map<string, number>();
    days.set(date, pages.set(fields.page, (pages.get(fields.page) ?? 0) + 1));
  }
  return days;
}
