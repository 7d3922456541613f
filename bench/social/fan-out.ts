/**
 * A post on its way to the last of its readers, what it costs the others meanwhile, and a page of news by copy, by pull, and merged.
 * All by the functions of the models, on one database.
 */
import { type Db, MongoClient } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { commentsDomain } from '../../src/models/comments/domain.js';
import { social } from '../../src/models/social/domain.js';
import { people } from '../../src/models/social/network/person.js';
import { carryOut } from '../../src/models/social/news/courier.js';
import { findNews } from '../../src/models/social/news/news.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import { publishPost } from '../../src/models/social/posts/publishing.js';
import type { Benchmark, Findings, Surroundings, Table, Verdict } from '../support/benchmark.js';
import { personOf, storeStar } from './many-people.js';

const AUDIENCES = [1, 100, 10_000, 1_000_000] as const;
const POSTS = 5;
const AUTHORS = 100;
const POSTS_OF_AUTHOR = 20;
const PAGE = 20;
const READS = 200;
const OTHERS = 150;

let posted = 0;

async function post(db: Db, author: string): Promise<void> {
  posted += 1;
  const outcome = await publishPost(db, {
    author,
    wall: author,
    about: null,
    input: { type: 'STATUS', text: `Post ${posted}`, audience: 'PUBLIC', circles: [] },
    call: `bench-${posted}`,
    now: new Date(),
  });
  if ('__typename' in outcome) throw new Error(outcome.message);
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const median = (values: readonly number[]): number => quantile(values, 0.5);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

interface Delivered {
  readonly ms: number;
  readonly cpuUs: number;
}

/** From the answer to the author until the last reader has it. */
async function deliver(db: Db, star: string): Promise<Delivered> {
  await post(db, star);
  const before = process.cpuUsage();
  const ms = await timed(() => carryOut(db));
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuUs: user + system };
}

/** The time of each post of somebody with a few followers, while a courier has the other work to do. */
async function postBeside(db: Db, work: () => Promise<unknown>): Promise<number[]> {
  let isDone = false;
  const running = work().finally(() => {
    isDone = true;
  });
  const times: number[] = [];
  while (!isDone || times.length === 0) times.push(await timed(() => post(db, 'star-1')));
  await running;
  return times;
}

/** A reader of many authors, whose posts are copied or fetched. */
async function storeReader(db: Db, id: string, pulled: (author: number) => boolean): Promise<void> {
  const authors = Array.from({ length: AUTHORS }, (_, at) => `${id}-author-${at}`);
  await people(db).insertMany(
    authors.map((author, at) => ({
      ...personOf(author),
      ...(pulled(at) && { follower_count: 20_000, is_pulled: true as const }),
    })),
  );
  const following = authors.map((author) => ({ id: author, circles: ['all'], since: new Date(), page: 1 }));
  await people(db).insertOne({ ...personOf(id), circles: [{ id: 'all', name: 'All' }], following });
  await db.collection('social.followers').insertMany(
    authors.map((author) => ({
      _id: `${author}/000001` as never,
      user_id: author,
      number: 1,
      followers: [{ id, since: new Date() }],
    })),
  );
  for (let round = 0; round < POSTS_OF_AUTHOR; round += 1) for (const author of authors) await post(db, author);
  await carryOut(db);
}

async function readPages(db: Db, reader: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < READS; at += 1) times.push(await timed(() => findNews(db, reader, { first: PAGE })));
  return median(times);
}

async function bytesPerReference(db: Db): Promise<number> {
  const { size, totalIndexSize } = (await db.command({ collStats: newsPages.collectionName })) as unknown as {
    size: number;
    totalIndexSize: number;
  };
  const [counted] = await newsPages(db)
    .aggregate<{ n: number }>([{ $group: { _id: null, n: { $sum: '$count' } } }])
    .toArray();
  return (size + totalIndexSize) / (counted?.n ?? 1);
}

