/** Moving from room to room. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Act } from '../../../src/models/game/acts/act.js';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { look } from '../../../src/models/game/acts/looking.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { saveLocations } from '../../../src/models/game/building/location-saving.js';
import { CALLS_KEPT } from '../../../src/models/game/world/character.js';
import { locations } from '../../../src/models/game/world/location.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('key', 'kitchen', { name: 'iron key' });
  const exit = { direction: 'down', aliases: ['stairs'], description: '', needs: 'key', to: 'kitchen' };
  const hall = { key: 'hall', name: 'The hall', description: '', isStart: true };
  const north = { direction: 'north', aliases: ['n'], description: '', to: 'kitchen' };
  await saveLocations(database.db, [{ ...hall, exits: [north, exit] }], world.saving());
  tim = await world.character('Tim');
});

const playersOf = async (key: string) => (await world.at(key)).players.map(({ id }) => id);

describe('going through an exit', () => {
  it.each(['north', 'n', 'NORTH', ' n '])('brings the character into the next room: %j', async (direction) => {
    const { moves } = await world.of(tim);
    const after = await moveCharacter(database.db, world.act(tim), direction);
    expect(after).toMatchObject({ location: { _id: 'kitchen', players: [{ id: tim }] }, moves: moves + 1 });
    expect([await playersOf('hall'), await playersOf('kitchen')]).toEqual([[], [tim]]);
    expect((await world.at('hall')).transits).toEqual([]);
  });
  it('is done once, also if its retry comes after so many other acts that the character has forgotten it', async () => {
    const asked = world.act(tim);
    await moveCharacter(database.db, asked, 'north');
    const { moves } = await world.of(tim);
    for (let at = 1; at < CALLS_KEPT; at += 1) await look(database.db, world.act(tim), null);
    const retry = { ...asked, now: new Date(), begunAt: asked.now };
    const move = async (by: Act) => (await moveCharacter(database.db, by, 'south')) as { moves: number };
    expect(await move(retry)).toMatchObject({ moves });
    await look(database.db, world.act(tim), null);
    expect((await world.of(tim)).calls).not.toContain(asked.call);
    expect(await move(retry)).toMatchObject({ moves });
    expect(await move({ ...world.act(tim), begunAt: new Date(Date.now() + 60_000) })).toMatchObject({
      moves: moves + 1,
    });
  });
  it('is seen in both rooms', async () => {
    const ann = await world.character('Ann');
    const bob = await world.character('Bob');
    await moveCharacter(database.db, world.act(bob), 'north');
    await moveCharacter(database.db, world.act(tim), 'north');
    await world.copy();
    expect((await world.heard(ann)).at(-1)).toBe('Tim goes north.');
    expect((await world.heard(bob)).at(-1)).toBe('Tim comes in.');
    expect((await world.heard(tim)).slice(-2)).toEqual(['You go north.', 'You are here: The kitchen.']);
  });
  it('refuses a direction without an exit, and names those that there are', async () => {
    expect(await moveCharacter(database.db, world.act(tim), 'west')).toMatchObject({
      __typename: 'NoSuchExit',
      directions: ['north', 'down'],
    });
    expect(await playersOf('hall')).toEqual([tim]);
  });
  it('says what an exit needs, as long as the character does not have it', async () => {
    const nowhere = async () =>
      ((await moveCharacter(database.db, world.act(tim), 'up')) as { message: string }).message;
    const seen = async () => {
      await look(database.db, world.act(tim), null);
      return (await world.heard(tim)).at(-1);
    };
    expect(await nowhere()).toBe('You cannot go there: you can go north, down (with the iron key)');
    expect(await seen()).toContain('You can go north and down (with the iron key).');
    await moveCharacter(database.db, world.act(tim), 'north');
    await pickUpItem(database.db, world.act(tim), 'key');
    await moveCharacter(database.db, world.act(tim), 'south');
    expect(await nowhere()).toBe('You cannot go there: you can go north, down');
    expect(await seen()).toContain('You can go north and down.');
  });
  it('needs the item of the exit', async () => {
    expect(await moveCharacter(database.db, world.act(tim), 'stairs')).toMatchObject({
      __typename: 'ExitClosed',
      needs: 'iron key',
    });
    await moveCharacter(database.db, world.act(tim), 'north');
    await pickUpItem(database.db, world.act(tim), 'key');
    await moveCharacter(database.db, world.act(tim), 'south');
    expect(await moveCharacter(database.db, world.act(tim), 'stairs')).toMatchObject({ location: { _id: 'kitchen' } });
  });
  it('stays where it is if the room is full', async () => {
    const extra = { name: 'Extra', class: 'MAGE', role: 'FOLK', is_online: false } as const;
    const players = Array.from({ length: 200 }, (_, at) => ({ ...extra, id: `extra ${at}` }));
    await locations(database.db).updateOne({ _id: 'kitchen' }, { $set: { players } });
    expect(await moveCharacter(database.db, world.act(tim), 'north')).toMatchObject({
      __typename: 'ExitClosed',
      needs: null,
    });
    expect(await playersOf('hall')).toEqual([tim]);
    expect((await world.at('hall')).transits).toEqual([]);
    expect((await playersOf('kitchen')).length).toBe(200);
  });
  it('moves once for a call that is repeated', async () => {
    const asked = world.act(tim);
    const moved = await moveCharacter(database.db, asked, 'north');
    expect(moved).toMatchObject({ location: { _id: 'kitchen' } });
    expect(await moveCharacter(database.db, asked, 'north')).toMatchObject({ moves: (await world.of(tim)).moves });
    expect(await moveCharacter(database.db, asked, 'north')).toMatchObject({ location: { _id: 'kitchen' } });
  });
  it('goes one way if two are asked for at once', async () => {
    await world.rooms({ cross: { east: 'east', west: 'west' }, east: { back: 'cross' }, west: { back: 'cross' } });
    const eve = await world.character('Eve');
    const outcomes = await Promise.all(['east', 'west'].map((way) => moveCharacter(database.db, world.act(eve), way)));
    const arrived = outcomes.filter((outcome) => '_id' in outcome);
    const there = [await playersOf('cross'), await playersOf('east'), await playersOf('west')].flat();
    expect(there).toEqual([eve]);
    expect(arrived.length).toBe(1);
    expect(outcomes.find((outcome) => !('_id' in outcome))).toMatchObject({ __typename: 'NoSuchExit' });
  });
});
