/**
 * Recorded hits: the group commit against two upserts per hit by the raw driver, in this process, at the same durability, with the same
 * indexes and the same filters; and one caller's latency against the same two upserts in one raw transaction.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import {
  buildIndexes,
  commitConcernOf,
  type Durability,
  type UpdateStatement,
  writeConcernOf,
} from '../src/database/index.js';
import { dailyHits, type Hit, monthlyHits } from '../src/models/analytics/hit.js';
import { createHitRecorder } from '../src/models/analytics/hit-recorder.js';
import { statementsOf } from '../src/models/analytics/hit-statements.js';
import type { Benchmark, Surroundings, Verdict } from './benchmark.js';
import { percentile, Rounds } from './measure.js';
import { format } from './report.js';

const PAGES = 50;
const ROUND_MS = 2000;
const durabilities = ['MAJORITY', 'JOURNALED', 'ACKNOWLEDGED'] as const;
const crowds = [64, 512] as const;
const ways = ['group commit', 'raw: two upserts', 'raw: one transaction', 'two bulks'] as const;
type Way = (typeof ways)[number];
type RecordHit = (hit: Hit) => Promise<unknown>;

export const hits: Benchmark = {
  name: 'hits',
  title: 'Recorded hits: the group commit against the raw driver',
  async run(surroundings) {
    const client = await MongoClient.connect(surroundings.mongodbUri, { writeConcern: { w: 'majority' } });
    const db = client.db(`sextant_bench_${randomBytes(4).toString('hex')}`);
    try {
      await buildIndexes(db);
      return await compare(client, db, surroundings);
    } finally {
      await db.dropDatabase();
      await client.close();
    }
  },
};

/** One cell of the table: what one way reaches with a number of callers. */
const cell = (way: Way, callers: number) => `${way}, ${callers}`;

/** A raw transaction for each hit of many callers only collides; what is under test there is the plain upserts. */
const waysOf = (callers: number) => ways.filter((way) => way !== 'raw: one transaction' || callers === 1);

async function compare(client: MongoClient, db: Db, { rounds, scale, log }: Surroundings) {
  const rates = new Rounds();
  const latencies = new Rounds();
  const cpu = new Rounds();
  for (let round = 0; round <= rounds; round += 1) {
    for (const durability of durabilities) {
      const record = waysToRecord(client, db, durability);
      const ms = round === 0 ? 300 : ROUND_MS * scale; // round 0 makes the documents and warms up; nothing of it is kept
      const measured = await measureInTurn(record, ms);
      for (const callers of crowds) {
        for (const way of waysOf(callers)) measured.set(cell(way, callers), await measure(record[way], callers, ms));
      }
      if (round === 0) continue;
      for (const [key, { perSecond, p50Ms, cpuUs }] of measured) {
        rates.add(`${durability}, ${key}`, perSecond);
        latencies.add(`${durability}, ${key}`, p50Ms);
        cpu.add(`${durability}, ${key}`, cpuUs);
      }
    }
    log(round === 0 ? 'warm' : `round ${round} done`);
  }
  return {
    verdicts: verdictsOf(rates, latencies),
    tables: [
      {
        columns: ['durability', 'callers', 'way', 'hits/s', 'p50 ms', 'CPU µs per hit', 'times the raw upserts'],
        rows: durabilities.flatMap((durability) =>
          [1, ...crowds].flatMap((callers) =>
            waysOf(callers).map((way) => {
              const key = `${durability}, ${cell(way, callers)}`;
              const figures = [rates.median(key), latencies.median(key), cpu.median(key)];
              const ratio = rates.ratio(key, `${durability}, ${cell('raw: two upserts', callers)}`);
              return [durability, String(callers), way, ...[...figures, ratio].map(format)];
            }),
          ),
        ),
      },
    ],
    notes: [
      `${PAGES} pages of one site; each caller sends its next hit when the one before is durable. ${rounds} rounds of ${(ROUND_MS * scale) / 1000} s, interleaved; the ways of one caller take turns hit by hit. CPU is that of this process, callers included.`,
      'The raw driver sends the two upserts of a hit at the same time, with the filters of the group commit (`_id` and the whole shard key). "Two bulks" groups in the same way, without a transaction: a crash between them leaves hits in one document and not in the other.',
    ],
  };
}

function verdictsOf(rates: Rounds, latencies: Rounds): Verdict[] {
  const faster = (callers: number, goal: number): Verdict => ({
    row: `recorded hits per second, ${callers} callers, ${PAGES} pages`,
    against: 'two upserts per hit by the raw driver',
    measured: rates.ratio(
      `MAJORITY, ${cell('group commit', callers)}`,
      `MAJORITY, ${cell('raw: two upserts', callers)}`,
    ),
    bound: 'at least',
    goal,
    unit: ' times',
  });
  return [
    faster(64, 5),
    faster(512, 30),
    {
      row: 'one caller’s p50 of a recorded hit',
      against: 'the same two upserts in one transaction by the raw driver',
      measured: latencies.ratio(`MAJORITY, ${cell('group commit', 1)}`, `MAJORITY, ${cell('raw: one transaction', 1)}`),
      bound: 'at most',
      goal: 1.2,
      unit: ' times',
    },
  ];
}

