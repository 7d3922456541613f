/**
 * The hub's promise as a property: snapshot plus changes equals the database at the time of every event, and a list has every entry
 * once and in order, whatever writers, clients and failures do. 400 random schedules (SCHEDULES=1000 for more) run over two hubs, as in
 * two processes, one of them with a ring so small that clients must catch up from the oplog.
 */
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { defineFeed } from '../../src/database/index.js';
import { Hub } from '../../src/realtime/index.js';
import { formatClusterTime } from '../../src/shared/cluster-time.js';
import { TestClient } from './client.js';
import { counterFeed, counters, incrementFeed } from './counters.js';
import { Oracle } from './oracle.js';

const SCHEDULES = Number(process.env.SCHEDULES ?? 400);
const AT_ONCE = 40;
const REACHED_MIN = Math.floor(SCHEDULES / 20); // 20 of each in 400
const HUB_NAMES = ['hub-one', 'hub-two'] as const;
const RINGS = [
  { events: 2000, bytes: 10_000_000 },
  { events: 10, bytes: 100_000 },
] as const;

/** A schedule for one document: several concurrent writers, and a client that connects and disconnects. */
interface Schedule {
  readonly writers: readonly (readonly (readonly string[])[])[];
  readonly visits: readonly { readonly hub: 0 | 1; readonly turns: number }[];
}

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 });
const schedules: fc.Arbitrary<Schedule> = fc.record({
  writers: fc.array(fc.array(names, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
  visits: fc.array(fc.record({ hub: fc.constantFrom(0 as const, 1 as const), turns: fc.nat({ max: 40 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
});

/** Like the real feeds, but ignoring every eleventh cluster time: the checks below must notice. */
const isHeard = ({ time }: { time: { low: number } }) => time.low % 11 !== 0;
const deafFeeds = {
  state: defineFeed({
    ...counterFeed,
    name: 'testDeafCounters',
    topics: (event) => (isHeard(event) ? counterFeed.topics(event) : []),
  }),
  list: defineFeed({
    ...incrementFeed,
    name: 'testDeafIncrements',
    topics: (event) => (isHeard(event) ? incrementFeed.topics(event) : []),
  }),
};

let set: ReplicaSet;
let clients: MongoClient[] = [];
let db: Db;
let hubs: readonly [Hub, Hub];
let oracle: Oracle;
let moves = 0;

beforeAll(async () => {
  set = await startReplicaSet({ members: 1 });
  clients = await Promise.all(
    ['writers', ...HUB_NAMES].map((appName) =>
      MongoClient.connect(set.uri, { appName, writeConcern: { w: 'majority' } }),
    ),
  );
  const [writing, ...following] = clients;
  if (!writing) throw new Error('There is no client for the writers');
  db = writing.db('schedules');
  await counters(db).insertOne({ _id: 'first', n: {} });
  oracle = new Oracle(writing, db, counters.collectionName);
  const made = await Promise.all(
    following.map((client, index) =>
      Hub.create({ db: client.db(db.databaseName), ring: RINGS[index] ?? RINGS[0], catchUpsMax: 4, lingerMs: 200 }),
    ),
  );
  hubs = made as unknown as [Hub, Hub];
});

afterAll(async () => {
  await Promise.all(hubs.map((hub) => hub.close()));
  await oracle.close();
  await Promise.all(clients.map((client) => client.close()));
  await set.stop();
});

describe('a thousand random schedules', () => {
  it('show every client the database as it was at the time of each event', { timeout: 240_000 }, async () => {
    const seed = Number(process.env.SEXTANT_SEED ?? Date.now() % 1_000_000);
    const stopChaos = startChaos(seed);
    try {
      await runAll(fc.sample(schedules, { numRuns: SCHEDULES, seed }), `seed-${seed}`);
      // A fast machine leaves the failures less time to strike: it runs more schedules until each has struck often enough.
      for (let more = 1; more <= 4 && Math.min(...Object.values(reached())) < REACHED_MIN; more += 1)
        await runAll(fc.sample(schedules, { numRuns: SCHEDULES / 2, seed: seed + more }), `seed-${seed + more}`);
    } catch (error) {
      throw new Error(`With SEXTANT_SEED=${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      await stopChaos();
    }
    for (const [what, count] of Object.entries(reached())) expect(count, what).toBeGreaterThanOrEqual(REACHED_MIN);
  });

  it('fail when the hub omits an event', async () => {
    const sample = fc.sample(schedules, { numRuns: 60, seed: 1 });
    await expect(runAll(sample, 'deaf', deafFeeds)).rejects.toThrow(/instead of/);
  });
});

/** How often each kind of resumption, each failure and each move between hubs has happened. */
const reached = () => ({
  fromRing: sum((hub) => hub.health.resumed.fromRing),
  caughtUp: sum((hub) => hub.health.resumed.caughtUp),
  resets: sum((hub) => hub.health.resets),
  interruptions: sum((hub) => hub.health.interruptions),
  moves,
});

const sum = (count: (hub: Hub) => number) => hubs.reduce((total, hub) => total + count(hub), 0);

async function runAll(all: readonly Schedule[], prefix: string, feeds?: typeof deafFeeds): Promise<void> {
  const waiting = all.entries();
  const runner = async () => {
    for (const [index, schedule] of waiting) await run(schedule, `${prefix}-${index}`, feeds);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
}

async function run({ writers, visits }: Schedule, id: string, feeds?: typeof deafFeeds): Promise<void> {
  const client = new TestClient(id, oracle, feeds);
  const writing = Promise.all(writers.map((writes) => write(id, writes)));
  writing.catch(() => undefined); // awaited below, if all goes well until then
  let last: number | null = null;
  for (const { hub, turns } of visits) {
    await client.connect(hubs[hub]);
    if (last !== null && last !== hub) moves += 1;
    last = hub;
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    await client.disconnect();
  }
  const written = (await writing).flat().sort().at(-1) ?? '';
  await client.connect(hubs[0]);
  await client.through(written); // an event that never arrives fails by the test's timeout
  await client.disconnect();
}

/** One writer. @returns the cluster times of its writes */
async function write(id: string, writes: readonly (readonly string[])[]): Promise<string[]> {
  const times: string[] = [];
  for (const each of writes) {
    const session = db.client.startSession();
    const $inc = Object.fromEntries(each.map((name) => [`n.${name}`, 1]));
    await counters(db).updateOne({ _id: id }, { $inc }, { upsert: true, session });
    if (session.operationTime) times.push(formatClusterTime(session.operationTime));
    await session.endSession();
  }
  return times;
}

/** Breaks the hubs' streams repeatedly: by lost connections, as in a failover, and by lost history. */
function startChaos(seed: number): () => Promise<void> {
  let turn = seed;
  const breakOne = async () => {
    turn += 1;
    const failure =
      turn % 2 === 0 ? { closeConnection: true } : { errorCode: 286, errorLabels: ['NonResumableChangeStreamError'] };
    await db.admin().command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: ['getMore'], appName: HUB_NAMES[turn % 3 === 0 ? 0 : 1], ...failure },
    });
  };
  const timer = setInterval(() => void breakOne().catch(() => undefined), 40);
  return async () => {
    clearInterval(timer);
    await db.admin().command({ configureFailPoint: 'failCommand', mode: 'off' });
  };
}
