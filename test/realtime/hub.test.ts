import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { defineFeed, followedCollections } from '../../src/database/index.js';
import { CursorSigner, cursorScope } from '../../src/realtime/cursors/cursor.js';
import { readCursorKeys } from '../../src/realtime/cursors/cursor-key.js';
import { Hub } from '../../src/realtime/index.js';
import { useDatabase } from '../support/database.js';
import { startLossyProxy } from '../support/lossy-proxy.js';
import { type CounterDocument, counterFeed, counters, increment, incrementFeed } from './counters.js';

const database = useDatabase();
let hub: Hub;

const options = { ring: { events: 1000, bytes: 10_000_000 }, catchUpsMax: 2 };

/** Like counters, with one more that changes with time; reading it fails on demand. */
let readsFail = false;
const tickingFeed = defineFeed({
  ...counterFeed,
  name: 'testTicking',
  snapshot: async (...args: Parameters<typeof counterFeed.snapshot>) => {
    if (readsFail) throw new Error('The database does not respond');
    return counterFeed.snapshot(...args);
  },
  tickMs: 20,
  tick: (state: Map<string, number>) => {
    state.set('ticks', (state.get('ticks') ?? 0) + 1);
    return ['ticks'];
  },
});

beforeAll(async () => {
  hub = await Hub.create({ db: database.db, ...options });
});
afterAll(() => hub.close());

describe('following a state', () => {
  it('sends the state first, then each change with its new values', async () => {
    await increment(database.db, 'a', 'x');
    const follow = await hub.follow(counterFeed, { id: 'a' });
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: false, view: { x: 1 } });
    await increment(database.db, 'a', 'x', 'y');
    expect((await follow.next()).value).toMatchObject({ kind: 'change', change: { x: 2, y: 1 } });
    await follow.return();
  });

  it('sends what was missed to a resuming subscriber', async () => {
    const first = await hub.follow(counterFeed, { id: 'b' });
    const { cursor } = (await first.next()).value;
    await first.return();
    await increment(database.db, 'b', 'x');
    await increment(database.db, 'b', 'x');
    const second = await hub.follow(counterFeed, { id: 'b' }, { after: cursor });
    const event = (await second.next()).value;
    expect(event).toMatchObject({ kind: 'change', reset: false });
    await second.return();
  });

  it('catches up from the oplog on another process', async () => {
    const first = await hub.follow(counterFeed, { id: 'c' });
    const { cursor } = (await first.next()).value;
    await first.return();
    await increment(database.db, 'c', 'x');
    await increment(database.db, 'c', 'y');
    const other = await Hub.create({ db: database.db, ...options });
    const second = await other.follow(counterFeed, { id: 'c' }, { after: cursor });
    expect((await second.next()).value).toMatchObject({ kind: 'change', reset: false, change: { x: 1, y: 1 } });
    await second.return();
    await other.close();
  });

  it('starts over when the collection is dropped', async () => {
    await increment(database.db, 'd', 'x');
    const follow = await hub.follow(counterFeed, { id: 'd' });
    await follow.next();
    await counters(database.db).drop();
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: true, view: {} });
    await follow.return();
  });

  it('ends a pending `next` when the subscriber leaves', async () => {
    const follow = await hub.follow(counterFeed, { id: 'e' });
    await follow.next();
    const waiting = follow.next();
    await follow.return();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });
});

