/**
 * Recorded hits per second: the group commit against two upserts per hit by the raw driver, in one process, at the same durability,
 * the same indexes and the same filters; and one caller's latency against the same two upserts in one raw transaction.
 * Rounds are interleaved, because the machine drifts; each figure is the median of its rounds.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import { buildIndexes, commitConcernOf, type Durability, writeConcernOf } from '../src/database/index.js';
import { dailyHits, type Hit, hitUpdates, monthlyHits } from '../src/models/analytics/hit.js';
import { createHitRecorder } from '../src/models/analytics/hit-recorder.js';

const PAGES = 50;
const ROUNDS = 5;
const ROUND_MS = 1500;
const DURABILITY: Durability = 'MAJORITY';

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of this process for each hit, in microseconds. */
  readonly cpuUs: number;
}

export interface HitRow {
  readonly name: string;
  readonly unit: string;
  /** Median over the rounds. */
  readonly ours: number;
  readonly floor: number;
  readonly ratio: number;
  /** What the ratio must reach, and in which direction. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
  readonly oursRounds: readonly Round[];
  readonly floorRounds: readonly Round[];
}

/** @param uri a replica set; a database of this run's own is made and dropped */
export async function run(uri: string): Promise<HitRow[]> {
  const client = await MongoClient.connect(uri, { maxPoolSize: 100, writeConcern: { w: 'majority' } });
  const db = client.db(`sextant_bench_${randomBytes(4).toString('hex')}`);
  try {
    await buildIndexes(db);
    await preparePages(client, db);
    const ways = waysToRecord(client, db);
    const lone = await compare(ways.grouped, ways.rawTransaction, 1);
    const busy = await compare(ways.grouped, ways.raw, 64);
    const crowded = await compare(ways.grouped, ways.raw, 512);
    return [
      row('one caller, p50 against the same two upserts in one transaction', 'ms', lone, 'p50Ms', { atMost: 1.2 }),
      row('64 callers, 50 pages', 'hits/s', busy, 'perSecond', { atLeast: 5 }),
      row('512 callers, 50 pages', 'hits/s', crowded, 'perSecond', { atLeast: 30 }),
    ];
  } finally {
    await db.dropDatabase();
    await client.close();
  }
}

type Record = (hit: Hit) => Promise<unknown>;

function waysToRecord(client: MongoClient, db: Db): { grouped: Record; raw: Record; rawTransaction: Record } {
  const recorder = createHitRecorder({ client, db, waitingMax: 100_000 });
  const [daily, monthly] = [dailyHits(db), monthlyHits(db)];
  const writeConcern = writeConcernOf[DURABILITY];
  return {
    grouped: (hit) => recorder.record([hit], DURABILITY),
    raw: (hit) => {
      const { day, month } = updatesOf(hit);
      return Promise.all([
        daily.updateOne(day.filter, day.update, { upsert: true, writeConcern }),
        monthly.updateOne(month.filter, month.update, { upsert: true, writeConcern }),
      ]);
    },
    rawTransaction: async (hit) => {
      const { day, month } = updatesOf(hit);
      const session = client.startSession();
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: commitConcernOf[DURABILITY] });
      await daily.updateOne(day.filter, day.update, { upsert: true, session });
      await monthly.updateOne(month.filter, month.update, { upsert: true, session });
      await session.commitTransaction();
      await session.endSession();
    },
  };
}

/** The two updates of one hit, as the recorder writes them for a group of one. */
function updatesOf(hit: Hit) {
  const { daily, monthly } = hitUpdates([hit]);
  const [day, month] = [daily[0], monthly[0]];
  if (!day || !month || !('updateOne' in day) || !('updateOne' in month)) throw new Error('One hit has two updates');
  return {
    day: { filter: day.updateOne.filter, update: day.updateOne.update },
    month: { filter: month.updateOne.filter, update: month.updateOne.update },
  };
}

async function preparePages(client: MongoClient, db: Db): Promise<void> {
  const recorder = createHitRecorder({ client, db, waitingMax: 100_000 });
  await recorder.record(
    Array.from({ length: PAGES }, (_, page) => hitOf(page)),
    DURABILITY,
  );
  await recorder.close();
}

const hitOf = (page: number): Hit => ({ site: 'bench.example', page: `/page-${page % PAGES}`, at: new Date() });

async function compare(ours: Record, floor: Record, callers: number) {
  const rounds: { ours: Round[]; floor: Round[] } = { ours: [], floor: [] };
  await measure(ours, callers, ROUND_MS / 3);
  await measure(floor, callers, ROUND_MS / 3);
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.ours.push(await measure(ours, callers, ROUND_MS));
    rounds.floor.push(await measure(floor, callers, ROUND_MS));
  }
  return rounds;
}

/** Each caller sends its next hit when the one before is durable. */
async function measure(record: Record, callers: number, ms: number): Promise<Round> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = begin + ms;
  const caller = async (_: unknown, index: number) => {
    for (let hit = index * 7; performance.now() < end; hit += 13) {
      const sent = performance.now();
      await record(hitOf(hit));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - begin) / 1000;
  const used = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return {
    perSecond: latencies.length / seconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    cpuUs: (used.user + used.system) / latencies.length,
  };
}

function row(
  name: string,
  unit: string,
  rounds: { readonly ours: readonly Round[]; readonly floor: readonly Round[] },
  figure: 'perSecond' | 'p50Ms',
  goal: HitRow['goal'],
): HitRow {
  const [ours, floor] = [median(rounds.ours, figure), median(rounds.floor, figure)];
  return { name, unit, ours, floor, ratio: ours / floor, goal, oursRounds: rounds.ours, floorRounds: rounds.floor };
}

function median(rounds: readonly Round[], figure: 'perSecond' | 'p50Ms'): number {
  const sorted = rounds.map((round) => round[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
