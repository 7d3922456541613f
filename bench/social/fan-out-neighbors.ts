/** What the delivery of posts costs others: on one database, with the courier of the product in the process that measures. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db, MongoClient } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { deliveries } from '../../src/models/social/delivery/delivery.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { percentile } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { COPIED_MAX, STAR_SIZES, storeStar, storeStars } from './many-people.js';
import { type Act, acts, Neighbors, newTimes } from './neighbors.js';

/** Longer than the time between two checkpoints of the database, which hold everybody up: so each case has its own. */
const CASE_MS = 65_000;
const WARM_UP_MS = 5000;
const POST_EVERY_MS = 100;
const LOOK_EVERY_MS = 20;
const GOAL = 1.5;

type Times = ReturnType<typeof newTimes>;

export const fanOutNeighbors: Benchmark = {
  name: 'fan-out-neighbors',
  title: 'Others, while posts are delivered',
  run: (surroundings) => inOwnDatabase(surroundings, (client, db) => measure(client, db, surroundings)),
};

async function measure(client: MongoClient, db: Db, { rounds, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  await storeStars(db);
  await storeStar(db, 'neighbor', 1, true);
  const neighbors = new Neighbors(client, db, 'neighbor');
  await neighbors.begin();
  const idle: Times[] = [];
  const beside = new Map<number, Times[]>(STAR_SIZES.map((size) => [size, []]));
  const posts = new Map<number, number>(STAR_SIZES.map((size) => [size, 0]));
  try {
    await neighbors.act(WARM_UP_MS, newTimes());
    await besideDeliveries(db, neighbors, COPIED_MAX, WARM_UP_MS, newTimes());
    const cases: (() => Promise<void>)[] = [
      () => neighbors.act(CASE_MS, ofNewRound(idle)),
      ...[...beside].map(([size, times]) => async () => {
        const published = await besideDeliveries(db, neighbors, size, CASE_MS, ofNewRound(times));
        posts.set(size, (posts.get(size) ?? 0) + published);
      }),
    ];
    for (let round = 1; round <= rounds; round += 1) {
      for (const run of inOtherOrder(cases, round)) {
        await client.db('admin').command({ fsync: 1 }); // what the case before has left to write is no burden of this one
        await run();
      }
      log(`round ${round} done`);
    }
  } finally {
    await neighbors.close();
  }
  return report({ idle, beside, posts, rounds });
}

function ofNewRound(rounds: Times[]): Times {
  const times = newTimes();
  rounds.push(times);
  return times;
}

/** By other steps in each round: what a case leaves behind is not always a burden of the same next one. */
const inOtherOrder = <T>(cases: readonly T[], round: number): readonly T[] => {
  const step = 1 + (round % (cases.length - 1)); // their number is a prime, so each step meets all of them
  return cases.map((_, index) => cases[(index * step + round) % cases.length] as T);
};

/** One post after the other: each when the last reader has the previous one. @returns how many */
async function besideDeliveries(db: Db, neighbors: Neighbors, size: number, ms: number, times: Times): Promise<number> {
  const until = performance.now() + ms;
  let posts = 0;
  const publish = async () => {
    for (; performance.now() < until; posts += 1) {
      const next = performance.now() + POST_EVERY_MS;
      const id = await neighbors.post(`star-${size}`);
      while (await deliveries(db).findOne({ _id: id, open: true }, { projection: { _id: 1 } }))
        await delay(LOOK_EVERY_MS);
      await delay(Math.max(0, next - performance.now()));
    }
  };
  await Promise.all([publish(), neighbors.act(ms, times)]);
  return posts;
}

interface Measured {
  /** Of each round. */
  readonly idle: readonly Times[];
  readonly beside: ReadonlyMap<number, readonly Times[]>;
  readonly posts: ReadonlyMap<number, number>;
  readonly rounds: number;
}

function report({ idle, beside, posts, rounds }: Measured): Findings {
  const ofAll = (act: Act, times: readonly Times[], part: number) =>
    percentile(
      times.flatMap((round) => round[act]),
      part,
    );
  const row = (act: Act, meanwhile: string, times: readonly Times[]) => [
    act,
    meanwhile,
    ...[0.5, 0.95, 0.99].map((part) => format(ofAll(act, times, part))),
    times.map((round) => format(percentile(round[act], 0.99))).join(', '),
    times.reduce((sum, round) => sum + round[act].length, 0).toLocaleString('en'),
  ];
  return {
    verdicts: acts.flatMap((act) =>
      [...beside].map(
        ([size, times]): Verdict => ({
          row: `p99 of ${act}, while posts go to ${size.toLocaleString('en')} each`,
          against: 'while nobody else posts',
          measured: ofAll(act, times, 0.99) / ofAll(act, idle, 0.99),
          bound: 'at most',
          goal: GOAL,
        }),
      ),
    ),
    tables: [
      {
        columns: ['others', 'meanwhile', 'p50 ms', 'p95', 'p99', 'p99 of each round', 'measured'],
        rows: acts.flatMap((act) => [
          row(act, 'nobody else posts', idle),
          ...[...beside].map(([size, times]) =>
            row(act, `${posts.get(size)} posts to ${size.toLocaleString('en')} followers each`, times),
          ),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${CASE_MS / 1000} seconds for each case, in another order in each round; a case has a checkpoint of the database of its own, and begins after one. The others act 20 times a second each, at fixed times, in the process of the courier and on the same database; what they post is delivered too. Meanwhile somebody posts each time that the last reader has the previous post, at most ${1000 / POST_EVERY_MS} times a second.`,
    ],
  };
}
