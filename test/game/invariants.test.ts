/** Every invariant is reported when it does not hold, with what was found. */
import { beforeEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../src/models/game/acts/handling.js';
import { game } from '../../src/models/game/domain.js';
import { copyOf } from '../../src/models/game/rooms/room-copy.js';
import { characters } from '../../src/models/game/world/character.js';
import { items } from '../../src/models/game/world/item.js';
import type { ItemEntry } from '../../src/models/game/world/item-entry.js';
import { locations } from '../../src/models/game/world/location.js';
import { findViolations } from '../../src/models/violation.js';
import { useDatabase } from '../support/database.js';
import { openWorld, underWay, type World } from './game-support.js';

const database = useDatabase({ checked: false });
let world: World;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: {} });
  await world.item('lamp', 'hall');
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'bag');
  await world.character('Tim');
  await pickUpItem(database.db, world.act('tim'), 'lamp');
  await world.copy();
});

async function found(): Promise<string[]> {
  const violations: string[] = [];
  for await (const { invariant, subject } of findViolations(database.db, [game]))
    violations.push(`${invariant}: ${subject}`);
  return violations.toSorted();
}

const hall = (change: object) => locations(database.db).updateOne({ _id: 'hall' }, change as never);
/** Marked as a change, so that a copy may be behind. */
const marked = { $set: { uncopied_since: new Date() }, $inc: { version: 1 } };
const kitchen = (change: object) => locations(database.db).updateOne({ _id: 'kitchen' }, change as never);
const tim = (change: object) => characters(database.db).updateOne({ _id: 'tim' }, change as never);

describe('the invariants of the game', () => {
  it('hold', async () => {
    expect(await found()).toEqual([]);
  });
  it.each<[string, () => Promise<unknown>, readonly string[]]>([
    [
      'an item in two places',
      async () =>
        hall({
          $push: { inventory: (await world.of('tim')).inventory[0] },
          $set: { uncopied_since: new Date() },
          $inc: { version: 1 },
        }),
      ['an item is in exactly one place: lamp'],
    ],
    ['an item nowhere', () => tim({ $set: { inventory: [], weight: 0 } }), ['an item is in exactly one place: lamp']],
    [
      'outdated details',
      () => items(database.db).updateOne({ _id: 'lamp' }, { $set: { edition: 7 } }),
      ['an entry has the details of its item: lamp'],
    ],
    [
      'a container that is not there',
      () => tim({ $set: { 'inventory.0.inside_id': 'bag' } }),
      ['a container is there, and not too deep: tim lamp'],
    ],
    [
      'a character in two rooms',
      () =>
        locations(database.db).updateOne(
          { _id: 'kitchen' },
          { $push: { players: { id: 'tim', name: 'Tim', class: 'WARRIOR', role: 'PERSON', is_online: false } } },
        ),
      ['a character is in exactly one room: tim'],
    ],
    [
      'a room with another role of a character',
      async () => {
        await hall({ $set: { 'players.0.role': 'FOLK' } });
        await tim({ $set: { 'location.players.0.role': 'FOLK' } });
      },
      ['a room shows a character as it is: tim'],
    ],
    [
      'containers in a circle',
      () => tim({ $set: { 'inventory.0.inside_id': 'lamp' } }),
      ['a container is there, and not too deep: tim lamp'],
    ],
    [
      'a copy that is not equal',
      () => tim({ $set: { 'location.name': 'Somewhere' } }),
      ['a copy is equal to its room: tim in hall'],
    ],
    [
      'a copy that is behind without a mark',
      () => hall({ $inc: { version: 1 } }),
      ['a copy has the version of its room: tim in hall'],
    ],
    ['a wrong weight', () => tim({ $set: { weight: 1 } }), ['weight = sum of what is carried: tim']],
    ['gold from nowhere', () => tim({ $inc: { gold: 1 } }), ['gold is conserved: characters']],
    [
      'armor that is not carried',
      () => tim({ $set: { armor: [{ id: 'coin', region: 'HEAD' }] } }),
      ['what is worn is carried: tim'],
    ],
    [
      'an act that does not end',
      () => tim({ $push: { transits: underWay({ until: new Date(0) }) } }),
      ['an act ends: tim, seconds without progress'],
    ],
    [
      'a character twice in a room',
      async () => hall({ $push: { players: (await world.at('hall')).players[0] }, ...marked }),
      ['a character is in a room once: hall'],
    ],
    [
      'somebody in a room who is no character',
      () =>
        kitchen({
          $push: { players: { id: 'ghost', name: 'Ghost', class: 'MAGE', role: 'FOLK', is_online: false } },
        }),
      ['a room shows characters that exist: kitchen ghost'],
    ],
    [
      'a copy of another room',
      async () => tim({ $set: { location: copyOf(await world.at('kitchen')) } }),
      ['a character is where its copy says: tim kitchen'],
    ],
    [
      'a copy of a room that does not exist',
      () => tim({ $set: { 'location._id': 'cellar' } }),
      ['a character is where its copy says: tim cellar', 'the room of a copy exists: tim cellar'],
    ],
    [
      'an item twice in an inventory',
      async () => {
        const [lamp] = (await world.of('tim')).inventory;
        await tim({ $push: { inventory: lamp }, $inc: { weight: lamp?.weight } });
      },
      ['an item is in an inventory once: tim', 'an item is in exactly one place: lamp'],
    ],
    [
      'an entry in a room without an item',
      async () => {
        await items(database.db).deleteOne({ _id: 'coin' });
      },
      ['an entry has an item: hall coin'],
    ],
    [
      'an entry of a character without an item',
      () => items(database.db).deleteOne({ _id: 'lamp' }),
      ['an entry has an item: tim lamp'],
    ],
    [
      'an entry in a transit without an item',
      async () => {
        const [lamp] = (await world.of('tim')).inventory;
        await tim({ $push: { transits: underWay({ items: [{ ...(lamp as ItemEntry), id: 'ghost' }] }) } });
      },
      ['an entry has an item: tim ghost'],
    ],
    [
      'six containers inside each other',
      async () => {
        const boxes = [1, 2, 3, 4, 5].map((at) => `box-${at}`);
        let around = 'hall';
        for (const box of boxes) {
          await world.item(box, around, { kind: 'CONTAINER' });
          around = box;
        }
        await world.copy();
        const { inventory } = await world.at('hall');
        const nested = inventory.map((entry) => (entry.id === 'bag' ? { ...entry, inside_id: around } : entry));
        await hall({ ...marked, $set: { ...marked.$set, inventory: nested } });
      },
      ['a container is there, and not too deep: hall coin'],
    ],
    ['less gold than none', () => tim({ $set: { gold: -5, gold_start: -5 } }), ['gold is not negative: tim']],
  ])('report %s', async (_case, breakIt, expected) => {
    await breakIt();
    expect(await found()).toEqual(expected);
  });
});
