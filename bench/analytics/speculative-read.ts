/**
 * Reading the log by the last known growth while checking it (`readByGrowth`), against reading the growth first and then the log: the
 * same page of the newest requests, in this process.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import { findNewest } from '../../src/models/analytics/log/segment-query.js';
import { findGrowth, type LogGrowthDocument, readByGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { percentile, Rounds } from '../support/measure.js';
import { format } from '../support/report.js';
import { fillLog, SITE } from './many-requests.js';

const REQUESTS = 100_000;
const CALLS = 3000;
const CALLERS: readonly number[] = [1, 20];
const PAGE = 50;

type Way = 'speculative' | 'one after the other';

const read = (db: Db) => (growth: LogGrowthDocument) =>
  findNewest(db, growth, { filter: { site: SITE }, index: 'time', limit: PAGE }, 10_000);

const ways: Readonly<Record<Way, (db: Db) => Promise<unknown>>> = {
  speculative: (db) => readByGrowth(db, read(db)),
  'one after the other': async (db) => read(db)(await findGrowth(db)),
};

export const speculativeRead: Benchmark = {
  name: 'speculative-read',
  title: 'Reading the request log in one round trip',
  async run(surroundings) {
    const client = await MongoClient.connect(surroundings.mongodbUri);
    const db = client.db(`sextant_bench_${randomBytes(4).toString('hex')}`);
    try {
      await fillLog(db, Math.round(REQUESTS * surroundings.scale));
      return findings(await measure(db, surroundings), surroundings.rounds);
    } finally {
      await db.dropDatabase();
      await client.close();
    }
  },
};

const nameOf = (way: Way, callers: number): string => `${way}, ${callers}`;

async function measure(db: Db, { rounds, log }: Surroundings): Promise<Rounds> {
  const results = new Rounds();
  for (let round = 0; round <= rounds; round += 1) {
    const order = Object.keys(ways) as Way[];
    if (round % 2 === 1) order.reverse(); // neither way always runs on a warmer cache
    for (const callers of CALLERS) {
      for (const way of order) {
        const p50 = percentile(await callRepeatedly(() => ways[way](db), callers), 0.5);
        if (round > 0) results.add(nameOf(way, callers), p50); // the first one warms the cache and the compiler
      }
    }
    log(`round ${round} of ${rounds}`);
  }
  return results;
}

/** @returns the duration of each call in milliseconds */
async function callRepeatedly(call: () => Promise<unknown>, callers: number): Promise<number[]> {
  const durations: number[] = [];
  let left = CALLS;
  const run = async () => {
    while (left-- > 0) {
      const begin = performance.now();
      await call();
      durations.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: callers }, run));
  return durations;
}

const findings = (results: Rounds, rounds: number): Findings => ({
  verdicts: CALLERS.map((callers) => ({
    row: callers === 1 ? 'A page of the log, one caller, p50' : `A page of the log, ${callers} callers, p50`,
    against: 'the growth document first, then the log',
    measured: results.ratio(nameOf('speculative', callers), nameOf('one after the other', callers)),
    bound: 'at most' as const,
    goal: callers === 1 ? 0.9 : 1.1,
  })),
  tables: [
    {
      columns: ['callers', 'speculative p50 ms', 'one after the other p50 ms'],
      rows: CALLERS.map((callers) => [
        String(callers),
        ...(Object.keys(ways) as Way[]).map((way) => format(results.median(nameOf(way, callers)))),
      ]),
    },
  ],
  notes: [
    `${rounds} rounds. A page of ${PAGE} requests, ${CALLS.toLocaleString('en')} calls per round, the two ways in turn. The database is on the same machine: over a network, a round trip takes longer and the ratio for one caller is smaller.`,
  ],
});
