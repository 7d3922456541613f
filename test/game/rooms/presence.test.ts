/** Presence: leases, and what rooms say. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { Presences, presences, sweepPresences } from '../../../src/models/game/rooms/presence.js';
import { locations } from '../../../src/models/game/world/location.js';
import { slowDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  await presences(database.db).deleteMany({});
  world = await openWorld(database.db, { hall: {} });
  tim = await world.character('Tim');
});

const fail = (error: unknown) => {
  throw error;
};
const open = (db = database.db, onFault: (error: unknown) => void = fail) =>
  new Presences(
    db,
    () => new Date(),
    () => undefined,
    onFault,
  );
const isOnline = async () => (await world.at('hall')).players[0]?.is_online;

describe('presence', () => {
  it('lasts as long as somebody follows the character, through any process', async () => {
    const [one, other] = [open(), open()];
    const [first, second] = [await one.enter(tim), await other.enter(tim)];
    expect(await isOnline()).toBe(true);
    first.leave();
    await one.close();
    expect(await isOnline()).toBe(true);
    second.leave();
    await other.close();
    expect(await isOnline()).toBe(false);
    expect(await presences(database.db).countDocuments()).toBe(0);
  });
  it('ends for a process that has died, when its lease has', async () => {
    const dead = open();
    await dead.enter(tim);
    await dead.close(); // it does not renew any more
    await sweepPresences(database.db, new Date(), () => undefined);
    expect(await isOnline()).toBe(true);
    await presences(database.db).updateMany({}, { $set: { until: new Date(0) } });
    const changed: string[] = [];
    await sweepPresences(database.db, new Date(), (room) => changed.push(room));
    expect(await isOnline()).toBe(false);
    expect(changed).toEqual(['hall']);
  });
  it('comes back when its process was paused for longer than its lease', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const paused = open();
      const presence = await paused.enter(tim);
      await presences(database.db).updateMany({}, { $set: { until: new Date(0) } });
      await sweepPresences(database.db, new Date(), () => undefined);
      expect(await isOnline()).toBe(false);
      vi.advanceTimersToNextTimer();
      await waitFor('being online again', 5000, async () => (await isOnline()) || null);
      presence.leave();
      await paused.close();
      expect(await presences(database.db).countDocuments()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
  it('does not begin if the room cannot be told', async () => {
    const fault = new Error('The database cannot be reached');
    const broken = slowDatabase(database.db, locations.collectionName, () => Promise.reject(fault), 'updateOne');
    const process = open(broken);
    await expect(process.enter(tim)).rejects.toThrow(fault);
    await process.close();
    expect(await presences(database.db).countDocuments()).toBe(0);
  });
  it('ends also if its lease could not be removed at once, while the process follows others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const fault = new Error('The database cannot be reached');
      const faults: unknown[] = [];
      const broken = slowDatabase(database.db, presences.collectionName, () => Promise.reject(fault), 'deleteOne');
      const process = open(broken, (error) => faults.push(error));
      const [gone, other] = [await process.enter(tim), await process.enter(await world.character('Ann'))];
      gone.leave();
      await waitFor('the fault', 5000, async () => faults[0] ?? null);
      vi.advanceTimersToNextTimer();
      await waitFor('being away', 5000, async () => (await isOnline()) === false || null);
      expect(await presences(database.db).distinct('character')).toEqual(['ann']);
      other.leave();
      await process.close();
    } finally {
      vi.useRealTimers();
    }
  });
  it('is corrected where a room says otherwise', async () => {
    const process = open();
    const presence = await process.enter(tim);
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'players.0.is_online': false } });
    await sweepPresences(database.db, new Date(), () => undefined);
    expect(await isOnline()).toBe(true);
    presence.leave();
    await process.close();
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'players.0.is_online': true } });
    await sweepPresences(database.db, new Date(), () => undefined);
    expect(await isOnline()).toBe(false);
  });
});
