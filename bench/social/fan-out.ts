/** A post on its way to the last of its readers, and what it costs the others meanwhile. By the functions of the models, on one database. */
import type { Db, MongoClient } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { carryOut } from '../../src/models/social/news/courier.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { type Cpu, measureCpu } from '../support/database-cpu.js';
import { median, percentile } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { setFollowerCount, storeStar } from './many-people.js';
import { acts, Neighbors, newTimes } from './neighbors.js';
import { post } from './posting.js';

const AUDIENCES = [1, 100, 10_000, 1_000_000] as const;
const MILLION = 1_000_000;
const COPIED_MAX = 10_000;
const POSTS = 5;
const POSTS_BESIDE = 10;

interface Delivered extends Cpu {
  readonly ms: number;
}

export const fanOut: Benchmark = {
  name: 'fan-out-social',
  title: 'A post until its last reader has it',
  run: (surroundings) => inOwnDatabase(surroundings, (client, db) => measure(client, db, surroundings)),
};

async function measure(client: MongoClient, db: Db, { rounds, scale, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  for (const size of AUDIENCES) await storeStar(db, `star-${size}`, size, size <= COPIED_MAX);
  const neighbors = new Neighbors(client, db, 'star-1');
  await neighbors.begin();
  const delivered = new Map<number, Delivered[]>(AUDIENCES.map((size) => [size, []]));
  const [idle, beside] = [newTimes(), newTimes()];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const size of AUDIENCES)
        for (let at = 0; at < POSTS; at += 1) {
          const one = await deliver(db, `star-${size}`);
          if (round > 0) delivered.get(size)?.push(one);
        }
      const begin = performance.now();
      await besideDeliveries(db, neighbors, round === 0 ? newTimes() : beside);
      const wait = new Promise((resolve) => setTimeout(resolve, performance.now() - begin));
      await neighbors.beside(wait, round === 0 ? newTimes() : idle);
      await carryOut(db);
      log(round === 0 ? 'warm-up done' : `round ${round} done`);
    }
  } finally {
    await neighbors.close();
  }
  const bytes = await bytesPerReference(db);
  const copied = scale === 1 ? await copyToAMillion(db, log) : null;
  return report({ delivered, idle, beside, bytes, copied, rounds });
}

/** From the response to the author until the last reader has it. */
async function deliver(db: Db, star: string): Promise<Delivered> {
  await post(db, star);
  return measureCpu(db, () => carryOut(db));
}

async function besideDeliveries(db: Db, neighbors: Neighbors, times: ReturnType<typeof newTimes>): Promise<void> {
  for (let at = 0; at < POSTS_BESIDE; at += 1) await post(db, `star-${COPIED_MAX}`);
  await neighbors.beside(carryOut(db), times);
}

/** What the limit spares: the post is copied as if the author had only a few followers. */
async function copyToAMillion(db: Db, log: (line: string) => void): Promise<Delivered> {
  log('copying a post to a million readers');
  await setFollowerCount(db, `star-${MILLION}`, 1);
  return deliver(db, `star-${MILLION}`);
}

async function bytesPerReference(db: Db): Promise<number> {
  const { size, totalIndexSize } = await db.command({ collStats: newsPages.collectionName });
  const [counted] = await newsPages(db)
    .aggregate<{ references: number }>([{ $group: { _id: null, references: { $sum: '$count' } } }])
    .toArray();
  return (size + totalIndexSize) / (counted?.references ?? 1);
}

interface Measured {
  readonly delivered: ReadonlyMap<number, readonly Delivered[]>;
  readonly idle: ReturnType<typeof newTimes>;
  readonly beside: ReturnType<typeof newTimes>;
  readonly bytes: number;
  /** A post copied to a million readers. Null in a quick run. */
  readonly copied: Delivered | null;
  readonly rounds: number;
}

function report({ delivered, idle, beside, bytes, copied, rounds }: Measured): Findings {
  const row = (size: number, way: string, all: readonly Delivered[]) => {
    const share = (part: (one: Delivered) => number) => format(median(all.map(part)) / size);
    const cpu = way === 'READ' ? ['', ''] : [share(({ own }) => own), share(({ database }) => database)];
    return [size.toLocaleString('en'), way, format(median(all.map(({ ms }) => ms))), ...cpu];
  };
  const rows = [...delivered].map(([size, all]) => row(size, size > COPIED_MAX ? 'READ' : 'WRITE', all));
  return {
    verdicts: acts.map(
      (act): Verdict => ({
        row: `p99 of ${act}, while posts are copied to 10,000 followers each`,
        against: 'while nothing is delivered',
        measured: percentile(beside[act], 0.99) / percentile(idle[act], 0.99),
        bound: 'at most',
        goal: 1.5,
      }),
    ),
    tables: [
      {
        columns: ['followers', 'way', 'ms until the last one has it', 'CPU µs per follower, process', 'database'],
        rows: copied ? [...rows, row(MILLION, 'WRITE, only to compare', [copied])] : rows,
      },
      {
        columns: ['others', 'idle: p50 ms', 'p95', 'p99', 'beside deliveries: p50 ms', 'p95', 'p99', 'measured'],
        rows: acts.map((act) => [
          act,
          ...[idle, beside].flatMap((times) => [0.5, 0.95, 0.99].map((part) => format(percentile(times[act], part)))),
          `${idle[act].length} and ${beside[act].length}`,
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${POSTS} posts for each size, one courier, in the process that measures. A delivered reference takes ${bytes.toFixed(0)} bytes of the news, with its share of all indexes.`,
      `The others act 20 times a second each, at fixed times, in the same process and on the same database, while ${POSTS_BESIDE} posts go to 10,000 followers each, and for as long without deliveries.`,
    ],
  };
}
