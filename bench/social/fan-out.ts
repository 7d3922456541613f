/** A post on its way to the last of its readers. By the functions of the models, on one database. */
import type { Db } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { carryOut } from '../../src/models/social/news/courier.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { type Cpu, measureCpu } from '../support/database-cpu.js';
import { median } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { COPIED_MAX, STAR_SIZES, setFollowerCount, storeStar, storeStars } from './many-people.js';
import { post } from './posting.js';

/** Beyond the limit: each follower costs the same, so a million takes ten times as long. */
const COMPARED = 100_000;
const POSTS = 5;

interface Delivered extends Cpu {
  readonly ms: number;
}

export const fanOut: Benchmark = {
  name: 'fan-out-social',
  title: 'A post until its last reader has it',
  run: (surroundings) => inOwnDatabase(surroundings, (_client, db) => measure(db, surroundings)),
};

async function measure(db: Db, { rounds, scale, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  await storeStars(db);
  const delivered = new Map<number, Delivered[]>(STAR_SIZES.map((size) => [size, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const size of STAR_SIZES)
      for (let at = 0; at < POSTS; at += 1) {
        const one = await deliver(db, `star-${size}`);
        if (round > 0) delivered.get(size)?.push(one);
      }
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  const bytes = await bytesPerReference(db);
  const copied = scale === 1 ? await copyToMany(db, log) : null;
  return report({ delivered, bytes, copied, rounds });
}

/** From the response to the author until the last reader has it. */
async function deliver(db: Db, star: string): Promise<Delivered> {
  await post(db, star);
  return measureCpu(db, () => carryOut(db));
}

/** What the limit spares: the post is copied as if the author had only a few followers. */
async function copyToMany(db: Db, log: (line: string) => void): Promise<Delivered> {
  log(`copying a post to ${COMPARED} readers`);
  await storeStar(db, `star-${COMPARED}`, COMPARED, false);
  await setFollowerCount(db, `star-${COMPARED}`, 1);
  return deliver(db, `star-${COMPARED}`);
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
  readonly bytes: number;
  /** A post copied to COMPARED readers. Null in a quick run. */
  readonly copied: Delivered | null;
  readonly rounds: number;
}

function report({ delivered, bytes, copied, rounds }: Measured): Findings {
  const row = (size: number, way: string, all: readonly Delivered[]) => {
    const share = (part: (one: Delivered) => number) => format(median(all.map(part)) / size);
    const cpu = way === 'READ' ? ['', ''] : [share(({ own }) => own), share(({ database }) => database)];
    return [size.toLocaleString('en'), way, format(median(all.map(({ ms }) => ms))), ...cpu];
  };
  const rows = [...delivered].map(([size, all]) => row(size, size > COPIED_MAX ? 'READ' : 'WRITE', all));
  return {
    verdicts: [],
    tables: [
      {
        columns: ['followers', 'way', 'ms until the last one has it', 'CPU µs per follower, process', 'database'],
        rows: copied ? [...rows, row(COMPARED, 'WRITE, only to compare', [copied])] : rows,
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${POSTS} posts for each size, one courier, in the process that measures. A delivered reference takes ${bytes.toFixed(0)} bytes of the news, with its share of all indexes.`,
    ],
  };
}
