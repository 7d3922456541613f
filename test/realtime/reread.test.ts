/** A state of many parts that is read again when events no longer determine it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Hub } from '../../src/realtime/index.js';
import { BusyError, SextantError } from '../../src/shared/errors.js';
import { useDatabase } from '../support/database.js';
import { cards, defineCardFeed, hide, put, setFollows } from './cards.js';

const database = useDatabase();
const options = { ring: { events: 1000, bytes: 10_000_000 }, catchUpsMax: 2 };
const { feed, probe } = defineCardFeed('testReread', 3);
const troubles: unknown[] = [];
let hub: Hub;

beforeAll(async () => {
  const onTrouble = (_trouble: string, error: unknown) => troubles.push(error);
  hub = await Hub.create({ db: database.db, ...options, onTrouble });
});
afterAll(() => hub.close());
beforeEach(() => {
  probe.beforeRead = async () => {};
  troubles.length = 0;
});

/** A reader who follows one owner, and what a subscriber has seen so far. */
async function start(reader: string, values: Readonly<Record<string, number>>) {
  await setFollows(database.db, reader, [reader]);
  for (const [name, value] of Object.entries(values)) await put(database.db, `${reader}/${name}`, value);
  const following = await hub.follow(feed, { reader });
  const { cursor } = (await following.next()).value;
  const join = (after?: string) => hub.follow(feed, { reader }, { after });
  const write = (name: string, value: number) => put(database.db, `${reader}/${name}`, value);
  return {
    following,
    cursor,
    join,
    write,
    hide: (name: string, hidden = true) => hide(database.db, `${reader}/${name}`, hidden),
  };
}

/** Reads wait from now on. @returns resolves once a read waits, and lets them continue */
function holdReads() {
  let open = () => {};
  let begun = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waiting = new Promise<void>((resolve) => {
    begun = resolve;
  });
  probe.beforeRead = () => {
    begun();
    return opened;
  };
  return { waiting, open };
}

