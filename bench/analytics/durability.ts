/**
 * The cost and benefit of each durability: the rate of single events, and how many of them are lost when the database
 * is killed with SIGKILL while they are recorded. An event counts as acknowledged when its call returns: it is stored,
 * or with FIRE_AND_FORGET only sent.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import type { Durability } from '../../src/database/index.js';
import { keptFields } from '../../src/models/analytics/log/log-fields.js';
import { recordEvents } from '../../src/models/analytics/log/request-record.js';
import { findGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import { logEvents } from '../../src/models/analytics/log-growth/log-segment.js';
import { noteSite } from '../../src/models/analytics/sites/site.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { type Figures, inOwnDatabase, measureCallers } from '../support/contest.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';

const CALLERS = 16;
const RATE_MS = 2_000;
/** The kill happens at a random time in this range, independent of when the journal was flushed. */
const KILL_AFTER_MS = { min: 300, max: 700 } as const;
/**
 * How long recording continues once there is a primary again, so that a killed member returns to a diverged history.
 */
const AFTER_MS = 300;
const ARRIVAL_MS_MAX = 30_000;
const ANSWER_MS_MAX = 40_000; // longer than the driver searches for a primary

const durabilities: readonly Durability[] = ['FIRE_AND_FORGET', 'ACKNOWLEDGED', 'JOURNALED', 'MAJORITY'];

interface Case {
  /** What is killed. */
  readonly name: string;
  readonly members: 1 | 3;
  readonly journalMs: number;
  readonly kills: 'the primary' | 'all';
}

const MONGODB_JOURNAL_MS = 100; // MongoDB's default
const EMBEDDED_JOURNAL_MS = 5; // of the embedded server

const cases: readonly Case[] = [
  { name: 'one member', members: 1, journalMs: MONGODB_JOURNAL_MS, kills: 'all' },
  { name: 'one member, journal every 5 ms', members: 1, journalMs: EMBEDDED_JOURNAL_MS, kills: 'all' },
  { name: 'the primary of three members', members: 3, journalMs: MONGODB_JOURNAL_MS, kills: 'the primary' },
  { name: 'three members at once', members: 3, journalMs: MONGODB_JOURNAL_MS, kills: 'all' },
];

/** The losses caused by kills. */
interface Toll {
  told: number;
  lost: number;
  /** How long before the kill the oldest lost event was acknowledged, in milliseconds. */
  reachMs: number;
}

interface Result {
  readonly name: string;
  readonly durability: Durability;
  readonly perSecond: Rounds;
  readonly p50: Rounds;
  readonly p99: Rounds;
  readonly toll: Toll;
}

export const durability: Benchmark = {
  name: 'durability',
  title: 'Durability: rate, and loss when the database is killed',
  async run(surroundings) {
    const results: Result[] = [];
    for (const one of cases) {
      const { members, journalMs } = one;
      const set = await startReplicaSet({
        members,
        journalMs,
        cacheGb: 0.5,
        oplogMb: 500,
        logFileMb: 100,
        syncDelay: 60,
      });
      try {
        results.push(...(await runCase(surroundings, one, set)));
      } finally {
        await set.stop();
      }
    }
    return findings(results, surroundings.rounds);
  },
};

async function runCase(
  { rounds, scale, log, ...surroundings }: Surroundings,
  { name, kills }: Case,
  set: ReplicaSet,
): Promise<Result[]> {
  const results = durabilities.map((each): Result => {
    const toll = { told: 0, lost: 0, reachMs: 0 };
    return { name, durability: each, perSecond: new Rounds(), p50: new Rounds(), p99: new Rounds(), toll };
  });
  for (let round = 1; round <= rounds; round += 1) {
    for (const { durability: each, perSecond, p50, p99, toll } of results) {
      const place = { ...surroundings, rounds, scale, log, mongodbUri: set.uri };
      const figures = await inOwnDatabase(place, (_client, db) => measureRate(db, each, RATE_MS * scale));
      perSecond.add(name, figures.perSecond);
      p50.add(name, figures.p50);
      p99.add(name, figures.p99);
      const { told, lost, reachMs } = await inOwnDatabase(place, (_client, db) => measureLoss(db, each, set, kills));
      toll.told += told;
      toll.lost += lost;
      toll.reachMs = Math.max(toll.reachMs, reachMs);
      log(`${name}, round ${round}, ${each}: ${format(figures.perSecond)}/s, ${lost} of ${told} lost`);
    }
  }
  return results;
}

/** Creates only the collections that events are written to, so that each round starts quickly. */
async function prepare(db: Db): Promise<void> {
  await findGrowth(db); // creates the log's collection
  await noteSite(db, SITE, new Date());
}

const SITE = 'example.org';
const keep = keptFields([]);

