/** Every invariant is reported when it does not hold, with what was found. */
import { beforeEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../src/models/game/acts/handling.js';
import { game } from '../../src/models/game/domain.js';
import { characters } from '../../src/models/game/world/character.js';
import { items } from '../../src/models/game/world/item.js';
import { locations } from '../../src/models/game/world/location.js';
import { worlds } from '../../src/models/game/world/world.js';
import { findViolations } from '../../src/models/violation.js';
import { useDatabase } from '../support/database.js';
import { World } from './game-support.js';

const database = useDatabase({ checked: false });
let world: World;

beforeEach(async () => {
  for (const collection of [characters, items, locations, worlds]) await collection(database.db).deleteMany({});
  world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: {} });
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
      () =>
        tim({
          $push: {
            transits: {
              call: 'old',
              by: 'tim',
              at: new Date(0),
              until: new Date(0),
              items: [],
              to: null,
              price: 0,
              tell: null,
              tell_back: null,
            },
          },
        }),
      ['an act ends: tim, seconds without progress'],
    ],
  ])('report %s', async (_case, breakIt, expected) => {
    await breakIt();
    expect(await found()).toEqual(expected);
  });
});
