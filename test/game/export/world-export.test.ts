/** Exports of the world, which are imports of the same. */
import { afterEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { locations } from '../../../src/models/game/world/location.js';
import { worlds } from '../../../src/models/game/world/world.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';
import { useWorldImports } from '../import/world-import-support.js';

const database = useDatabase();
const { importAll, exportAll } = useWorldImports(database);

afterEach(async () => {
  for (const each of [locations, items, characters, worlds]) await each(database.db).deleteMany({});
});

const hall = { location: 'hall', name: 'Hall', isStart: true, exits: [{ direction: 'up', to: 'attic', needs: 'key' }] };
const attic = {
  location: 'attic',
  name: 'Attic',
  description: 'Dusty.',
  exits: [{ direction: 'down', aliases: ['d'], to: 'hall' }],
};
const bag = { item: 'bag', name: 'bag', kind: 'CONTAINER', place: 'hall' };
const box = { item: 'box', name: 'box', kind: 'CONTAINER', place: 'bag' };
const key = { item: 'key', name: 'iron key', weight: 20, place: 'box' };
const hat = { item: 'hat', name: 'hat', kind: 'ARMOR', slots: ['HEAD'], bonus: 1, price: 30, carriedBy: 'Ann' };
const ann = { folk: 'Ann', class: 'CLERIC', role: 'SHOPKEEPER', gold: 50, at: 'attic' };
/** Every row refers to a later one. */
const WORLD = [key, box, hat, bag, ann, hall, attic];

describe('an export', () => {
  it('is the same, byte for byte, when its import is exported', async () => {
    await importAll([
      ...WORLD,
      {
        item: 'arrows',
        name: 'arrow',
        quantity: 20,
        kind: 'WEAPON',
        slots: ['BOTH_HANDS'],
        isFixed: true,
        place: 'box',
      },
    ]);
    const file = await exportAll();
    expect(file.split('\n')[0]).toBe(
      JSON.stringify({ location: 'attic', name: 'Attic', description: 'Dusty.', exits: attic.exits }),
    );
    for (const each of [locations, items, characters, worlds]) await each(database.db).deleteMany({});
    expect(await importAll(file)).toMatchObject({ imported: 8, rejected: 0 });
    expect(await exportAll()).toBe(file);
    expect(await importAll(file)).toMatchObject({ imported: 0, skipped: 8, rejected: 0 });
  });

  it('has what people carry as if it lay in the room', async () => {
    await importAll(WORLD);
    const world = new World(database.db);
    await pickUpItem(database.db, world.act(await world.character('Tim')), 'bag');
    const rows = (await exportAll())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.filter((row) => 'item' in row).map(({ item, place, carriedBy }) => [item, place ?? carriedBy])).toEqual(
      [
        ['bag', 'hall'],
        ['box', 'bag'],
        ['hat', 'Ann'],
        ['key', 'box'],
      ],
    );
    expect(rows.some((row) => row.folk === 'Tim')).toBe(false);
  });

  it('has what is on its way where it comes from, and what is new where it goes', async () => {
    await importAll(WORLD);
    const { db } = database;
    const moved = await locations(db).findOne({ _id: 'hall' });
    const transit = {
      call: 'c',
      items: moved?.inventory ?? [],
      to: { kind: 'CHARACTER', id: 'ann', inside: null, room: null },
    };
    await locations(db).updateOne({ _id: 'hall' }, { $set: { inventory: [], transits: [transit] as never } });
    const before = await exportAll();
    await locations(db).updateOne({ _id: 'hall' }, { $set: { inventory: moved?.inventory ?? [], transits: [] } });
    expect(await exportAll()).toBe(before);
  });

  it('of an empty world is empty', async () => {
    expect(await exportAll()).toBe('');
  });
});
