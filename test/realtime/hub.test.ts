import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hub } from '../../src/realtime/index.js';
import { useDatabase } from '../support/database.js';
import { type CounterDocument, counterFeed, counters, increment, incrementFeed } from './counters.js';

const database = useDatabase();
let hub: Hub;

const options = { ring: { events: 1000, bytes: 10_000_000 }, catchUpsMax: 2 };

beforeAll(async () => {
  hub = await Hub.create({ db: database.db, ...options });
});
afterAll(() => hub.close());

describe('following a state', () => {
  it('gives the state first, then each change with its new values', async () => {
    await increment(database.db, 'a', 'x');
    const follow = await hub.follow(counterFeed, { id: 'a' });
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: false, view: { x: 1 } });
    await increment(database.db, 'a', 'x', 'y');
    expect((await follow.next()).value).toMatchObject({ kind: 'change', change: { x: 2, y: 1 } });
    await follow.return();
  });

  it('gives what was missed to a subscriber that comes back', async () => {
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

  it('catches up from the operation log on another process', async () => {
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

  it('begins anew when the collection is dropped', async () => {
    await increment(database.db, 'd', 'x');
    const follow = await hub.follow(counterFeed, { id: 'd' });
    await follow.next();
    await counters(database.db).drop();
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: true, view: {} });
    await follow.return();
  });

  it('ends a next that waits when the subscriber leaves', async () => {
    const follow = await hub.follow(counterFeed, { id: 'e' });
    await follow.next();
    const waiting = follow.next();
    await follow.return();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });
});

describe('trouble', () => {
  it('serves thousands that come back at once with few streams', async () => {
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

  it('gets over an event that is too large to be sent', async () => {
    const follow = await hub.follow(counterFeed, { id: 'after-large' });
    await follow.next();
    // The document just fits; with its long key once more, the event does not.
    const _id = 'large'.repeat(2000);
    const text = 'x'.repeat(16 * 1024 * 1024 - _id.length - 100);
    await counters(database.db).insertOne({ _id, n: {}, text } as CounterDocument);
    expect((await follow.next()).value).toMatchObject({ kind: 'snapshot', reset: true });
    await increment(database.db, 'after-large', 'x');
    expect((await follow.next()).value).toMatchObject({ kind: 'change', change: { x: 1 } });
    await follow.return();
    await counters(database.db).deleteOne({ _id });
  });

  it('frees everything when the last subscriber has gone', async () => {
    const own = await Hub.create({ db: database.db, ...options, lingerMs: 1 });
    const follow = await own.follow(counterFeed, { id: 'gone' });
    await follow.next();
    expect(own.health).toMatchObject({ streaming: true, channels: 1, subscribers: 1 });
    await follow.return();
    await expect.poll(() => own.health).toMatchObject({ streaming: false, channels: 0, subscribers: 0 });
    await own.close();
  });

  it('ends the one subscription whose consumer fails on an event, and goes on with the others', async () => {
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

  it('refuses a cursor of another thing', async () => {
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

describe('following a list', () => {
  it('gives every entry, in order, and resumes behind the last one seen', async () => {
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

  it('ends a subscriber that takes too slowly with the cursor to resume from', async () => {
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