describe('an uncertain state', () => {
  it('is not sent until it has been read again; then what differs is', async () => {
    const { following, ...state } = await start('a', { x: 1, y: 1, z: 1 });
    const { waiting, open } = holdReads();
    const next = following.next();
    let isSent = false;
    next.then(() => {
      isSent = true;
    });
    await state.write('z', 2); // perhaps sent before
    await state.hide('x');
    await waiting;
    await state.write('y', 2);
    await sleep(200);
    const early = isSent ? (await next).value : null;
    if (early) expect(early).toMatchObject({ change: { 'a/z': 2 } });
    open();
    const { change } = (await (early ? following.next() : next)).value;
    expect({ ...early?.change, ...change }).toMatchObject({ 'a/x': null, 'a/z': 2 });
    const later = change['a/y'] === 2 ? { change } : (await following.next()).value; // written after the time of the read
    expect(later.change).toMatchObject({ 'a/y': 2 });
    await following.return();
  });

  it('is sent with what changed in the same moment, although a comparison does not find it', async () => {
    const { following } = await start('b', { x: 1, y: 1 });
    const session = database.client.startSession();
    await session.withTransaction(async () => {
      await cards(database.db).updateOne({ _id: 'b/y' }, { $set: { value: 7 } }, { session });
      await cards(database.db).updateOne({ _id: 'b/x' }, { $set: { hidden: true } }, { session });
    });
    await session.endSession();
    expect((await following.next()).value).toMatchObject({ change: { 'b/x': null, 'b/y': 7 } });
    await following.return();
  });

  it('is told to subscribers that are behind, with what they have not seen yet', async () => {
    const { following, ...state } = await start('c', { x: 1, y: 1 });
    const witness = await state.join();
    await witness.next();
    await state.write('y', 2);
    await witness.next();
    await state.hide('x');
    expect((await witness.next()).value).toMatchObject({ change: { 'c/x': null } });
    expect((await following.next()).value).toMatchObject({ change: { 'c/x': null, 'c/y': 2 } });
    for (const each of [following, witness]) await each.return();
  });

  it('is sent whole, as a reset, if too much differs', async () => {
    const { following, ...state } = await start('d', { v: 1, w: 1, x: 1, y: 1 });
    const behind = await state.join();
    await behind.next();
    await setFollows(database.db, 'd', []);
    for (const each of [following, behind]) {
      expect((await each.next()).value).toMatchObject({ kind: 'snapshot', reset: true, view: {} });
      await each.return();
    }
  });

  it('is awaited by those who join or resume', async () => {
    const { following, cursor, ...state } = await start('e', { x: 1, y: 1 });
    const { waiting, open } = holdReads();
    await state.hide('x');
    await waiting;
    const joining = await state.join();
    const resuming = await state.join(cursor);
    const all = [following, joining, resuming].map((each) => each.next());
    let sent = 0;
    for (const each of all) each.then(() => (sent += 1));
    await sleep(200);
    expect(sent).toBe(0);
    open();
    const [told, joined, resumed] = (await Promise.all(all)).map(({ value }) => value);
    expect(told).toMatchObject({ kind: 'change', change: { 'e/x': null } });
    expect(joined).toMatchObject({ kind: 'snapshot', reset: false, view: { 'e/y': 1 } });
    expect(resumed).toMatchObject({ kind: 'change', reset: false, change: { 'e/x': null } });
    for (const each of [following, joining, resuming]) await each.return();
  });

  it('is told to one who resumes although what that client has seen was undone before it was read again', async () => {
    const other = await Hub.create({ db: database.db, ...options });
    await setFollows(database.db, 'i', ['i']);
    await put(database.db, 'i/x', 1);
    const quiet = await other.follow(feed, { reader: 'i' });
    await quiet.next();
    await sleep(600); // this hub reads again at once, the other one half a second later
    const { following, ...state } = await start('i', { y: 1 });
    expect((await quiet.next()).value).toMatchObject({ change: { 'i/y': 1 } });
    await state.hide('x');
    const { cursor, change } = (await quiet.next()).value;
    expect(change).toEqual({ 'i/x': null });
    const resuming = await state.join(cursor);
    await sleep(50);
    await hide(database.db, 'i/x', false);
    expect((await resuming.next()).value).toMatchObject({ kind: 'change', change: { 'i/x': 1 } });
    for (const each of [following, quiet, resuming]) await each.return();
    await other.close();
  });

  it('is told as of each read to all, although it becomes uncertain again while it is read', async () => {
    const { following, cursor, ...state } = await start('j', { x: 1, y: 1 });
    let reads = 0;
    probe.beforeRead = async () => {
      reads += 1;
      const before = probe.applied.length;
      await put(database.db, 'j/x', 1 + reads);
      for (const isHidden of [true, false]) await hide(database.db, 'j/y', isHidden); // one of the two changes it
      await expect.poll(() => probe.applied.length).toBeGreaterThan(before + 1);
    };
    await state.hide('y', false);
    await state.write('z', 1);
    await state.hide('y');
    await expect.poll(() => probe.applied).toContain('j/z');
    const joining = await state.join();
    const resuming = await state.join(cursor);
    const [joined, resumed] = await Promise.all([joining, resuming].map((each) => each.next()));
    expect(joined?.value).toMatchObject({ kind: 'snapshot', reset: false, view: { 'j/z': 1 } });
    expect(resumed?.value.reset ? resumed.value.view : resumed?.value.change).toMatchObject({ 'j/z': 1 });
    const told: Record<string, number | null> = {};
    while ((told['j/x'] ?? 0) < 3) Object.assign(told, (await following.next()).value.change);
    expect(told).toMatchObject({ 'j/z': 1 });
    probe.beforeRead = async () => {};
    for (const each of [following, joining, resuming]) await each.return();
  });

  it('is read once more if it became uncertain while it was read', async () => {
    const { following, ...state } = await start('f', { x: 1, y: 1 });
    const { waiting, open } = holdReads();
    await state.hide('x');
    await waiting;
    await state.hide('y');
    await expect.poll(() => probe.applied).toContain('f/y');
    open();
    expect((await following.next()).value).toMatchObject({ change: { 'f/x': null } }); // as of the first read
    expect((await following.next()).value).toMatchObject({ change: { 'f/y': null } });
    await following.return();
  });
});

describe('a state that cannot be read again', () => {
  it.each([
    ['fails', () => new Error('The database does not respond')],
    ['is busy', () => new BusyError('Later')],
  ])('is tried until it can: the read %s', async (how, make) => {
    const { following, ...state } = await start(`g-${how.replace(' ', '')}`, { x: 1, y: 1 });
    let failures = 0;
    probe.beforeRead = async () => {
      failures += 1;
      if (failures <= 2) throw make();
    };
    await state.hide('x');
    expect((await following.next()).value).toMatchObject({ kind: 'change' });
    expect(troubles).toHaveLength(2);
    await following.return();
  });

  it('ends its subscriptions if it is gone; the next subscriber reads anew', async () => {
    const { following, cursor, ...state } = await start('h', { x: 1, y: 1 });
    probe.beforeRead = async () => {
      throw new SextantError('NOT_FOUND', 'There is no such reader');
    };
    const other = await state.join();
    await other.next();
    const ends = [following, other].map((each) => each.next().catch(({ code }) => code));
    await state.hide('x');
    expect(await Promise.all(ends)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    await expect((await state.join(cursor)).next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(troubles).toEqual([]);
    probe.beforeRead = async () => {};
    const again = await state.join(cursor);
    expect((await again.next()).value).toMatchObject({ kind: 'change', change: { 'h/x': null } });
    await again.return();
  });
});
