/** Imports of worlds, and exports, which are imports of the same. */
import { afterEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { characters, findCharacter } from '../../../src/models/game/world/character.js';
import { findItem, items } from '../../../src/models/game/world/item.js';
import { findLocation, locations } from '../../../src/models/game/world/location.js';
import { findPlace } from '../../../src/models/game/world/place.js';
import { findStart, worlds } from '../../../src/models/game/world/world.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';
import { useWorldImports } from './world-import-support.js';

const database = useDatabase();
const { importAll, exportAll, accept, start, runStep, rejectsOf, expectSound } = useWorldImports(database);

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

const placeOf = async (id: string): Promise<string | null> => {
  const place = await findPlace(database.db, id);
  return place && [place.id, place.entry.inside_id].filter(Boolean).join(' ');
};

describe('a file of a world', () => {
  it('has its rows in any order', async () => {
    const done = await importAll(WORLD);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 7, skipped: 0, rejected: 0, done: 7, total: 7 });
    expect(await placeOf('key')).toBe('hall box');
    expect(await placeOf('box')).toBe('hall bag');
    expect(await placeOf('bag')).toBe('hall');
    expect(await placeOf('hat')).toBe('ann');
    expect(await findLocation(database.db, 'hall')).toMatchObject({
      name: 'Hall',
      exits: [{ direction: 'up', to: 'attic', needs: 'key', needs_name: 'iron key' }],
    });
    expect(await findCharacter(database.db, 'ann')).toMatchObject({ role: 'SHOPKEEPER', gold: 50, owner: null });
    expect(await findStart(database.db)).toBe('hall');
    await expectSound();
  });

  it('changes nothing when it is imported again, and then only what is different', async () => {
    await importAll(WORLD);
    const before = await exportAll();
    expect(await importAll(WORLD)).toMatchObject({ imported: 0, skipped: 7, rejected: 0 });
    expect(await exportAll()).toBe(before);
    const changed = [{ ...key, name: 'rusty key' }, { ...attic, name: 'Loft' }, { ...ann, role: 'FOLK' }, bag];
    expect(await importAll(changed)).toMatchObject({ imported: 3, skipped: 1 });
    expect(await findItem(database.db, 'key')).toMatchObject({ name: 'rusty key' });
    expect(await findCharacter(database.db, 'ann')).toMatchObject({ role: 'FOLK', gold: 50 });
    await expectSound();
  });

  it('keeps the first of the rows with the same key or name, also when it is imported again', async () => {
    const cells = Array.from({ length: 120 }, (_, n) => ({ location: `cell-${n}`, name: 'Cell' })); // two batches
    const seconds = [
      { ...attic, name: 'Second' },
      { ...ann, folk: 'ANN', role: 'FOLK' },
      { ...bag, name: 'second' },
    ];
    const file = lines([hall, attic, ann, bag, ...cells, ...seconds]);
    const rejects = seconds.map((row, index) => [125 + index, 'USED_TWICE', 'folk' in row ? 'name' : 'key']);
    const first = await importAll(file);
    expect(first).toMatchObject({ imported: 124, skipped: 0, rejected: 3, done: 127, total: 127 });
    expect(await rejectsOf(first)).toEqual(rejects);
    const before = await exportAll();
    expect(before).not.toContain('econd');
    let again = await accept(file);
    while (again.open) again = await runStep(again._id);
    expect(again).toMatchObject({ imported: 0, skipped: 124, rejected: 3 });
    expect(await rejectsOf(again)).toEqual(rejects);
    expect(await exportAll()).toBe(before);
    await expectSound();
  });

  it('leaves what exists where it is', async () => {
    await importAll([hall, attic, bag, { item: 'lamp', name: 'lamp', place: 'hall' }]);
    const world = new World(database.db);
    const tim = await world.character('Tim');
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await importAll([{ item: 'lamp', name: 'old lamp', place: 'attic' }]);
    expect(await world.carried(tim)).toEqual(['lamp']);
    expect(await findItem(database.db, 'lamp')).toMatchObject({ name: 'old lamp' });
    await expectSound();
  });

  it('is kept apart from others by its prefix', async () => {
    await importAll(WORLD);
    const other = WORLD.map((row) =>
      row === ann ? { ...ann, folk: 'Ben' } : row === hat ? { ...hat, carriedBy: 'Ben' } : row,
    );
    expect(await importAll(other, { prefix: 'two' })).toMatchObject({ imported: 7, rejected: 0 });
    expect(await placeOf('two:key')).toBe('two:hall two:box');
    expect(await placeOf('two:hat')).toBe('ben');
    expect(await findLocation(database.db, 'two:hall')).toMatchObject({
      exits: [{ to: 'two:attic', needs: 'two:key' }],
    });
    expect(await findStart(database.db)).toBe('hall');
    for (const prefix of ['a b', 'x'.repeat(21), 'a:'])
      await expect(start(lines(WORLD), { prefix })).rejects.toThrow('must have 1 to 20 letters and digits');
  });

  it('takes the start of the world only if there is none', async () => {
    await importAll([attic, { ...hall, isStart: false }]);
    expect(await findStart(database.db)).toBeNull();
    await importAll([{ ...attic, isStart: true }, hall]);
    expect(await findStart(database.db)).toBe('attic');
    await importAll([attic, hall]);
    expect(await findStart(database.db)).toBe('attic');
  });

  it('ends well wherever its process stops', async () => {
    const many = Array.from({ length: 250 }, (_, n) => ({
      item: `coin-${n}`,
      name: 'coin',
      place: n < 45 ? 'bag' : n < 195 ? 'hall' : 'attic',
    }));
    const { _id } = await accept(lines([...many, ...WORLD]));
    let work = await runStep(_id);
    for (let steps = 1; work.open; steps += 1) {
      expect(steps).toBeLessThan(50);
      work = await runStep(_id);
    }
    expect(work).toMatchObject({ state: 'FINISHED', imported: 257, skipped: 0, rejected: 0, done: 257, total: 257 });
    await expectSound();
  });

  it('is recorded in the audit trail', async () => {
    await accept(lines([hall]), { prefix: 'audited' });
    const entries = database.db.collection('audit').find({ action: 'WORLD_IMPORTED', detail: 'audited' });
    expect(await entries.toArray()).toMatchObject([{ actor: 'admin@example.org', subject: 'world.jsonl' }]);
  });
});

