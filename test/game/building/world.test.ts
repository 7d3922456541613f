/** Building the world. */
import { beforeEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { saveFolk } from '../../../src/models/game/building/folk-saving.js';
import { saveItems } from '../../../src/models/game/building/item-saving.js';
import { type LocationInput, saveLocations } from '../../../src/models/game/building/location-saving.js';
import { bringIn, createCharacter, newCharacter } from '../../../src/models/game/characters/character-creation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { items } from '../../../src/models/game/world/item.js';
import { locations } from '../../../src/models/game/world/location.js';
import { findStart, worlds } from '../../../src/models/game/world/world.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';

const database = useDatabase();
let world: World;

beforeEach(async () => {
  for (const collection of [characters, items, locations, worlds]) await collection(database.db).deleteMany({});
  world = new World(database.db);
});

const room = (key: string, fields: Partial<LocationInput> = {}): LocationInput => ({
  key,
  name: key,
  description: '',
  exits: [],
  isStart: false,
  ...fields,
});
const exit = (direction: string, to: string, needs: string | null = null) => ({
  direction,
  to,
  needs,
  aliases: [],
  description: '',
});
const thing = (key: string, place: string, fields: object = {}) => ({
  key,
  name: key,
  description: '',
  kind: 'THING' as const,
  bonus: 0,
  quantity: 1,
  weight: 10,
  isFixed: false,
  slots: [],
  place,
  ...fields,
});

describe('saving something that must be new', () => {
  it('rejects an item whose key is taken, and changes nothing', async () => {
    await saveLocations(database.db, [room('a')], world.saving());
    await saveItems(database.db, [thing('crown', 'a', { name: 'crown of kings' })], world.saving());
    const before = await items(database.db).find({}).toArray();
    const mud = thing('crown', 'a', { name: 'mud', isNew: true });
    expect(await saveItems(database.db, [mud, thing('stone', 'a', { isNew: true })], world.saving())).toMatchObject({
      saved: 1,
      rejected: [{ index: 0, message: 'There is an item with the key crown already' }],
    });
    expect(await items(database.db).find({ _id: 'crown' }).toArray()).toEqual(before);
  });
  it('rejects somebody whose name is taken, and changes nothing', async () => {
    await saveLocations(database.db, [room('a')], world.saving());
    await world.folk('Bert', 'a');
    const before = await world.of('bert');
    const bert = { name: 'BERT', class: 'MAGE', role: 'FOLK', gold: 5, location: 'a', isNew: true } as const;
    expect(await saveFolk(database.db, [bert], world.saving())).toMatchObject({
      saved: 0,
      rejected: [{ index: 0, message: 'There is somebody named Bert already' }],
    });
    expect(await world.of('bert')).toEqual(before);
  });
});

describe('saving folk', () => {
  it('brings in somebody whom an earlier attempt of the same call has left on the way', async () => {
    await saveLocations(database.db, [room('a')], world.saving());
    const bert = { name: 'Bert', class: 'MAGE', role: 'FOLK', gold: 5, location: 'a' } as const;
    const saving = world.saving();
    const tenMinutesAgo = new Date(saving.now().getTime() - 600_000);
    const begun = { call: `${saving.call}/Bert`, now: tenMinutesAgo, changed: saving.changed };
    await characters(database.db).insertOne(newCharacter({ ...bert, owner: null }, await world.at('a'), begun));
    for (let attempt = 1; attempt <= 2; attempt += 1)
      expect(await saveFolk(database.db, [bert], saving)).toEqual({ saved: 1, rejected: [] });
    expect(await world.at('a')).toMatchObject({ players: [{ id: 'bert' }], happened: 1 });
    expect(await world.of('bert')).toMatchObject({ gold: 5, transits: [] });
  });
});

describe('saving locations', () => {
  it('accepts exits among them, and rejects those that lead nowhere or cannot be typed', async () => {
    const saved = await saveLocations(
      database.db,
      [
        room('a', { exits: [exit('north', 'b')] }),
        room('b', { exits: [exit('south', 'a')] }),
        room('c', { exits: [exit('up', 'nowhere')] }),
        room('d', { exits: [exit('up', 'c')] }),
        room('e!'),
        room('f', { exits: [exit('up  high', 'a'), exit('UP high', 'b')] }),
        room('g', { exits: [exit('Help', 'a')] }),
        room('h', { exits: [{ ...exit('out', 'a'), aliases: ['LOOK'] }] }),
        room('i', { exits: [exit('“way”', 'a')] }),
      ],
      world.saving(),
    );
    expect(saved).toMatchObject({
      saved: 2,
      rejected: [
        { index: 2, message: expect.stringContaining('nowhere') },
        { index: 3, message: expect.stringContaining('leads to c') },
        { index: 4, message: expect.stringContaining('key') },
        { index: 5, message: expect.stringContaining('up high twice') },
        { index: 6, message: 'locations[6].exits[0].direction must not be a command: help' },
        { index: 7, message: expect.stringContaining('look') },
        { index: 8, message: expect.stringContaining('“way”') },
      ],
    });
    expect(await locations(database.db).distinct('_id')).toEqual(['a', 'b']);
  });
  it.each(['\u202e', '\u2066', '\u200b', '\0'])(
    'rejects a description with the hidden character %j',
    async (hidden) => {
      const saved = await saveLocations(
        database.db,
        [room('a', { description: `One\n\ttwo${hidden}three` }), room('b', { description: 'One\r\n\ttwo' })],
        world.saving(),
      );
      expect(saved).toMatchObject({
        saved: 1,
        rejected: [{ index: 0, message: expect.stringContaining('at position 9') }],
      });
      expect(await locations(database.db).find({}).toArray()).toMatchObject([{ _id: 'b', description: 'One\n\ttwo' }]);
    },
  );
  it('rejects what somebody else has saved since it was read, and changes nothing', async () => {
    const read = room('a', { exits: [exit('north', 'a')] });
    await saveLocations(database.db, [read], world.saving());
    const save = (fields: Partial<LocationInput>) => {
      const { name, description, exits } = read;
      return saveLocations(
        database.db,
        [room('b'), { ...read, ...fields, before: { name, description, exits } }],
        world.saving(),
      );
    };
    const first = { exits: [...read.exits, exit('east', 'a')] };
    const second = { exits: [...read.exits, exit('west', 'a')] };
    expect(await save(first)).toEqual({ saved: 2, rejected: [] });
    expect(await save(first)).toEqual({ saved: 2, rejected: [] }); // a retry
    expect(await save(second)).toMatchObject({ saved: 1, rejected: [{ index: 1, code: 'CONFLICT' }] });
    expect((await world.at('a')).exits.map(({ direction }) => direction)).toEqual(['north', 'east']);
  });
  it('rejects what was read and is gone, with what leads there', async () => {
    const before = { name: 'A', description: 'Old', exits: [] };
    const rows = [room('gone', { before }), room('b', { exits: [exit('north', 'gone')] }), room('c')];
    const outcome = await saveLocations(database.db, rows, world.saving());
    expect(outcome).toMatchObject({ saved: 1, rejected: [{ code: 'CONFLICT' }, { code: 'BAD_USER_INPUT' }] });
    expect(outcome.rejected.map(({ index }) => index)).toEqual([0, 1]);
    expect(await locations(database.db).distinct('_id')).toEqual(['c']);
  });
  it('loses none of the exits that are added at the same time', async () => {
    await saveLocations(database.db, [room('a')], world.saving());
    const add = async (direction: string): Promise<void> => {
      const { name, description, exits } = await world.at('a');
      const before = { name, description, exits };
      const input = room('a', { exits: [...exits, exit(direction, 'a')], before });
      const { rejected } = await saveLocations(database.db, [input], world.saving());
      if (rejected.length > 0) await add(direction);
    };
    const directions = ['east', 'north', 'south', 'up', 'west'];
    await Promise.all(directions.map(add));
    expect((await world.at('a')).exits.map(({ direction }) => direction).toSorted()).toEqual(directions);
  });
  it('changes nothing when the same is saved again, and tells those who are there of a change', async () => {
    await saveLocations(database.db, [room('a', { isStart: true })], world.saving());
    const tim = await world.character('Tim');
    const before = await world.at('a');
    await saveLocations(database.db, [room('a', { isStart: true })], world.saving());
    expect(await world.at('a')).toEqual(before);
    await saveLocations(database.db, [room('a', { description: 'New\nlines', isStart: true })], world.saving());
    await world.copy();
    expect(await world.of(tim)).toMatchObject({ location: { description: 'New\nlines', players: [{ id: tim }] } });
    expect((await world.heard(tim)).at(-1)).toBe('Something has changed here.');
  });
  it('has one start, the last one that was saved', async () => {
    await saveLocations(database.db, [room('a', { isStart: true }), room('b', { isStart: true })], world.saving());
    expect(await findStart(database.db)).toBe('b');
    await saveLocations(database.db, [room('a')], world.saving());
    expect(await findStart(database.db)).toBe('b');
    await saveLocations(database.db, [room('b')], world.saving()); // left out: it only moves to another one
    expect(await findStart(database.db)).toBe('b');
    await saveLocations(database.db, [room('a', { isStart: true })], world.saving());
    expect(await findStart(database.db)).toBe('a');
  });
  it('lets nobody begin in a world without a start', async () => {
    await saveLocations(database.db, [room('a')], world.saving());
    const made = await createCharacter(database.db, 'somebody', { name: 'Tim', class: 'MAGE' }, world.creation());
    expect(made).toMatchObject({ __typename: 'NoRoom' });
    expect(await characters(database.db).countDocuments()).toBe(0);
  });
  it('brings nobody into a start that was removed meanwhile', async () => {
    await saveLocations(database.db, [room('hall')], world.saving());
    const creation = world.creation();
    const fields = { name: 'Tim', class: 'MAGE', role: 'PERSON', owner: 'somebody', gold: 0 } as const;
    const made = newCharacter(fields, { ...(await world.at('hall')), _id: 'pier', name: 'The pier' }, creation);
    expect(await bringIn(database.db, made, creation)).toMatchObject({
      __typename: 'NoRoom',
      message: 'The pier was removed at the same time',
    });
    expect(await characters(database.db).countDocuments()).toBe(0);
  });
  it('is limited to 500', async () => {
    const many = Array.from({ length: 501 }, (_, at) => room(`r${at}`));
    await expect(saveLocations(database.db, many, world.saving())).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

describe('saving items', () => {
  beforeEach(() => saveLocations(database.db, [room('a', { isStart: true })], world.saving()));

  it('puts new ones in their places, and says which cannot be', async () => {
    await saveFolk(
      database.db,
      [{ name: 'Bert', class: 'CLERIC', role: 'SHOPKEEPER', gold: 0, location: 'a' }],
      world.saving(),
    );
    const saved = await saveItems(
      database.db,
      [
        thing('bag', 'a', { kind: 'CONTAINER' }),
        thing('coin', 'bag'),
        thing('rope', 'Bert'),
        thing('lost', 'nowhere'),
        thing('stuck', 'coin'),
        thing('hat', 'a', { kind: 'ARMOR', slots: ['LEFT_HAND'] }),
        thing('heavy', 'a', { weight: 2_000_000 }),
      ],
      world.saving(),
    );
    expect(saved).toMatchObject({ saved: 3, rejected: [{ index: 3 }, { index: 4 }, { index: 5 }, { index: 6 }] });
    expect((await world.at('a')).inventory).toMatchObject([{ id: 'bag' }, { id: 'coin', inside_id: 'bag' }]);
    expect(await world.carried('bert')).toEqual(['rope']);
    expect(await items(database.db).distinct('_id')).toEqual(['bag', 'coin', 'rope']);
  });
  it('changes those that exist where they are', async () => {
    await world.item('lamp', 'a', { weight: 10 });
    const tim = await world.character('Tim');
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await saveItems(database.db, [thing('lamp', 'nowhere', { name: 'old lamp', weight: 30 })], world.saving());
    expect(await world.of(tim)).toMatchObject({
      weight: 30,
      inventory: [{ id: 'lamp', name: 'old lamp', edition: 2 }],
    });
    expect(await items(database.db).findOne({ _id: 'lamp' })).not.toHaveProperty('changed_since');
  });
  it('names them at the exits that need them', async () => {
    await saveLocations(database.db, [room('a', { isStart: true, exits: [exit('down', 'a', 'key')] })], world.saving());
    await saveItems(database.db, [thing('key', 'a')], world.saving());
    await saveItems(database.db, [thing('key', 'a', { name: 'iron key' })], world.saving());
    expect((await world.at('a')).exits).toMatchObject([{ needs: 'key', needs_name: 'iron key' }]);
  });
});

describe('saving folk', () => {
  beforeEach(() => saveLocations(database.db, [room('a', { isStart: true })], world.saving()));
  const folk = (name: string, fields: object = {}) => ({
    name,
    class: 'CLERIC' as const,
    role: 'FOLK' as const,
    gold: 5,
    location: 'a',
    ...fields,
  });

  it('brings new ones in, and changes what those are that exist', async () => {
    await saveFolk(database.db, [folk('Bert')], world.saving());
    await saveFolk(database.db, [folk('bert', { role: 'SHOPKEEPER', gold: 9 })], world.saving());
    expect(await world.of('bert')).toMatchObject({ name: 'Bert', role: 'SHOPKEEPER', gold: 5 });
    expect((await world.at('a')).players).toMatchObject([{ id: 'bert', role: 'SHOPKEEPER' }]);
  });
  it('rejects the names of persons, persons, and places that are not there', async () => {
    await world.character('Tim');
    const saved = await saveFolk(
      database.db,
      [folk('Tim'), folk('Cid', { role: 'PERSON' }), folk('Dee', { location: 'b' })],
      world.saving(),
    );
    expect(saved).toMatchObject({ saved: 0, rejected: [{ index: 0 }, { index: 1 }, { index: 2 }] });
  });
});
