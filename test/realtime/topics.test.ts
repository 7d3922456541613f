/** A channel with several topics, which its state names. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followedCollections } from '../../src/database/index.js';
import { topicOf, wholeTime } from '../../src/realtime/channels/channel.js';
import { Hub } from '../../src/realtime/index.js';
import { CatchUps } from '../../src/realtime/stream/catch-up.js';
import { type RingEntry, toEntry } from '../../src/realtime/stream/ring.js';
import { useDatabase } from '../support/database.js';
import { cards, defineCardFeed, put, setFollows } from './cards.js';

const database = useDatabase();
const options = { ring: { events: 1000, bytes: 10_000_000 }, catchUpsMax: 2 };
/** Its ring forgets events while a state is read. */
const forgetful = { ...options, ring: { events: 1, bytes: 10_000_000 } };
const { feed, probe } = defineCardFeed('testTopics');
let hub: Hub;

beforeAll(async () => {
  hub = await Hub.create({ db: database.db, ...options });
});
afterAll(() => hub.close());

const follow = (reader: string, after?: string, on = hub) => on.follow(feed, { reader }, { after });

/** The reader's state, then its cursor, without staying. */
async function cursorOf(reader: string): Promise<string> {
  const following = await follow(reader);
  const { cursor } = (await following.next()).value;
  await following.return();
  return cursor;
}

describe('topics that the state names', () => {
  it('are followed from the first read on', async () => {
    await setFollows(database.db, 'ann', ['a1', 'a2']);
    await put(database.db, 'a1/x', 1);
    probe.reads = 0;
    const following = await follow('ann');
    expect((await following.next()).value).toMatchObject({ kind: 'snapshot', view: { 'a1/x': 1 } });
    expect(probe.reads).toBe(1);
    await put(database.db, 'a2/x', 5);
    expect((await following.next()).value).toMatchObject({ kind: 'change', change: { 'a2/x': 5 } });
    await following.return();
  });

  it('have an event once, however many of them it has', async () => {
    await setFollows(database.db, 'bob', ['b1']);
    probe.moreTopics = ['all', 'everything'];
    const following = await follow('bob');
    await following.next();
    probe.applied = [];
    await put(database.db, 'b1/x', 1);
    expect((await following.next()).value).toMatchObject({ change: { 'b1/x': 1 } });
    expect(probe.applied).toEqual(['b1/x']);
    await following.return();
    probe.moreTopics = [];
  });

  it('are released when the state no longer names them', async () => {
    await setFollows(database.db, 'cid', ['c1', 'c2']);
    await put(database.db, 'c1/x', 1);
    const following = await follow('cid');
    await following.next();
    await setFollows(database.db, 'cid', ['c2']);
    expect((await following.next()).value).toMatchObject({ kind: 'change', change: { 'c1/x': null } });
    probe.applied = [];
    await put(database.db, 'c1/x', 2);
    await put(database.db, 'c2/x', 2);
    expect((await following.next()).value).toMatchObject({ kind: 'change', change: { 'c2/x': 2 } });
    expect(probe.applied).toEqual(['c2/x']);
    await following.return();
  });

  it('are all released when the last subscriber has left', async () => {
    const own = await Hub.create({ db: database.db, ...options, lingerMs: 1 });
    await setFollows(database.db, 'dan', ['d1']);
    const witness = await follow('dan');
    await witness.next();
    const following = await follow('dan', undefined, own);
    await following.next();
    await following.return();
    await expect.poll(() => own.health.channels).toBe(0);
    probe.applied = [];
    await put(database.db, 'd1/x', 1);
    await witness.next();
    expect(probe.applied).toEqual(['d1/x']); // by the other hub
    await witness.return();
    await own.close();
  });

  it.each([
    ['from the ring', options],
    ['by reading again when the ring does not reach back', forgetful],
  ])('lose no event while they are added: %s', async (_how, ring) => {
    const own = await Hub.create({ db: database.db, ...ring });
    const reader = `eve${ring.ring.events}`;
    await setFollows(database.db, reader, ['e1']);
    const following = await follow(reader, undefined, own);
    const state: Record<string, number | null> = {};
    const take = async () => {
      for await (const event of following) Object.assign(state, event.kind === 'snapshot' ? event.view : event.change);
    };
    const taking = take();
    probe.beforeRead = () => sleep(30);
    probe.reads = 0;
    const owners = ['e1', 'e2', 'e3', 'e4'];
    const names = Array.from({ length: 150 }, (_, index) => index);
    const write = async (owner: string) => {
      for (const name of names) await put(database.db, `${owner}/${reader}-${name}`, 1);
    };
    const writing = Promise.all(owners.map(write));
    for (const count of [2, 3, 4]) {
      await sleep(100);
      await setFollows(database.db, reader, owners.slice(0, count));
    }
    await writing;
    probe.beforeRead = async () => {};
    const wanted = owners.flatMap((owner) => names.map((name) => `${owner}/${reader}-${name}`));
    await expect.poll(() => wanted.filter((id) => state[id] !== 1), { timeout: 10_000 }).toEqual([]);
    await following.return();
    await taking;
    await own.close();
  });
});