describe('the hub under load and failures', () => {
  it('serves thousands of concurrent reconnects with few streams', async () => {
    await increment(database.db, 'storm', 'x');
    const cursors = await Promise.all(Array.from({ length: 20 }, () => cursorOf('storm')));
    for (let round = 0; round < 20; round += 1) await increment(database.db, 'storm', 'x');
    const fresh = await Hub.create({ db: database.db, ...options });
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, fresh.health.catchingUp);
    }, 1);
    const returned = await Promise.all(
      Array.from({ length: 3000 }, async (_, index) => {
        const follow = await fresh.follow(counterFeed, { id: 'storm' }, { after: cursors[index % cursors.length] });
        return (await follow.next()).value;
      }),
    );
    clearInterval(watch);
    for (const event of returned) expect(event).toMatchObject({ kind: 'change', reset: false, change: { x: 21 } });
    expect(most).toBeLessThanOrEqual(options.catchUpsMax);
    expect(fresh.health).toMatchObject({ subscribers: 3000, resumed: { caughtUp: 3000, lost: 0 } });
    await fresh.close();
    expect(fresh.health.subscribers).toBe(0);
  });

  it('recovers from an event that is too large to be sent', async () => {
    const follow = await hub.follow(counterFeed, { id: 'after-large' });
    await follow.next();
    // The document just fits; with its long key repeated, the event does not.
    const _id = 'large'.repeat(2000);
    const text = 'x'.repeat(16 * 1024 * 1024 - _id.length - 100);
    await counters(database.db).insertOne({ _id, n: {}, text } as CounterDocument);
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: true });
    await increment(database.db, 'after-large', 'x');
    expect((await follow.next()).value).toMatchObject({ kind: 'change', change: { x: 1 } });
    await follow.return();
    await counters(database.db).deleteOne({ _id });
  });

  it('frees everything when the last subscriber has left', async () => {
    const own = await Hub.create({ db: database.db, ...options, lingerMs: 1 });
    const follow = await own.follow(counterFeed, { id: 'gone' });
    await follow.next();
    expect(own.health).toMatchObject({ streaming: true, channels: 1, subscribers: 1 });
    await follow.return();
    await expect.poll(() => own.health).toMatchObject({ streaming: false, channels: 0, subscribers: 0 });
    await own.close();
  });

  it('keeps ticking after a reset whose snapshot could not be read', async () => {
    await increment(database.db, 'ticking', 'x');
    const follow = await hub.follow(tickingFeed, { id: 'ticking' });
    await follow.next();
    readsFail = true;
    await counters(database.db).drop();
    const untilItFails = async () => {
      while (!(await follow.next()).done);
    };
    await expect(untilItFails()).rejects.toThrow('does not respond');
    readsFail = false;
    const again = await hub.follow(tickingFeed, { id: 'ticking' });
    expect((await again.next()).value).toMatchObject({ kind: 'snapshot' });
    expect((await again.next()).value).toMatchObject({ kind: 'change', change: { ticks: expect.any(Number) } });
    await again.return();
  });

  it('starts over for a cursor ahead of the cluster, for states and lists', async () => {
    const signer = new CursorSigner(await readCursorKeys(database.db), followedCollections());
    const position = { time: `f${'0'.repeat(15)}`, index: 1 };
    for (const feed of [counterFeed, incrementFeed]) {
      const after = signer.write(cursorScope(feed.name, 'ahead'), position);
      const follow =
        feed.kind === 'state'
          ? await hub.follow(feed, { id: 'ahead' }, { after })
          : await hub.follow(feed, { id: 'ahead' }, { after });
      expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: true });
      await follow.return();
    }
  });

  it('reports for how long the database has been silent', async () => {
    const [, host = '', port = ''] = /mongodb:\/\/([^:/]+):(\d+)/.exec(inject('mongodbUri')) ?? [];
    const proxy = await startLossyProxy({ host, port: Number(port) });
    const client = await MongoClient.connect(proxy.uri, { serverSelectionTimeoutMS: 1000 });
    const behind = await Hub.create({ db: client.db(database.db.databaseName), ...options });
    try {
      const follow = await behind.follow(counterFeed, { id: 'lag' });
      await follow.next();
      expect(behind.health.lagMs).toBeLessThan(1500); // on a busy machine
      proxy.stall();
      await expect.poll(() => behind.health.lagMs, { timeout: 10_000 }).toBeGreaterThan(2000);
    } finally {
      await proxy.close();
      await behind.close();
      await client.close();
    }
  });

  it('ends only the subscription whose consumer fails on an event', async () => {
    const failing = await hub.follow(counterFeed, { id: 'failing' });
    const ended = new Promise<Error | undefined>((resolve) => {
      failing.attach({
        take: ({ kind }) => {
          if (kind === 'change') throw new Error('This cannot be shown');
          return true;
        },
        end: resolve,
      });
    });
    const other = await hub.follow(counterFeed, { id: 'failing' });
    await other.next();
    await increment(database.db, 'failing', 'x');
    expect((await other.next()).value).toMatchObject({ kind: 'change', change: { x: 1 } });
    expect((await ended)?.message).toBe('This cannot be shown');
    expect(failing.ended).toBe(true);
    await other.return();
  });

  it('rejects a cursor of another subject', async () => {
    const cursor = await cursorOf('a');
    await expect(hub.follow(counterFeed, { id: 'other' }, { after: cursor })).rejects.toMatchObject({
      code: 'BAD_CURSOR',
    });
  });
});

async function cursorOf(id: string): Promise<string> {
  const follow = await hub.follow(counterFeed, { id });
  const { cursor } = (await follow.next()).value;
  await follow.return();
  return cursor;
}