function waysToRecord(client: MongoClient, db: Db, durability: Durability): Record<Way, RecordHit> {
  const recorder = createHitRecorder({ client, db, waitingMax: 100_000 });
  const [daily, monthly] = [dailyHits(db), monthlyHits(db)];
  const writeConcern = writeConcernOf[durability];
  return {
    'group commit': (hit) => recorder.record([hit], durability),
    'raw: two upserts': (hit) => {
      const { day, month } = updatesOf(hit);
      return Promise.all([
        daily.updateOne(day.q, day.u, { upsert: true, writeConcern }),
        monthly.updateOne(month.q, month.u, { upsert: true, writeConcern }),
      ]);
    },
    'raw: one transaction': async (hit) => {
      const { day, month } = updatesOf(hit);
      const session = client.startSession();
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: commitConcernOf[durability] });
      await daily.updateOne(day.q, day.u, { upsert: true, session });
      await monthly.updateOne(month.q, month.u, { upsert: true, session });
      await session.commitTransaction();
      await session.endSession();
    },
    'two bulks': inBulks(async (group) => {
      const updates = statementsOf(group.map(once), false);
      await Promise.all([
        daily.bulkWrite(updates.daily.map(asOperation), { ordered: false, writeConcern }),
        monthly.bulkWrite(updates.monthly.map(asOperation), { ordered: false, writeConcern }),
      ]);
    }),
  };
}

const once = (hit: Hit) => ({ ...hit, count: 1 });

const asOperation = ({ q, u, upsert }: UpdateStatement) => ({ updateOne: { filter: q, update: u, upsert } });

/** The two updates of one hit, as the recorder writes them for a group of one. */
function updatesOf(hit: Hit) {
  const { daily, monthly } = statementsOf([once(hit)], false);
  const [day, month] = [daily[0], monthly[0]];
  if (!day || !month) throw new Error('One hit has two updates');
  return { day, month };
}

/** Natural batching in its shortest form. */
function inBulks(write: (group: readonly Hit[]) => Promise<void>): RecordHit {
  let waiting: { hit: Hit; done: () => void; failed: (error: unknown) => void }[] = [];
  let running = false;
  const run = async () => {
    const group = waiting;
    waiting = [];
    await write(group.map(({ hit }) => hit)).then(
      () => group.forEach(({ done }) => void done()),
      (error: unknown) => group.forEach(({ failed }) => void failed(error)),
    );
    setImmediate(() => {
      if (waiting.length > 0) void run();
      else running = false;
    });
  };
  return (hit) =>
    new Promise<void>((done, failed) => {
      waiting.push({ hit, done, failed });
      if (running) return;
      running = true;
      setImmediate(() => void run());
    });
}

interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  /** Of this process, for each hit. */
  readonly cpuUs: number;
}

/** One caller, who records each hit in another way than the one before: what disturbs the machine disturbs all ways alike. */
async function measureInTurn(record: Record<Way, RecordHit>, ms: number): Promise<Map<string, Measured>> {
  const taken = new Map(ways.map((way) => [way, { latencies: [] as number[], cpuUs: 0 }]));
  const end = performance.now() + ms * ways.length;
  for (let hit = 0; performance.now() < end; hit += 1) {
    for (const [way, figures] of taken) {
      const cpu = process.cpuUsage();
      const sent = performance.now();
      await record[way](hitOf(hit));
      figures.latencies.push(performance.now() - sent);
      const { user, system } = process.cpuUsage(cpu);
      figures.cpuUs += user + system;
    }
  }
  return new Map(
    [...taken].map(([way, { latencies, cpuUs }]) => [cell(way, 1), summary(latencies, sum(latencies) / 1000, cpuUs)]),
  );
}

/** Each caller sends its next hit when the one before is durable. */
async function measure(record: RecordHit, callers: number, ms: number): Promise<Measured> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const caller = async (_: unknown, index: number) => {
    for (let page = index * 7; performance.now() < begin + ms; page += 13) {
      const sent = performance.now();
      await record(hitOf(page));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const { user, system } = process.cpuUsage(cpu);
  return summary(latencies, (performance.now() - begin) / 1000, user + system);
}

const hitOf = (page: number): Hit => ({ site: 'bench.example', page: `/page-${page % PAGES}`, at: new Date() });

function summary(latencies: readonly number[], seconds: number, cpuUs: number): Measured {
  return {
    perSecond: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    cpuUs: cpuUs / latencies.length,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
