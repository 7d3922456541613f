/** Real servers whose clocks are stepped, forward and back, next to others with correct clocks. Monotonic clocks are unaffected. */
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestSettings } from '../../harness/exceptions.js';
import { type Product, startProduct } from '../../harness/product.js';
import { chooseSeed, makeRandom } from '../../harness/random.js';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { findGrowth } from '../../src/models/analytics/log-growth/log-growth.js';
import { changeLogGrowth } from '../../src/models/analytics/log-growth/log-growth-change.js';
import { keepLogGrowth } from '../../src/models/analytics/log-growth/log-growth-upkeep.js';
import { findJobs } from '../../src/models/system/job.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/shared/time.js';
import { HitLedger, startHitLoad } from '../analytics/hits/hit-load.js';
import { expectCountedOnce, makeAccessLog } from '../analytics/log-import/access-log.js';
import { leaveUpload, reach, upload } from '../analytics/log-import/import-client.js';
import { schedule } from '../support/domain/domains.js';
import { testAct } from '../support/people.js';
import { makeSteppingClock, type SteppingClock } from '../support/stepping-clock.js';
import { violationsOf } from './invariants.js';

const SITE = 'clocks.example';
const RECORD = 'mutation ($events: [LogEventInput!]!) { recordEvents(events: $events) { inserted } }';
const COUNT = `query ($from: DateTime!, $to: DateTime!) {
  events(filter: { site: "${SITE}", range: { from: $from, to: $to } }, first: 200) { edges { cursor } }
}`;