describe('the followed state', () => {
  it('is bounded in memory, per account and in total; idle states make room', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `k${index}`); // 100 kB, as the feed counts
    for (const id of ['m1', 'm2', 'm3', 'm4', 'm5']) await increment(database.db, id, ...names);
    const states = { bytes: 450_000, bytesPerAccount: 250_000 };
    const bounded = await Hub.create({ db: database.db, ...options, states });
    const followed = async (id: string, account: string) => {
      const follow = await bounded.follow(counterFeed, { id }, { account });
      await follow.next();
      return follow;
    };
    const ann = [await followed('m1', 'ann'), await followed('m2', 'ann'), await followed('m2', 'ann')];
    await expect(followed('m3', 'ann')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 250_000 } });
    const bob = [await followed('m3', 'bob'), await followed('m4', 'bob')];
    await ann[0]?.return();
    const cid = await followed('m5', 'cid');
    expect(bounded.health.stateBytes).toBeLessThan(450_000);
    for (const follow of [...ann, ...bob, cid]) await follow.return();
    await bounded.close();
  });

  it('makes room for small accounts: the largest subscription of the largest account ends, and resumes with its cursor', async () => {
    const large = Array.from({ length: 1000 }, (_, index) => `k${index}`); // 100 kB, as the feed counts
    for (const id of ['h1', 'h2', 'h3', 'h4']) await increment(database.db, id, ...large);
    for (const id of ['s1', 's2']) await increment(database.db, id, 'x');
    const states = { bytes: 425_000, bytesPerAccount: 212_000 };
    const bounded = await Hub.create({ db: database.db, ...options, states });
    const followed = async (id: string, account: string, after?: string) => {
      const follow = await bounded.follow(counterFeed, { id }, { account, after });
      const { cursor } = (await follow.next()).value;
      return { follow, cursor };
    };
    const ann = [await followed('h1', 'ann'), await followed('h2', 'ann')];
    const bob = [await followed('h3', 'bob'), await followed('h4', 'bob')];
    const small = await followed('s1', 'cid');
    const ends = [...ann, ...bob].map(({ follow }) => follow.next().then(String, ({ code }) => code as string));
    await increment(database.db, 's1', ...large.slice(0, 100)); // it grows beyond the bound
    expect((await small.follow.next()).value).toMatchObject({ kind: 'change', change: { k99: 1 } });
    expect(await Promise.race(ends)).toBe('SERVER_BUSY');
    expect([...ann, ...bob].filter(({ follow }) => follow.ended)).toHaveLength(1);
    const other = await followed('s2', 'dan');
    expect([small, other].map(({ follow }) => follow.ended)).toEqual([false, false]);
    expect(bounded.health.stateBytes).toBeLessThan(425_000);
    const [ended] = ann.filter(({ follow }) => follow.ended);
    for (const { follow } of bob) await follow.return();
    await increment(database.db, 'h1', 'x');
    const back = await bounded.follow(counterFeed, { id: 'h1' }, { account: 'ann', after: ended?.cursor ?? '' });
    expect((await back.next()).value).toMatchObject({ kind: 'change', reset: false, change: { x: 1 } });
    await bounded.close();
    await Promise.all(ends);
  });
});

describe('a subscription', () => {
  it('counts its own memory each time, and that of its document once', async () => {
    const states = { bytes: 1_000_000, bytesPerAccount: 100_000 };
    const bounded = await Hub.create({ db: database.db, ...options, states });
    const load = { bytes: 10_000, document: {}, documentBytes: 50_000 };
    const followed = async (account: string) => {
      const follow = await bounded.follow(counterFeed, { id: 'loaded' }, { account, load });
      await follow.next();
      return follow;
    };
    const ann: Awaited<ReturnType<typeof followed>>[] = [];
    while (ann.length < 5) ann.push(await followed('ann'));
    await expect(followed('ann')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 100_000 } });
    const bob = await followed('bob');
    const all = bounded.health.stateBytes;
    expect(all).toBeGreaterThan(110_000);
    expect(all).toBeLessThan(120_000);
    await ann.pop()?.return();
    ann.push(await followed('ann'));
    expect(bounded.health.stateBytes).toBe(all);
    for (const follow of [...ann, bob]) await follow.return();
    expect(bounded.health.stateBytes).toBe(all - 110_000);
    await bounded.close();
  });
});

describe('following a list', () => {
  it('sends every entry, in order, and resumes after the last one seen', async () => {
    const follow = await hub.follow(incrementFeed, { id: 'f' });
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', view: {} });
    await increment(database.db, 'f', 'x');
    await increment(database.db, 'f', 'x', 'y');
    expect((await follow.next()).value).toMatchObject({ change: 'x=1' });
    const { cursor, change } = (await follow.next()).value;
    expect(change).toBe('x=2');
    await follow.return();
    const again = await hub.follow(incrementFeed, { id: 'f' }, { after: cursor });
    expect((await again.next()).value).toMatchObject({ change: 'y=1' });
    await again.return();
  });

  it('ends a slow subscriber with the cursor to resume from', async () => {
    const follow = await hub.follow(incrementFeed, { id: 'g' });
    const { cursor } = (await follow.next()).value;
    for (let round = 0; round < 11; round += 1) {
      const names = Array.from({ length: 100 }, (_, index) => `k${round}_${index}`);
      await increment(database.db, 'g', ...names);
    }
    const witness = await hub.follow(incrementFeed, { id: 'g' }, { after: cursor });
    for (let seen = 0; seen < 1100; seen += 1) await witness.next();
    await witness.return();
    await expect(follow.next()).rejects.toMatchObject({
      code: 'SLOW_CONSUMER',
      details: { cursor: expect.any(String) },
    });
  });
});
