/**
 * Everything at once: two servers with the shipped defaults on one database; live hits, customers, and imports of logs of the same site;
 * charts of the maximum size, and sockets that read nothing. Meanwhile clocks step, and servers are killed repeatedly, even during
 * recovery. Nothing helps the recovery: everything must become consistent by itself. With QUICK=1 it begins sooner than by default.
 */
import type { Socket } from 'node:net';
import { type Db, MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { residentBytes } from '../../harness/process-usage.js';
import { type Product, type ProductOptions, startProduct } from '../../harness/product.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { isQuick, rounds } from '../../harness/rounds.js';
import { subscribe } from '../../harness/subscriber-socket.js';
import { HOUR_MS, MINUTE_MS } from '../../src/shared/time.js';
import { HitLedger, PAGES, SITE, startHitLoad } from '../analytics/hits/hit-load.js';
import { type AccessLog, makeAccessLog } from '../analytics/log-import/access-log.js';
import { reach, upload } from '../analytics/log-import/import-client.js';
import { ShopLedger, startCustomers } from '../commerce/shop-load.js';
import { makeSteppingClock, type SteppingClock } from '../support/stepping-clock.js';
import { violationsOf } from './invariants.js';

const CALLERS = 8; // per server
const CUSTOMERS = 10; // per server
const ANSWERS_MAX = 150;
const LINES_MAX = 3000;
const RECOVERY_KILLS = rounds({ quick: 3, full: 10 });
const STEPS_MS = [-10 * MINUTE_MS, MINUTE_MS, 3 * HOUR_MS] as const;
const CHARTS = 20;
const DEAF_SOCKETS = 2;
const MEMORY_MAX_BYTES = 900_000_000;
/** By default unneeded stock holds are released after five minutes at the latest; everything else is recovered long before. */
const SETTLE_MS = 420_000;
const SOONER = isQuick ? { RECOVER_AFTER_SECONDS: '1' as const } : {};
const LOOK_MS = 1000;

/** Its first days include the time of the live hits (`hit-load.ts`): logs and live hits share documents. */
const MONTH = 'Feb/2026';
const LOGGED_PAGES = ['/a', '/b', '/c/d'] as const;

const LARGE_CHART = `subscription Chart($page: String!) { hitChartChanged(site: "${SITE}", page: $page, last: "P34D", unit: MINUTE) {
  cursor ... on HitChartSnapshot { chart { points { at count } } } ... on HitChartChange { points { at count } }
} }`;

/** @param shouldContinue asked before each blow, with the number of blows so far */
export async function attack(seed: number, shouldContinue: (blows: number) => boolean): Promise<void> {
  const set = await startReplicaSet();
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  const db = client.db('attacked');
  const place = { mongodbUri: set.uri, database: db.databaseName };
  const fortress = await Fortress.open(place, db, seed);
  try {
    for (let blows = 0; shouldContinue(blows); blows += 1) await fortress.endure(blows);
    await fortress.settle();
    const { code, output, errors } = await runSextant(['doctor'], {
      MONGODB_URI: set.uri,
      MONGODB_DATABASE: db.databaseName,
    });
    expect({ code, output }, errors).toEqual({ code: 0, output: 'No problems found\n' });
  } finally {
    await fortress.close();
    await client.close();
    await set.stop();
  }
}

class Fortress {
  readonly #random: Random;
  readonly #hits = new HitLedger();
  readonly #logs: { readonly log: AccessLog; readonly id: string }[] = [];

  private constructor(
    private readonly place: ProductOptions,
    private readonly db: Db,
    private readonly shop: ShopLedger,
    private readonly clocks: readonly [SteppingClock, SteppingClock],
    private readonly servers: [Product, Product],
    private readonly seed: number,
  ) {
    this.#random = makeRandom(seed);
  }

  static async open(place: ProductOptions, db: Db, seed: number): Promise<Fortress> {
    const clocks = [await makeSteppingClock(), await makeSteppingClock()] as const;
    const first = await startProduct(under(place, clocks[0])); // it creates the administrator and the indexes
    const servers: [Product, Product] = [first, await startProduct(under(place, clocks[1]))];
    return new Fortress(place, db, await ShopLedger.open(db), clocks, servers, seed);
  }

  /** Load on both servers, and one blow during it. */
  async endure(blow: number): Promise<void> {
    const loads = this.servers.map((server) => startHitLoad(server, this.#hits, this.#random, { callers: CALLERS }));
    const customers = this.servers.map((server) => startCustomers(server, this.shop, this.#random, CUSTOMERS));
    const sockets = await this.#openCharts();
    await this.#importLog(blow);
    await Promise.all([
      this.shop.reach(1 + this.#random.below(ANSWERS_MAX)),
      ...loads.map((load) => load.acknowledged(1 + this.#random.below(ANSWERS_MAX))),
    ]);
    const struck = await this.#strike();
    for (const server of this.servers)
      if (!struck.includes(server)) expect(residentBytes(server.process.pid)).toBeLessThan(MEMORY_MAX_BYTES);
    await Promise.all([...loads.map((load) => load.stop()), ...customers.map((each) => each.leave())]);
    for (const socket of sockets) socket.destroy();
    for (const [index, server] of this.servers.entries())
      if (struck.includes(server)) this.servers[index] = await startProduct(under(this.place, this.clocks[index]));
    await this.shop.repeat(this.servers[0]);
  }

  /** @returns the servers that are dead */
  async #strike(): Promise<readonly Product[]> {
    const victim = this.#random.pick(this.servers);
    await this.#random.pick(this.clocks).step(this.#random.pick(STEPS_MS));
    switch (this.#random.below(4)) {
      case 0:
        await victim.kill();
        return [victim];
      case 1:
        await Promise.all(this.servers.map((server) => server.kill()));
        return this.servers.slice();
      case 2:
        return [];
      default:
        await victim.kill();
        await this.#killRecovery();
        return [victim];
    }
  }

  /** Servers that die as soon as they start to recover. */
  async #killRecovery(): Promise<void> {
    for (let kills = 0; kills < RECOVERY_KILLS; kills += 1) {
      const environment = { ...SOONER, SEXTANT_FAILPOINT: 'recovery.leased' };
      const victim = await startProduct({ ...this.place, environment }).catch(() => null); // null: it died before it was ready
      await victim?.process.ended;
    }
  }

  async #importLog(number: number): Promise<void> {
    const log = makeAccessLog(this.seed + number, 500 + this.#random.below(LINES_MAX), {
      pages: LOGGED_PAGES,
      month: MONTH,
    });
    const file = new File([`${firstLine(number)}\n`, await log.file.text()], log.file.name);
    this.#logs.push({ log, id: await upload(this.#random.pick(this.servers), { file }, SITE) });
  }

  async #openCharts(): Promise<Socket[]> {
    const sockets: Socket[] = [];
    for (let number = 0; number < CHARTS + DEAF_SOCKETS; number += 1) {
      const server = this.#random.pick(this.servers);
      const socket = await subscribe({
        port: server.port,
        init: { authorization: `Bearer ${await server.token()}` },
        subscription: { query: LARGE_CHART, operationName: 'Chart', variables: { page: this.#random.pick(PAGES) } },
        onNext: () => undefined,
        onEnd: () => undefined,
      });
      if (number >= CHARTS) socket.pause();
      sockets.push(socket);
    }
    return sockets;
  }

  /** Without help: waits until imports, carts, money and stock are consistent, and compares with what clients were told. */
  async settle(): Promise<void> {
    for (const { id } of this.#logs) await reach(this.servers[0], id, 'FINISHED');
    const end = performance.now() + SETTLE_MS;
    let violations = await violationsOf(this.db);
    while (violations.length > 0 || (await this.#hasStuckCarts())) {
      expect(performance.now(), JSON.stringify(violations)).toBeLessThan(end);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      violations = await violationsOf(this.db);
    }
    await this.shop.repeat(this.servers[1]);
    await this.shop.check(this.db);
    await this.#checkHits();
  }

  async #hasStuckCarts(): Promise<boolean> {
    return (await this.db.collection('carts').findOne({ state: { $in: ['PENDING', 'EXPIRING'] } })) !== null;
  }

  /** Recorded and imported hits share documents. */
  async #checkHits(): Promise<void> {
    const imported = new Map<string, number>();
    for (const { log } of this.#logs)
      for (const [page, count] of log.hits) imported.set(page, (imported.get(page) ?? 0) + count);
    await this.#hits.check(this.db, imported);
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.kill();
    for (const clock of this.clocks) await clock.remove();
  }
}

/** Started with a clock that can be stepped. */
const under = (place: ProductOptions, clock: SteppingClock | undefined): ProductOptions => ({
  ...place,
  ...clock?.options,
  environment: { ...clock?.options.environment, ...SOONER },
});

/** Files are identified by their first line. */
const firstLine = (number: number) =>
  `192.0.2.1 - - [05/${MONTH}:00:00:00 +0000] "GET /file HTTP/1.1" 200 ${number} "-" "-"`;
