/** The cost of a delivered post if a thousand followers have their news open. */
import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { cpuMicros } from '../../harness/process-usage.js';
import { buildIndexes } from '../../src/database/index.js';
import { PULLED_FOLLOWERS } from '../../src/models/social/posts/publishing.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { type Contestant, floorContestant, productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { setFollowerCount, storeStar } from './many-people.js';
import { OnlineReaders, signInAll } from './online-readers.js';

const READERS = 1000;
const POSTS = 100;
const WARM_POSTS = 30;
const STAR = 'star';
const contestants = ['product, fetched', 'product, copied', 'floor'] as const;
type Name = (typeof contestants)[number];

export const livePosts: Benchmark = {
  name: 'live-posts',
  title: 'Delivered posts',
  async run(surroundings) {
    const figures = { cpu: new Rounds(), p50: new Rounds(), p99: new Rounds(), bytes: new Rounds() };
    for (let round = 1; round <= surroundings.rounds; round += 1) {
      for (const name of contestants) await measure(name, figures, surroundings);
      surroundings.log(`round ${round} done`);
    }
    return report(figures, surroundings.rounds);
  },
};

interface LiveFigures {
  readonly cpu: Rounds;
  readonly p50: Rounds;
  readonly p99: Rounds;
  readonly bytes: Rounds;
}

/** Of the product's messages; the floor's are as long. */
let messageBytes = 500;

async function measure(name: Name, figures: LiveFigures, { mongodbUri, scale, nodeOptions }: Surroundings) {
  const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db(place.database);
  let contestant: Contestant | null = null;
  try {
    await buildIndexes(db);
    await storeStar(db, STAR, READERS, true);
    if (name === 'product, fetched') await setFollowerCount(db, STAR, PULLED_FOLLOWERS + 1);
    const ids = Array.from({ length: READERS }, (_, at) => `${STAR}-fan-${at}`);
    const tokens = name === 'floor' ? ids.map(() => null) : await signInAll(db, ids);
    contestant =
      name === 'floor'
        ? await floorContestant('posts', place, { MESSAGE_BYTES: String(messageBytes) })
        : await productContestant(place, nodeOptions);
    const readers = new OnlineReaders(db, STAR);
    await readers.connect(contestant, tokens);
    await readers.post(WARM_POSTS);
    const before = cpuMicros(contestant.pid);
    const count = Math.max(5, Math.round(POSTS * scale));
    const { p50, p99, bytes } = await readers.post(count);
    figures.cpu.add(name, (cpuMicros(contestant.pid) - before) / (count * READERS));
    figures.p50.add(name, p50);
    figures.p99.add(name, p99);
    figures.bytes.add(name, bytes);
    if (name !== 'floor') messageBytes = bytes;
    readers.end();
  } finally {
    await contestant?.stop();
    await db.dropDatabase();
    await client.close();
  }
}

function report({ cpu, p50, p99, bytes }: LiveFigures, rounds: number): Findings {
  return {
    verdicts: [
      {
        row: 'CPU of a delivered post, 1,000 followers online',
        against: 'raw `ws` broadcast, without accounts and rules',
        measured: cpu.ratio('product, fetched', 'floor'),
        bound: 'at most',
        goal: 5,
      },
    ],
    tables: [
      {
        columns: [
          'server',
          'CPU µs per delivered post',
          '÷ floor',
          'ms until a reader has it, p50',
          'p99',
          'bytes',
          'spread',
        ],
        rows: contestants.map((name) => [
          name,
          format(cpu.median(name)),
          format(cpu.ratio(name, 'floor')),
          ...[p50, p99, bytes].map((figure) => format(figure.median(name))),
          format(cpu.spread(name)),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${POSTS} posts, each to ${READERS.toLocaleString('en')} followers who have their news open, each with an account and a socket. A post is published when all have the one before.`,
      '"Fetched": the author has more than 10,000 followers. "Copied": the server also writes each post into the news of all followers, during the measurement. The floor broadcasts one buffer; the product decides for each reader, and each has a message of their own.',
    ],
  };
}