async function measure({ mongodbUri, rounds, log }: Surroundings): Promise<Findings> {
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db('bench_social');
  try {
    await db.dropDatabase();
    await buildIndexes(db, [...social.collections, ...commentsDomain.collections]);
    for (const size of AUDIENCES) await storeStar(db, `star-${size}`, size, size <= 10_000);
    const deliveries = new Map<number, Delivered[]>(AUDIENCES.map((size) => [size, []]));
    const idle: number[] = [];
    const beside: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      log(`round ${round}`);
      for (const size of AUDIENCES)
        for (let at = 0; at < POSTS; at += 1) deliveries.get(size)?.push(await deliver(db, `star-${size}`));
      for (let at = 0; at < OTHERS; at += 1) idle.push(await timed(() => post(db, 'star-1')));
      await carryOut(db);
      for (let at = 0; at < POSTS; at += 1) await post(db, 'star-10000');
      beside.push(...(await postBeside(db, () => carryOut(db))));
      await carryOut(db);
    }
    const bytes = await bytesPerReference(db);
    log('readers');
    await storeReader(db, 'copied', () => false);
    await storeReader(db, 'pulled', () => true);
    await storeReader(db, 'merged', (author) => author === 0);
    const pages: Record<string, number[]> = { copied: [], pulled: [], merged: [] };
    for (let round = 1; round <= rounds; round += 1)
      for (const [reader, times] of Object.entries(pages)) times.push(await readPages(db, reader));
    return report({ deliveries, idle, beside, bytes, pages });
  } finally {
    await db.dropDatabase();
    await client.close();
  }
}

interface Measured {
  readonly deliveries: ReadonlyMap<number, readonly Delivered[]>;
  readonly idle: readonly number[];
  readonly beside: readonly number[];
  readonly bytes: number;
  readonly pages: Readonly<Record<string, readonly number[]>>;
}

function report({ deliveries, idle, beside, bytes, pages }: Measured): Findings {
  const ways = [...deliveries].map(([size, all]) => [
    size.toLocaleString('en'),
    size > 10_000 ? 'READ' : 'WRITE',
    median(all.map(({ ms }) => ms)).toFixed(1),
    size > 10_000 ? '-' : (median(all.map(({ cpuUs }) => cpuUs)) / size).toFixed(0),
  ]);
  const delivered: Table = {
    columns: ['followers', 'way', 'ms until the last has it', 'CPU µs per follower'],
    rows: ways,
  };
  const read: Table = {
    columns: ['news of 100 authors with 20 posts each, a page of 20', 'ms (p50)'],
    rows: Object.entries(pages).map(([name, times]) => [name, median(times).toFixed(2)]),
  };
  const others: Table = {
    columns: ['posts of others', 'p50 ms', 'p99 ms'],
    rows: [
      ['idle', median(idle).toFixed(1), quantile(idle, 0.99).toFixed(1)],
      ['while 5 posts go to 10,000 followers each', median(beside).toFixed(1), quantile(beside, 0.99).toFixed(1)],
    ],
  };
  const verdicts: Verdict[] = [
    {
      row: 'p99 of posts of others during a fan-out to 10,000',
      against: 'idle',
      measured: quantile(beside, 0.99) / quantile(idle, 0.99),
      bound: 'at most',
      goal: 1.5,
    },
    {
      row: 'a page of merged news',
      against: 'copied',
      measured: median(pages.merged ?? []) / median(pages.copied ?? []),
      bound: 'at most',
      goal: 1.5,
    },
  ];
  return {
    verdicts,
    tables: [delivered, others, read],
    notes: [
      `A reference in the news takes ${bytes.toFixed(0)} bytes, with its share of all indexes.`,
      'The courier and the authors run in the process that measures, one courier at a time. "copied": all posts are delivered; "pulled": all authors have more than 10,000 followers; "merged": one of the hundred has.',
    ],
  };
}

export const fanOut: Benchmark = { name: 'fan-out-social', title: 'Posts and their readers', run: measure };