describe('a row', () => {
  const room = { location: 'room', name: 'Room' };
  it.each([
    ['NO_KIND', null, { name: 'x' }],
    ['INVALID_FIELD', 'name', { location: 'x' }],
    ['INVALID_KEY', 'key', { location: 'a b', name: 'x' }],
    ['INVALID_KEY', 'exits.0.to', { location: 'x', name: 'x', exits: [{ direction: 'n', to: '' }] }],
    ['INVALID_TEXT', 'name', { location: 'x', name: 'a\u200bb' }],
    ['INVALID_TEXT', 'description', { location: 'x', name: 'x', description: 'a'.repeat(5001) }],
    [
      'INVALID_EXITS',
      'exits',
      { location: 'x', name: 'x', exits: ['n', 'N'].map((direction) => ({ direction, to: 'room' })) },
    ],
    [
      'UNKNOWN_LOCATION',
      'exits.1.to, exits.2.to',
      { location: 'x', name: 'x', exits: ['room', 'none', 'nil'].map((to) => ({ direction: to, to })) },
    ],
    ['INVALID_NUMBER', 'quantity', { item: 'x', name: 'x', place: 'room', quantity: 0 }],
    ['INVALID_SLOTS', 'slots', { item: 'x', name: 'x', place: 'room', slots: ['HEAD'] }],
    ['UNKNOWN_PLACE', 'place', { item: 'x', name: 'x', place: 'none' }],
    ['UNKNOWN_PLACE', 'place', { item: 'x', name: 'x', place: 'Ann' }],
    ['UNKNOWN_PLACE', 'place', { item: 'x', name: 'x', carriedBy: 'Nobody' }],
    ['UNKNOWN_PLACE', 'place', { item: 'x', name: 'x', kind: 'CONTAINER', place: 'x' }],
    ['INVALID_NAME', 'name', { folk: '7', at: 'room' }],
    ['UNKNOWN_LOCATION', 'location', { folk: 'Ben', at: 'none' }],
  ])('that is wrong is rejected: %s, %s', async (reason, field, row) => {
    const done = await importAll([row, ann, attic, hall, room]);
    expect(await rejectsOf(done)).toEqual([[1, reason, field]]);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 4, rejected: 1 });
    expect(await items(database.db).countDocuments()).toBe(0);
    await expectSound();
  });

  it('of somebody whose name a person has is rejected', async () => {
    await importAll([hall, attic]);
    await new World(database.db).character('Ann');
    expect(await rejectsOf(await importAll([ann]))).toEqual([[1, 'NOT_OF_THE_WORLD', 'name']]);
  });

  it('that is no JSON is rejected once', async () => {
    const done = await importAll(`${lines([hall])}{\n[]\n\n${lines([attic])}`);
    expect(await rejectsOf(done)).toEqual([
      [2, 'NOT_JSON', null],
      [3, 'NOT_JSON', null],
    ]);
    expect(done).toMatchObject({ imported: 2, rejected: 2, done: 4, total: 4 });
  });

  it('of a container in itself, or in what is inside of it, is rejected', async () => {
    const done = await importAll([hall, attic, { ...bag, place: 'box' }, box]);
    expect(await rejectsOf(done)).toEqual([
      [3, 'UNKNOWN_PLACE', 'place'],
      [4, 'UNKNOWN_PLACE', 'place'],
    ]);
  });

  it('of a container that is too deep inside others is rejected', async () => {
    const chain = Array.from({ length: 7 }, (_, n) => ({
      ...bag,
      item: `c${n}`,
      place: n === 0 ? 'hall' : `c${n - 1}`,
    }));
    expect(await rejectsOf(await importAll([...chain.toReversed(), hall, attic]))).toEqual([
      [1, 'UNKNOWN_PLACE', 'place'],
      [2, 'NO_ROOM', 'place'],
    ]);
    await expectSound();
  });
});
