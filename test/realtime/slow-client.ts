/** A client that stalls among a thousand others. Run for seconds by `npm test`, for a minute by `npm run soak`. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { subscribe } from '../../harness/subscriber-socket.js';
import { recordHits, SITE } from './live-chart.js';

const OTHERS = 1000;
/** Subscriptions on the stalled socket: enough data that no operating system's buffers hold it. */
const STALLED_OPERATIONS = 500;
const MINUTES_TOUCHED = 100; // points per message
const PAGE = '/hot';
const QUERY = `subscription Live($page: String!) { hitChartChanged(site: "${SITE}", page: $page, last: "P1D") {
  cursor ... on HitChartSnapshot { chart { total points { at count } } } ... on HitChartChange { points { at count } }
} }`;
const MEMORY_MAX_BYTES = 100_000_000; // the allowed growth of the process, including all sockets

/** What one subscriber received: the highest count, and the number of messages and bytes. */
class Follower {
  latest = 0;
  messages = 0;
  bytes = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  static async open(product: Product, operations = 1, onSocket?: (socket: Socket) => void): Promise<Follower> {
    const follower = new Follower();
    const init = { authorization: `Bearer ${await product.token()}` };
    const subscription = { query: QUERY, operationName: 'Live', variables: { page: PAGE } };
    const onNext = (buffer: Buffer, start: number, end: number) => follower.#take(buffer.toString('utf8', start, end));
    const socket = await subscribe({
      port: product.port,
      init,
      subscription,
      operations,
      onNext,
      onEnd: () => undefined,
    });
    onSocket?.(socket);
    return follower;
  }

  reached(count: number): Promise<void> {
    if (this.latest >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  #take(text: string): void {
    this.messages += 1;
    this.bytes += text.length;
    for (const [, count] of text.matchAll(/"count":(\d+)/g)) this.latest = Math.max(this.latest, Number(count));
    for (const { count, resolve } of this.#waiting) if (this.latest >= count) resolve();
  }
}

/** The others miss nothing, memory stays bounded, and the stalled client sees the total when it reads again. */
export async function stallOneOfMany(mongodbUri: string, stallMs: number): Promise<void> {
  const database = `sextant_test_${randomBytes(6).toString('hex')}`;
  const environment = { MAX_OPERATIONS_PER_SOCKET: `${STALLED_OPERATIONS}`, MAX_SOCKETS_PER_ADDRESS: '2000' } as const;
  const product = await startProduct({ mongodbUri, database, environment });
  try {
    await stall(product, stallMs);
  } finally {
    await product.stop();
    const client = await MongoClient.connect(mongodbUri);
    await client.db(database).dropDatabase();
    await client.close();
  }
}

async function stall(product: Product, stallMs: number): Promise<void> {
  const others = await openMany(product, OTHERS);
  let stalled: Socket | undefined;
  const sleeper = await Follower.open(product, STALLED_OPERATIONS, (socket) => {
    stalled = socket;
  });
  await sleeper.reached(0);
  stalled?.pause();
  await recordHits(product, PAGE, 1);
  await Promise.all(others.map((other) => other.reached(1)));
  const before = residentBytes(product);

  let total = 1;
  const owed = () => (others[0]?.bytes ?? 0) * STALLED_OPERATIONS; // what an unbounded queue would hold by now
  for (const end = Date.now() + stallMs; Date.now() < end || owed() < 2 * MEMORY_MAX_BYTES; ) {
    await recordSpread(product, total + 1);
    total += 1;
    await Promise.all(others.map((other) => other.reached(total)));
  }
  const grown = residentBytes(product) - before;
  expect(grown).toBeLessThan(MEMORY_MAX_BYTES);

  stalled?.resume();
  await sleeper.reached(total);
  expect(sleeper.messages).toBeLessThan(STALLED_OPERATIONS * Math.min(...others.map(({ messages }) => messages)));
  for (const { latest } of others) expect(latest).toBe(total);
}

async function openMany(product: Product, count: number): Promise<Follower[]> {
  const followers: Follower[] = [];
  while (followers.length < count) {
    followers.push(...(await Promise.all(Array.from({ length: 100 }, () => Follower.open(product)))));
  }
  return followers;
}

/** One more hit in each of the last minutes. */
async function recordSpread(product: Product, round: number): Promise<void> {
  const now = Date.now();
  const hits = Array.from({ length: MINUTES_TOUCHED }, (_, minute) => ({
    site: SITE,
    page: PAGE,
    at: new Date(now - minute * 60_000).toISOString(),
  }));
  const { errors } = await product.request('mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }', {
    hits,
  });
  if (errors) throw new Error(`Round ${round}: ${JSON.stringify(errors)}`);
}

function residentBytes(product: Product): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${product.process.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
