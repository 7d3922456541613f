/**
 * Roll-ups of sessions: the first run and a run after 1 % more has arrived, against aggregation pipelines from scratch
 * in the database; and the same arrivals with a tenth of the sessions stored.
 */
import { performance } from 'node:perf_hooks';
import type { Db } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { childrenOf, rollUps } from '../../src/models/analytics/sessions/roll-up.js';
import { type RollUpLevel, rollUpLevels } from '../../src/models/analytics/sessions/roll-up-level.js';
import { rollUpSessions } from '../../src/models/analytics/sessions/roll-up-run.js';
import { groupStage } from '../../src/models/analytics/sessions/roll-up-sum.js';
import { type SessionDocument, sessions } from '../../src/models/analytics/sessions/session.js';
import type { Benchmark, Surroundings, Verdict } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { median, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';

const SESSIONS = 1_000_000;
const USERS = 10_000;
const DAYS = 30;
const RECENT_HOURS = 6;
const HOUR_MS = 3_600_000;
const INSERTED_AT_ONCE = 10_000;
const INCREMENTS = 5;

const ways = {
  scratch: 'pipelines from scratch',
  first: 'first run',
  increment: 'run after 1 % more',
  incrementOfTenth: 'the same arrivals, a tenth stored',
} as const;
type Way = keyof typeof ways;

export const rollUpsOfSessions: Benchmark = {
  name: 'roll-ups',
  title: 'Roll-ups of sessions: the first run and an increment',
  async run(surroundings) {
    const { rounds, scale, log } = surroundings;
    const seconds = new Rounds();
    for (let round = 1; round <= rounds; round += 1) {
      await play(surroundings, (way, figure) => seconds.add(way, figure));
      log(`round ${round} done`);
    }
    const count = (part: number) => Math.round(SESSIONS * scale * part).toLocaleString('en');
    return {
      verdicts: verdictsOf(seconds),
      tables: [
        {
          columns: ['run', 'seconds', '÷ pipelines from scratch', 'spread'],
          rows: (Object.keys(ways) as Way[]).map((way) => [
            ways[way],
            ...[seconds.median(way), seconds.ratio(way, 'scratch'), seconds.spread(way)].map(format),
          ]),
        },
      ],
      notes: [
        `${count(1)} sessions of ${Math.round(USERS * scale)} users over ${DAYS} days; then ${INCREMENTS} times ${count(0.01)} more within the last ${RECENT_HOURS} hours, of which the median counts. A checkpoint is taken before each run. ${roundsOf(rounds)}, each in new databases.`,
        'From scratch: one pipeline per level that groups the level below and ends in `$merge`, into empty collections with the indexes of the roll-ups, at w: majority. It has no marks and no guards: it is correct only if nothing else runs and nothing arrives.',
      ],
    };
  },
};

function verdictsOf(seconds: Rounds): Verdict[] {
  const against = 'aggregation pipelines from scratch in the database';
  const atMost = (row: string, measured: number, goal: number, of = against): Verdict => ({
    row,
    against: of,
    measured,
    bound: 'at most',
    goal,
    unit: ' times',
  });
  return [
    atMost('first roll-up of all sessions', seconds.ratio('first', 'scratch'), 2),
    atMost('roll-up of 1 % more', seconds.ratio('increment', 'scratch'), 0.05),
    atMost(
      'the same arrivals with ten times the sessions stored',
      seconds.ratio('increment', 'incrementOfTenth'),
      1.25,
      'a tenth stored',
    ),
  ];
}

/** @param tell receives a way and its duration in seconds */
async function play(surroundings: Surroundings, tell: (way: Way, seconds: number) => void): Promise<void> {
  const { scale } = surroundings;
  const stored = Math.round(SESSIONS * scale);
  const users = Math.round(USERS * scale);
  await inOwnDatabase(surroundings, async (_, db) => {
    await arrive(db, { from: 0, count: stored / 10, users, hours: DAYS * 24 });
    await run(db);
    tell('incrementOfTenth', await timeIncrements(db, { stored, users }));
  });
  await inOwnDatabase(surroundings, async (_, db) => {
    await arrive(db, { from: 0, count: stored, users, hours: DAYS * 24 });
    tell('scratch', await timed(db, () => aggregateFromScratch(db)));
    tell('first', await timed(db, () => run(db)));
    await requireEqual(db);
    tell('increment', await timeIncrements(db, { stored, users }));
  });
}

/** @returns the median duration in seconds */
async function timeIncrements(db: Db, { stored, users }: { readonly stored: number; readonly users: number }) {
  const seconds: number[] = [];
  for (let turn = 1; turn <= INCREMENTS; turn += 1) {
    await arrive(db, { from: turn * stored, count: Math.round(stored / 100), users, hours: RECENT_HOURS });
    seconds.push(await timed(db, () => run(db)));
  }
  return median(seconds);
}

/** Flushes earlier writes to disk first, so that their cost is not counted here. */
async function timed(db: Db, work: () => Promise<unknown>): Promise<number> {
  await db.client.db('admin').command({ fsync: 1 });
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

const run = (db: Db) => rollUpSessions(db, { before: new Date(), now: new Date() });

interface Arrivals {
  /** The number of the first session. */
  readonly from: number;
  readonly count: number;
  readonly users: number;
  /** How far back they start. */
  readonly hours: number;
}

async function arrive(db: Db, { from, count, users, hours }: Arrivals): Promise<void> {
  if (from === 0) await buildIndexes(db);
  const now = new Date();
  for (let first = 0; first < count; first += INSERTED_AT_ONCE) {
    const documents = Array.from(
      { length: Math.min(INSERTED_AT_ONCE, count - first) },
      (_, index): SessionDocument => ({
        _id: from + first + index,
        userid: `user-${Math.floor(Math.random() * users)}`,
        ts: new Date(now.getTime() - Math.random() * hours * HOUR_MS),
        length: Math.floor(Math.random() * 3600),
        arrived_at: now,
        pending: true,
      }),
    );
    await sessions(db).insertMany(documents, { ordered: false });
  }
}

const scratchName = (level: RollUpLevel) => `scratch.${rollUps[level].collectionName}`;

async function aggregateFromScratch(db: Db): Promise<void> {
  for (const level of rollUpLevels) {
    const { collectionName } = childrenOf[level];
    const from = level === 'HOUR' ? collectionName : `scratch.${collectionName}`;
    await db.createIndex(scratchName(level), { '_id.u': 1, '_id.d': 1 });
    await db.createIndex(scratchName(level), { '_id.d': 1, '_id.u': 1 });
    const value = { total: '$total', count: '$count', mean: { $divide: ['$total', '$count'] }, ts: new Date() };
    const pipeline = [groupStage(level), { $project: { value } }, { $merge: { into: scratchName(level) } }];
    await db.collection(from).aggregate(pipeline, { allowDiskUse: true }).toArray();
  }
}

/** The measured runs must have produced the right result. */
async function requireEqual(db: Db): Promise<void> {
  for (const level of rollUpLevels) {
    const sum = [{ $group: { _id: null, documents: { $sum: 1 }, total: { $sum: '$value.total' } } }];
    const both = [rollUps[level].collectionName, scratchName(level)];
    const [ours, theirs] = await Promise.all(both.map((name) => db.collection(name).aggregate(sum).toArray()));
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error(`The roll-ups of level ${level} are wrong`);
  }
}
