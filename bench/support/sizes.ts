/**
 * Whether queries cost more in a larger collection. Each query alternates between two sizes, by default 10,000 and a million documents,
 * with pages of the same size. Measures its time and the index keys that the database reads.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import type { Findings, Surroundings, Verdict } from './benchmark.js';
import { percentile, Rounds } from './measure.js';
import { format, roundsOf } from './report.js';

/** How many things are stored. */
export type Size = number;
/** The smaller one, then the larger one. */
type Sizes = readonly [Size, Size];
const SIZES: Sizes = [10_000, 1_000_000];

const TURNS = 100; // per query, size and round
const SAMPLES = 20; // runs per query whose keys are counted
const RATIO_MAX = 1.5;

/** A query with its arguments, ready to run. */
export type Ask = () => Promise<unknown>;

export interface SizedQuery {
  readonly name: string;
  /** The cost may grow with the number of matches, up to a bound: measured, but exempt from the goal. */
  readonly bounded?: true;
  /** Fewer turns, of a query that takes long. */
  readonly turns?: number;
  prepare(db: Db, random: Random, size: Size): Ask | Promise<Ask>;
}

export interface SizedContest {
  /** What is stored, for example `products`. */
  readonly things: string;
  /** What one of the queries is called, for example `catalog query`. */
  readonly query: string;
  /** Default: 10,000 and 1,000,000. */
  readonly sizes?: Sizes;
  /** Whether a query without an index is a failure. */
  readonly isIndexed?: true;
  fill(db: Db, size: Size): Promise<void>;
  readonly queries: readonly SizedQuery[];
  /** What the data is, and which queries are exempt from the goal. */
  readonly notes: readonly string[];
}

export async function compareSizes(surroundings: Surroundings, contest: SizedContest): Promise<Findings> {
  const client = await MongoClient.connect(surroundings.mongodbUri, { writeConcern: { w: 'majority' } });
  const prefix = `sextant_bench_${randomBytes(4).toString('hex')}`;
  const databases = new Map((contest.sizes ?? SIZES).map((size) => [size, client.db(`${prefix}_${size}`)]));
  try {
    for (const [size, db] of databases) {
      await contest.fill(db, size);
      surroundings.log(`${size} ${contest.things} are stored`);
    }
    return await compare(contest, databases, surroundings);
  } finally {
    for (const db of databases.values()) await db.dropDatabase();
    await client.close();
  }
}

const cell = ({ name }: SizedQuery, size: Size) => `${name}, ${size}`;

async function compare(
  contest: SizedContest,
  databases: ReadonlyMap<Size, Db>,
  { rounds, scale, log }: Surroundings,
): Promise<Findings> {
  const [times, keys] = [new Rounds(), new Rounds()];
  for (const query of contest.queries) {
    const { turns = TURNS } = query;
    const samples = Math.min(SAMPLES, turns);
    for (const [size, db] of databases) {
      const counted = await countKeys(db, query, size, samples);
      if (contest.isIndexed && counted.scans > 0) throw new Error(`${query.name} reads a whole collection`);
      keys.add(cell(query, size), counted.keys);
    }
    for (let round = 0; round <= rounds; round += 1) {
      const taken = await time(databases, query, makeRandom(round), Math.ceil(turns * scale));
      if (round > 0) for (const [size, ms] of taken) times.add(cell(query, size), percentile(ms, 0.5));
    }
    log(`${query.name} done`);
  }
  return findings(contest, times, keys, rounds);
}

/** The sizes alternate, query by query. @returns milliseconds */
async function time(databases: ReadonlyMap<Size, Db>, query: SizedQuery, random: Random, turns: number) {
  const taken = new Map<Size, number[]>([...databases.keys()].map((size) => [size, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [size, db] of databases) {
      const ask = await query.prepare(db, random, size);
      const sent = performance.now();
      await ask();
      taken.get(size)?.push(performance.now() - sent);
    }
  }
  return taken;
}

interface CountedKeys {
  /** Index keys that the database reads per query, from its profiler; the mean of the samples. */
  readonly keys: number;
  /** How often it read a whole collection. */
  readonly scans: number;
}

async function countKeys(db: Db, query: SizedQuery, size: Size, samples: number): Promise<CountedKeys> {
  const random = makeRandom(1);
  const asks: Ask[] = [];
  for (let sample = 0; sample < samples; sample += 1) asks.push(await query.prepare(db, random, size));
  await db.command({ profile: 2 });
  for (const ask of asks) await ask();
  await db.command({ profile: 0 });
  const [sum] = await db
    .collection('system.profile')
    .aggregate<CountedKeys>([
      {
        $group: {
          _id: null,
          keys: { $sum: '$keysExamined' },
          scans: { $sum: { $cond: [{ $eq: ['$planSummary', 'COLLSCAN'] }, 1, 0] } },
        },
      },
    ])
    .toArray();
  await db.collection('system.profile').drop();
  return { keys: (sum?.keys ?? Number.NaN) / samples, scans: sum?.scans ?? 0 };
}

function findings(
  { things, query: kind, queries, notes, sizes = SIZES }: SizedContest,
  times: Rounds,
  keys: Rounds,
  rounds: number,
): Findings {
  const [small, large] = sizes;
  const [few, many] = sizes.map((size) => size.toLocaleString('en'));
  const ratioOf = (figures: Rounds, query: SizedQuery) => figures.ratio(cell(query, large), cell(query, small));
  const held = queries.filter(({ bounded }) => !bounded);
  const verdict = (what: string, figures: Rounds): Verdict => {
    const worst = held.reduce((left, right) => (ratioOf(figures, right) > ratioOf(figures, left) ? right : left));
    return {
      row: `${what} of each ${kind}, ${many} ${things}`,
      against: `the same with ${few} ${things}`,
      measured: ratioOf(figures, worst),
      bound: 'at most',
      goal: RATIO_MAX,
      unit: ' times',
      remark: `highest: ${worst.name}`,
    };
  };
  return {
    verdicts: [verdict('time', times), verdict('keys examined', keys)],
    tables: [
      {
        columns: ['query', `ms at ${few}`, `ms at ${many}`, 'ratio', `keys at ${few}`, `keys at ${many}`, 'ratio'],
        rows: queries.map((query) => [
          query.name + (query.bounded ? ' (bounded)' : ''),
          ...[times, keys].flatMap((figures) =>
            [...sizes.map((size) => figures.median(cell(query, size))), ratioOf(figures, query)].map(format),
          ),
        ]),
      },
    ],
    notes: [
      `Pages of 20, read by the models' functions in this process, one caller, random arguments; the two databases alternate. Medians of ${TURNS} queries in each round, over ${roundsOf(rounds)}. Keys are counted by the database's profiler, the mean of ${SAMPLES} queries.`,
      ...notes,
    ],
  };
}