describe('resuming over several topics', () => {
  it('gets what was missed on all of them, from the ring', async () => {
    await setFollows(database.db, 'fay', ['f1', 'f2']);
    const witness = await follow('fay');
    const { cursor } = (await witness.next()).value;
    const { fromRing } = hub.health.resumed;
    await put(database.db, 'f1/x', 1);
    await witness.next();
    await put(database.db, 'f2/x', 2);
    await witness.next();
    const following = await follow('fay', cursor);
    const change = { 'f1/x': 1, 'f2/x': 2 };
    expect((await following.next()).value).toMatchObject({ kind: 'change', reset: false, change });
    expect(hub.health.resumed.fromRing).toBe(fromRing + 1);
    for (const each of [witness, following]) await each.return();
  });

  it('finds an event with several of the topics once, and all in order', async () => {
    await setFollows(database.db, 'ida', ['i1', 'i2']);
    probe.moreTopics = ['all', 'everything'];
    const witness = await follow('ida');
    const from = wholeTime((await witness.next()).value.cursor.slice(0, 16));
    const written: string[] = [];
    let to = from;
    for (const name of ['x', 'y', 'x', 'z']) {
      for (const owner of ['i1', 'i2', 'i3']) {
        await put(database.db, `${owner}/${name}`, written.length);
        written.push(`${owner}/${name}`);
        to = wholeTime((await witness.next()).value.cursor.slice(0, 16));
      }
    }
    const topics = new Set(['owner:i1', 'owner:i2', 'all', 'everything'].map((topic) => topicOf(feed.name, topic)));
    const idsOf = (entries: readonly RingEntry[] | null) => entries?.map(({ event }) => event.documentKey._id);
    expect(idsOf(hub.recent(from, topics))).toEqual(written);
    const catchUps = new CatchUps({ db: database.db, collections: followedCollections(), max: 1, toEntry });
    expect(idsOf(await catchUps.find(from, to, topics))).toEqual(written);
    probe.moreTopics = [];
    const narrow = new Set([topicOf(feed.name, 'owner:i3')]);
    expect(idsOf(hub.recent(from, narrow))).toEqual(['i3/x', 'i3/y', 'i3/x', 'i3/z']);
    await witness.return();
  });

  it('gets what was missed on all of them, from the oplog', async () => {
    await setFollows(database.db, 'gil', ['g1', 'g2']);
    probe.moreTopics = ['all'];
    const cursor = await cursorOf('gil');
    for (let value = 1; value <= 3; value += 1)
      for (const owner of ['g1', 'g2']) await put(database.db, `${owner}/x`, value);
    await cards(database.db).deleteOne({ _id: 'g1/x' });
    const other = await Hub.create({ db: database.db, ...options });
    const following = await follow('gil', cursor, other);
    expect((await following.next()).value).toMatchObject({ kind: 'change', change: { 'g1/x': null, 'g2/x': 3 } });
    expect(other.health.resumed).toEqual({ fromRing: 0, caughtUp: 1, lost: 0 });
    await following.return();
    await other.close();
    probe.moreTopics = [];
  });

  it('gets the whole state if the topics have changed meanwhile', async () => {
    await setFollows(database.db, 'hal', ['h1']);
    await put(database.db, 'h2/x', 1);
    const witness = await follow('hal');
    const { cursor } = (await witness.next()).value;
    await setFollows(database.db, 'hal', ['h2']);
    await witness.next();
    const other = await Hub.create({ db: database.db, ...options });
    for (const each of [hub, other]) {
      const following = await follow('hal', cursor, each);
      expect((await following.next()).value).toMatchObject({ kind: 'snapshot', reset: true, view: { 'h2/x': 1 } });
      await following.return();
    }
    await witness.return();
    await other.close();
  });
});