describe('servers whose clocks step', () => {
  const seed = chooseSeed('stepping clocks');
  let set: ReplicaSet;
  let client: MongoClient;
  const clocks: SteppingClock[] = [];
  const products: Product[] = [];

  beforeAll(async () => {
    set = await startReplicaSet();
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  });
  afterEach(async () => {
    await Promise.all(products.splice(0).map((product) => product.kill()));
    await Promise.all(clocks.splice(0).map((clock) => clock.remove()));
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  /** @param offsetMs how far its clock is ahead when it starts */
  async function startStepping(db: Db, offsetMs = 0, environment: TestSettings = {}) {
    const clock = await makeSteppingClock(offsetMs);
    clocks.push(clock);
    const { options } = clock;
    const product = await start(db, { ...options, environment: { ...options.environment, ...environment } });
    return { product, clock };
  }

  async function start(db: Db, options: Partial<Parameters<typeof startProduct>[0]> = {}): Promise<Product> {
    const product = await startProduct({ mongodbUri: set.uri, database: db.databaseName, ...options });
    products.push(product);
    return product;
  }

  it('answer everything under load, ten minutes back and three hours ahead', async () => {
    const db = client.db('clocks_back');
    const { product, clock } = await startStepping(db);
    const ledger = new HitLedger();
    const load = startHitLoad(product, ledger, makeRandom(seed), { callers: 8 });
    await load.acknowledged(20);
    for (const [offsetMs, acknowledged] of [
      [-10 * MINUTE_MS, 50],
      [0, 80],
      [3 * HOUR_MS, 110],
    ] as const) {
      await clock.step(offsetMs);
      const paths = ['/readyz', '/healthz', '/hit.js', '/readyz'];
      const answers = await Promise.all(paths.map((path) => fetch(product.url + path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await product.request('{ system { version } }')).toMatchObject({ data: { system: {} } }); // still signed in
      await load.acknowledged(acknowledged);
    }
    await load.stop();
    await ledger.check(db);
    expect(await violationsOf(db)).toEqual([]);
  });

  it('continue their periodic work, in all processes and after restarts', { timeout: 240_000 }, async () => {
    const db = client.db('clocks_jobs');
    const { product, clock } = await startStepping(db, 3 * HOUR_MS);
    const ended = async () => (await findJobs(db)).filter((job) => job.lastFinishedAt).map(({ name }) => name);
    await expect.poll(ended, { timeout: 60_000 }).toEqual(schedule.map(({ name }) => name).sort());
    await recordSession(product);
    const other = await start(db);
    const beganAt = Date.now();
    await clock.step(0);
    for (const { name, lastRunAt, nextRunAt } of await findJobs(db)) {
      const { everyMs = 0 } = schedule.find((job) => job.name === name) ?? {};
      expect(Number(lastRunAt), name).toBeLessThan(beganAt + MINUTE_MS);
      expect(Number(nextRunAt), name).toBeLessThan(beganAt + everyMs + MINUTE_MS);
    }
    const often = schedule.filter(({ everyMs }) => everyMs < MINUTE_MS).map(({ name }) => name);
    const runAgain = async () =>
      (await findJobs(db)).filter(({ lastFinishedAt }) => Number(lastFinishedAt) > beganAt).map(({ name }) => name);
    await expect.poll(runAgain, { timeout: 60_000 }).toEqual(expect.arrayContaining(often));
    const arrived = await db.collection('sessions').findOne();
    expect(Math.abs(Number(arrived?.arrived_at) - beganAt)).toBeLessThan(2 * MINUTE_MS);

    await Promise.all([product.kill(), other.kill()]);
    const log = makeAccessLog(seed, 500);
    await leaveUpload(db, log);
    await start(db);
    await expect
      .poll(() => db.collection('log.imports').findOne(), { timeout: 60_000 })
      .toMatchObject({ state: 'FINISHED' });
    await expectCountedOnce(db, [log]);
  });

  it('drop nothing of a rotated log that is inside the window', async () => {
    const db = client.db('clocks_log');
    const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
    const first = await start(db); // its indexes
    const goal = { strategy: 'ROTATED_COLLECTIONS', maxAge: { ms: HOUR_MS }, collections: 3 } as const;
    await changeLogGrowth(db, testAct(), goal, ago(45));
    const events = Array.from({ length: 100 }, () => ({ site: SITE, time: ago(35), host: '192.0.2.1', status: 200 }));
    expect(await first.request(RECORD, { events })).toMatchObject({ data: { recordEvents: { inserted: 100 } } });
    await keepLogGrowth(db, ago(14), ago(16)); // another segment has taken over since
    await first.stop();

    const { product, clock } = await startStepping(db, 3 * HOUR_MS);
    const other = await start(db);
    const kept = 'Maintain the collections of the request log';
    const runs = async () => Number((await findJobs(db)).find(({ name }) => name === kept)?.lastFinishedAt);
    const before = await runs();
    await db.collection<{ _id: string }>('jobs').updateOne({ _id: kept }, { $set: { next_run_at: new Date(0) } });
    await expect.poll(runs, { timeout: 30_000 }).toBeGreaterThan(before);
    const { segments } = await findGrowth(db);
    expect(segments.map(({ number }) => number)).toContain(2); // the one that was active 35 minutes ago
    const count = async (server: Product) => {
      const range = { from: ago(55), to: ago(0) };
      const { data } = await server.request<{ events: { edges: unknown[] } }>(COUNT, range);
      return data?.events.edges.length;
    };
    expect([await count(product), await count(other)]).toEqual([100, 100]);
    await clock.step(-HOUR_MS);
    expect([await count(product), await count(other)]).toEqual([100, 100]);
    expect(await violationsOf(db)).toEqual([]);
  });

  it('never hold a lease twice, nor longer than it lasts', async () => {
    const db = client.db('clocks_leases');
    const log = makeAccessLog(seed, 60_000);
    const random = makeRandom(seed);
    const { product, clock } = await startStepping(db, 0, { SEXTANT_FAILPOINT: 'log.batch.committed:40' });
    const survivor = await start(db);
    const id = await upload(product, log);
    let ended = false;
    void product.process.ended.then(() => {
      ended = true;
    });
    const tokens = new Set<number>();
    const unfinished = 'Resume interrupted imports';
    while (!ended) {
      // Both look for abandoned imports, whatever their clocks show.
      await db
        .collection<{ _id: string }>('jobs')
        .updateOne({ _id: unfinished }, { $set: { next_run_at: new Date(0) } });
      const stepped = clock.step((random.below(2 * 180) - 180) * MINUTE_MS);
      await Promise.race([stepped, product.process.ended]);
      const held = await db.collection('log.imports').findOne();
      if (!ended && held && held.token > 0) tokens.add(held.token);
    }
    expect([...tokens]).toEqual([1]); // no one else had it while its holder lived

    const diedAt = performance.now();
    await expect.poll(() => db.collection('log.imports').findOne(), { timeout: 60_000 }).toMatchObject({ token: 2 });
    expect(performance.now() - diedAt).toBeLessThan(40 * SECOND_MS);
    await reach(survivor, id, 'FINISHED');
    await expectCountedOnce(db, [log]);
    expect(await violationsOf(db)).toEqual([]);
  });
});

async function recordSession(product: Product): Promise<void> {
  const session = { userId: 'ann', at: new Date(), length: 60 };
  const query = 'mutation ($sessions: [SessionInput!]!) { recordSessions(sessions: $sessions) { recorded } }';
  expect(await product.request(query, { sessions: [session] })).toMatchObject({
    data: { recordSessions: { recorded: 1 } },
  });
}