/** Records a single event. @param number identifies it */
async function recordOne(db: Db, number: number, asked: Durability): Promise<void> {
  const now = new Date();
  const event = {
    site: 'example.org',
    time: now,
    host: '203.0.113.7',
    status: 200,
    path: '/index.html',
    bytes: number,
  };
  const { rejected } = await recordEvents(db, [event], asked, { now, keep });
  if (rejected.length > 0) throw new Error(`Rejected: ${rejected[0]?.message}`);
  await setImmediate(); // a call that waits for nothing must not block the others
}

async function measureRate(db: Db, asked: Durability, ms: number): Promise<Figures> {
  await prepare(db);
  let number = 0;
  const begin = performance.now();
  const figures = await measureCallers(CALLERS, ms, async () => {
    await recordOne(db, number++, asked);
    return 1;
  });
  // Events that were only sent are not recorded yet: the rate is that of their arrival.
  const deadline = performance.now() + ARRIVAL_MS_MAX;
  while ((await logEvents(db).estimatedDocumentCount()) < number) {
    if (performance.now() > deadline) throw new Error(`Not all of ${number} events arrived in ${ARRIVAL_MS_MAX} ms`);
  }
  return { ...figures, perSecond: (number * 1000) / (performance.now() - begin) };
}

async function measureLoss(db: Db, asked: Durability, set: ReplicaSet, kills: Case['kills']): Promise<Toll> {
  await prepare(db);
  const toldAt = new Map<number, number>();
  let number = 0;
  let isRunning = true;
  const call = async () => {
    while (isRunning) {
      const own = number++;
      try {
        await recordOne(db, own, asked);
        toldAt.set(own, performance.now());
      } catch {
        // It was not acknowledged.
      }
    }
  };
  const callers = Array.from({ length: CALLERS }, call);
  const { min, max } = KILL_AFTER_MS;
  await pause(min + Math.random() * (max - min));
  const victims = kills === 'all' ? set.members : [await set.primary()];
  const killedAt = performance.now();
  await Promise.all(victims.map((member) => member.kill()));
  if (kills === 'all') await Promise.all(victims.map((member) => member.start()));
  await set.primary();
  await pause(AFTER_MS);
  isRunning = false;
  // Bounded: the driver (7.9) never settles a write at w: 0 whose socket was full when the database died.
  await Promise.race([Promise.all(callers), pause(ANSWER_MS_MAX)]);
  await Promise.all(set.members.filter(({ running }) => !running).map((member) => member.start()));
  await set.whole();
  const stored = new Set(await logEvents(db).distinct('bytes', {}, { readConcern: { level: 'majority' } }));
  const lost = [...toldAt].filter(([own]) => !stored.has(own));
  const reachMs = Math.max(0, ...lost.map(([, at]) => killedAt - at));
  return { told: toldAt.size, lost: lost.length, reachMs };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function findings(results: readonly Result[], rounds: number): Findings {
  const promised = (name: string, durability: Durability, row: string) => ({
    row,
    against: '',
    measured: results.find((one) => one.name === name && one.durability === durability)?.toll.lost ?? null,
    bound: 'at most' as const,
    goal: 0,
  });
  return {
    verdicts: [
      promised('one member', 'JOURNALED', 'acknowledged events lost at JOURNALED, killed: one member'),
      ...cases.map(({ name }) => promised(name, 'MAJORITY', `acknowledged events lost at MAJORITY, killed: ${name}`)),
    ],
    tables: [
      {
        columns: [
          'killed',
          'durability',
          'events/s',
          'p50 ms',
          'p99 ms',
          'acknowledged',
          'lost',
          'oldest lost, ms before',
        ],
        rows: results.map(({ name, durability: asked, perSecond, p50, p99, toll }) => [
          name,
          asked,
          ...[perSecond, p50, p99].map((one) => format(one.median(name))),
          ...[toll.told, toll.lost].map((count) => count.toLocaleString('en')),
          toll.lost === 0 ? '' : format(toll.reachMs),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} with one SIGKILL each. The members share this machine with ${CALLERS} callers, each of which records one event after another with \`recordEvents\`. The rate is measured undisturbed. Events are recorded through the kill, the election and ${AFTER_MS} ms beyond. Then the killed member returns and rolls back what the others never received, and the events that a majority has are compared with the acknowledged ones.`,
      `The journal is flushed every ${MONGODB_JOURNAL_MS} ms, MongoDB's default; where stated every ${EMBEDDED_JOURNAL_MS} ms, as in the embedded server. Members wait 1 s for a silent primary. SIGKILL spares data that the operating system has already accepted: a machine that loses power loses more at ACKNOWLEDGED and FIRE_AND_FORGET, where nothing was synced.`,
    ],
  };
}
