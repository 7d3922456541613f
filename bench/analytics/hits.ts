/**
 * Recorded hits: the group commit against two upserts per hit with the raw driver, in this process, with the same
 * durability, indexes and filters; and one caller's latency against the same two upserts in one raw transaction.
 */
import { performance } from 'node:perf_hooks';
import type { Db, MongoClient } from 'mongodb';
import {
  buildIndexes,
  commitConcernOf,
  type Durability,
  type UpdateStatement,
  writeConcernOf,
} from '../../src/database/index.js';
import { dailyHits, type Hit, monthlyHits } from '../../src/models/analytics/hits/hit.js';
import { createHitRecorder } from '../../src/models/analytics/hits/hit-recorder.js';
import { statementsOf } from '../../src/models/analytics/hits/hit-statements.js';
import type { Benchmark, Surroundings, Verdict } from '../support/benchmark.js';
import { Contest, type Figures, figuresOf, inOwnDatabase, measureCallers } from '../support/contest.js';
import { roundsOf } from '../support/report.js';

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
  run: (surroundings) =>
    inOwnDatabase(surroundings, async (client, db) => {
      await buildIndexes(db);
      return compare(client, db, surroundings);
    }),
};

/** A row of the table: one method with a number of callers. */
const cell = (durability: Durability, callers: number, way: Way) => [durability, String(callers), way];

/** With many callers, a raw transaction per hit only causes conflicts: the baseline there is the plain upserts. */
const waysOf = (callers: number) => ways.filter((way) => way !== 'raw: one transaction' || callers === 1);

type HitContest = Contest<'perSecond' | 'p50' | 'cpu'>;

async function compare(client: MongoClient, db: Db, { rounds, scale, log }: Surroundings) {
  const contest: HitContest = new Contest({ perSecond: 'hits/s', p50: 'p50 ms', cpu: 'CPU µs per hit' });
  for (let round = 0; round <= rounds; round += 1) {
    for (const durability of durabilities) {
      const record = waysToRecord(client, db, durability);
      const ms = round === 0 ? 300 : ROUND_MS * scale; // round 0 creates the documents and warms up; its figures are discarded
      for (const [callers, way, figures] of await measureAll(record, ms))
        if (round > 0) contest.add(cell(durability, callers, way), figures);
    }
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  const lines = durabilities.flatMap((durability) =>
    [1, ...crowds].flatMap((callers) =>
      waysOf(callers).map((way) => ({
        cell: cell(durability, callers, way),
        base: cell(durability, callers, 'raw: two upserts'),
      })),
    ),
  );
  return {
    verdicts: verdictsOf(contest),
    tables: [contest.table(['durability', 'callers', 'method'], lines, { of: 'perSecond', heading: '÷ raw upserts' })],
    notes: [
      `${PAGES} pages of one site; each caller sends its next hit when the previous one is durable. ${roundsOf(rounds)} of ${(ROUND_MS * scale) / 1000} s, interleaved; with one caller the methods alternate hit by hit. CPU is that of this process, including the callers.`,
      'The raw driver sends the two upserts of a hit concurrently, with the same filters as the group commit (`_id` alone on an unsharded server). "Two bulks" groups in the same way but without a transaction: a crash between them leaves hits in one document and not in the other.',
    ],
  };
}

function verdictsOf(contest: HitContest): Verdict[] {
  const faster = (callers: number, goal: number): Verdict => ({
    row: `recorded hits per second, ${callers} callers, ${PAGES} pages`,
    against: 'two upserts per hit with the raw driver',
    measured: contest.ratio(
      'perSecond',
      cell('MAJORITY', callers, 'group commit'),
      cell('MAJORITY', callers, 'raw: two upserts'),
    ),
    bound: 'at least',
    goal,
    unit: ' times',
  });
  return [
    faster(64, 5),
    faster(512, 30),
    {
      row: 'p50 of a recorded hit, one caller',
      against: 'the same two upserts in one transaction with the raw driver',
      measured: contest.ratio('p50', cell('MAJORITY', 1, 'group commit'), cell('MAJORITY', 1, 'raw: one transaction')),
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
  if (!day || !month) throw new Error('A hit must have two updates');
  return { day, month };
}

/** Natural batching in its simplest form. */
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

type Measured = readonly [callers: number, way: Way, figures: Figures];

async function measureAll(record: Record<Way, RecordHit>, ms: number): Promise<Measured[]> {
  const measured = await measureInTurn(record, ms);
  for (const callers of crowds) {
    for (const way of waysOf(callers)) {
      const figures = await measureCallers(callers, ms, async (caller, turn) => {
        await record[way](hitOf(caller * 7 + turn * 13));
        return 1;
      });
      measured.push([callers, way, figures]);
    }
  }
  return measured;
}

/**
 * One caller that records each hit with a different method than the previous one, so that disturbances affect all
 * methods alike.
 */
async function measureInTurn(record: Record<Way, RecordHit>, ms: number): Promise<Measured[]> {
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
  return [...taken].map(([way, { latencies, cpuUs }]) => {
    const seconds = latencies.reduce((total, each) => total + each, 0) / 1000;
    return [1, way, figuresOf({ latencies, seconds, cpuUs, attempts: latencies.length })];
  });
}

const hitOf = (page: number): Hit => ({ site: 'bench.example', page: `/page-${page % PAGES}`, at: new Date() });
