/** Acts that a process has left: who finishes them, and what a process does that was only paused. */
import { beforeEach, describe, expect, it } from 'vitest';
import { carry } from '../../../src/models/game/acts/carrying.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { goOn } from '../../../src/models/game/acts/going.js';
import { dropItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { locations } from '../../../src/models/game/world/location.js';
import type { Transit } from '../../../src/models/game/world/transit.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
const HALL = { kind: 'LOCATION', id: 'hall' } as const;

beforeEach(async () => {
  for (const collection of [characters, items, locations]) await collection(database.db).deleteMany({});
  world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall');
  tim = await world.character('Tim');
});

/** A process has taken the lamp out of the room, a while ago. @param until the end of its turn */
async function leaveTaking(until: Date): Promise<Transit> {
  const lamp = (await world.at('hall')).inventory.find(({ id }) => id === 'lamp');
  if (!lamp) throw new Error('There is no lamp');
  const transit: Transit = {
    call: 'left',
    by: tim,
    at: new Date(),
    until,
    items: [lamp],
    to: { kind: 'CHARACTER', id: tim, inside: null, room: null },
    price: 0,
    tell: null,
    tell_back: null,
  };
  await locations(database.db).updateOne(
    { _id: 'hall' },
    { $pull: { inventory: { id: 'lamp' } }, $push: { transits: transit }, $inc: { version: 1 } },
  );
  return transit;
}

const LONG_AGO = new Date(Date.UTC(2020, 0, 1));
const repair = () => repairTransits(database.db, new Date(), new Date());

describe('a taking that was left', () => {
  it('is finished', async () => {
    await leaveTaking(LONG_AGO);
    expect(await repair()).toBe(1);
    expect(await world.carried(tim)).toEqual(['lamp']);
    expect((await world.at('hall')).transits).toEqual([]);
    expect(await repair()).toBe(0);
  });
  it('is taken back if the character cannot carry it any more', async () => {
    await leaveTaking(LONG_AGO);
    await characters(database.db).updateOne({ _id: tim }, { $set: { weight_max: 0 } });
    await repair();
    expect(await world.lying('hall')).toEqual(['lamp']);
    expect(await world.carried(tim)).toEqual([]);
  });
  it('is only closed if the item has arrived, even if it has moved on since', async () => {
    const transit = await leaveTaking(LONG_AGO);
    const { weight } = await world.of(tim);
    await characters(database.db).updateOne(
      { _id: tim },
      { $push: { inventory: { $each: transit.items } }, $set: { weight: weight + 100 } },
    );
    await moveCharacter(database.db, world.act(tim), 'north');
    await dropItem(database.db, world.act(tim), 'lamp');
    await repair();
    expect([await world.lying('hall'), await world.lying('kitchen'), await world.carried(tim)]).toEqual([
      [],
      ['lamp'],
      [],
    ]);
  });
  it('is left to the process whose turn it is', async () => {
    await leaveTaking(new Date(Date.now() + 60_000));
    expect(await repair()).toBe(0);
    expect(await world.carried(tim)).toEqual([]);
  });
  it('is finished once by two repairs at the same time', async () => {
    await leaveTaking(LONG_AGO);
    await Promise.all([repair(), repair()]);
    expect(await world.carried(tim)).toEqual(['lamp']);
    expect((await world.of(tim)).weight).toBe(100);
  });
});

describe('a process that was paused for longer than its turn', () => {
  it('changes nothing, before and after repair', async () => {
    const transit = await leaveTaking(LONG_AGO);
    const paused = () => carry(database.db, { source: HALL, transit }, {});
    await expect(paused()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await world.carried(tim)).toEqual([]);
    await repair();
    await dropItem(database.db, world.act(tim), 'lamp');
    await expect(paused()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect([await world.lying('hall'), await world.carried(tim)]).toEqual([['lamp'], []]);
  });
  it('does not take back what repair has finished', async () => {
    const transit = await leaveTaking(LONG_AGO);
    await repair();
    await characters(database.db).updateOne({ _id: tim }, { $set: { weight_max: 0 } });
    const gone = { ...transit, to: { kind: 'CHARACTER' as const, id: 'nobody', inside: null, room: null } };
    await expect(carry(database.db, { source: HALL, transit: gone }, {})).rejects.toMatchObject({
      code: 'SERVER_BUSY',
    });
    expect([await world.lying('hall'), await world.carried(tim)]).toEqual([[], ['lamp']]);
  });
  it('does not bring a character into a room once more', async () => {
    const asked = world.act(tim);
    const before = await world.of(tim);
    await moveCharacter(database.db, asked, 'north');
    await moveCharacter(database.db, world.act(tim), 'south');
    const transit: Transit = {
      call: asked.call,
      by: tim,
      at: LONG_AGO,
      until: LONG_AGO,
      items: [],
      to: { kind: 'LOCATION', id: 'kitchen', inside: null, room: null },
      price: 0,
      tell: null,
      tell_back: null,
      player: { id: tim, name: 'Tim', class: 'WARRIOR', role: 'PERSON', is_online: false },
      move: before.moves + 1,
    };
    await expect(goOn(database.db, { source: HALL, transit }, {})).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect((await world.at('kitchen')).players).toEqual([]);
    expect((await world.at('hall')).players).toMatchObject([{ id: tim }]);
  });
});

describe('a retry of a call that was left', () => {
  it('waits for repair while it is the turn of another process, then finds it done', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await dropItem(database.db, world.act(tim), 'lamp');
    const transit = await leaveTaking(new Date(Date.now() + 60_000));
    const asked = { ...world.act(tim), call: `record.${transit.call}` };
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'transits.0.call': asked.call } });
    await expect(pickUpItem(database.db, asked, 'lamp')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'transits.0.until': LONG_AGO } });
    expect(await pickUpItem(database.db, asked, 'lamp')).toMatchObject({ inventory: [{ id: 'lamp' }] });
    expect((await world.at('hall')).transits).toEqual([]);
  });
});
