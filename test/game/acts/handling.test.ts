/** Taking, dropping, containers, giving. */
import { beforeEach, describe, expect, it } from 'vitest';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { look } from '../../../src/models/game/acts/looking.js';
import { putItemInto, takeItemOut } from '../../../src/models/game/acts/packing.js';
import { characters } from '../../../src/models/game/world/character.js';
import { type ItemDocument, items } from '../../../src/models/game/world/item.js';
import type { ItemEntry } from '../../../src/models/game/world/item-entry.js';
import { locations } from '../../../src/models/game/world/location.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
let ann: string;

beforeEach(async () => {
  const { db } = database;
  world = await openWorld(db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall', { name: 'brass lamp' });
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'bag');
  await world.item('statue', 'hall', { isFixed: true });
  await world.item('anvil', 'hall', { weight: 999_000 });
  tim = await world.character('Tim');
  ann = await world.character('Ann');
});

describe('picking up', () => {
  it('moves the item from the room to the character', async () => {
    const after = await pickUpItem(database.db, world.act(tim), 'lamp');
    expect(after).toMatchObject({ inventory: [{ id: 'lamp', inside_id: null }], weight: 100 });
    expect(after).toMatchObject({
      location: { inventory: [{ id: 'bag' }, { id: 'coin' }, { id: 'statue' }, { id: 'anvil' }] },
    });
    expect(await world.lying('hall')).toEqual(['bag', 'coin', 'statue', 'anvil']);
    expect((await world.at('hall')).transits).toEqual([]);
  });
  it('is seen by the others once their copies are up to date', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await world.copy();
    expect((await world.heard(ann)).at(-1)).toBe('Tim takes the brass lamp.');
    expect((await world.heard(tim)).at(-1)).toBe('You take the brass lamp.');
    expect((await world.of(ann)).location.inventory.map(({ id }) => id)).not.toContain('lamp');
  });
  it('takes what is inside along', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    expect(await world.carried(tim)).toEqual(['bag', 'coin']);
    expect((await world.of(tim)).weight).toBe(200);
  });
  it.each([
    ['what is fixed', 'statue', 'ItemFixed'],
    ['what is too heavy', 'anvil', 'TooHeavy'],
    ['what is not there', 'nothing', 'ItemGone'],
    ['what is inside a container', 'coin', 'ItemGone'],
  ])('refuses %s and changes nothing', async (_case, item, refusal) => {
    const before = await world.at('hall');
    expect(await pickUpItem(database.db, world.act(tim), item)).toMatchObject({ __typename: refusal });
    expect(await world.at('hall')).toEqual(before);
    expect(await world.carried(tim)).toEqual([]);
  });
  it('refuses one thing more than can be carried, before anybody hears of it', async () => {
    const {
      _id,
      transits: _transits,
      ...details
    } = (await items(database.db).findOne({ _id: 'lamp' })) as ItemDocument;
    const beads = Array.from({ length: 100 }, (_, at) => ({
      ...details,
      id: `bead-${at}`,
      weight: 0,
      inside_id: null,
    }));
    await characters(database.db).updateOne({ _id: tim }, { $set: { inventory: beads } });
    const before = await world.at('hall');
    expect(await pickUpItem(database.db, world.act(tim), 'lamp')).toMatchObject({ __typename: 'NoRoom' });
    expect(await takeItemOut(database.db, world.act(tim), 'coin')).toMatchObject({ __typename: 'NoRoom' });
    expect(await world.at('hall')).toEqual(before);
  });
  it('says who has it', async () => {
    await pickUpItem(database.db, world.act(ann), 'lamp');
    expect(await pickUpItem(database.db, world.act(tim), 'lamp')).toMatchObject({
      __typename: 'ItemGone',
      with: { id: ann },
    });
  });
  it('acts once for a call that is repeated', async () => {
    const asked = world.act(tim);
    await pickUpItem(database.db, asked, 'lamp');
    const { version } = await world.at('hall');
    expect(await pickUpItem(database.db, asked, 'lamp')).toMatchObject({ _id: tim, inventory: [{ id: 'lamp' }] });
    expect((await world.at('hall')).version).toBe(version);
  });
  it('is only for the own character', async () => {
    expect(await pickUpItem(database.db, { ...world.act(tim), owner: 'user-ann' }, 'lamp')).toMatchObject({
      __typename: 'CharacterNotFound',
    });
  });
});

describe('dropping', () => {
  it('puts the item down with what is inside', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    const after = await dropItem(database.db, world.act(tim), 'bag');
    expect(after).toMatchObject({ inventory: [], weight: 0, transits: [] });
    expect((await world.lying('hall')).slice(-2)).toEqual(['bag', 'coin']);
    expect((await world.heard(tim)).at(-1)).toBe('You drop the bag.');
  });
  it('is refused in a room that is full', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    const [statue] = (await world.at('hall')).inventory.filter(({ id }) => id === 'statue');
    const many = Array.from({ length: 200 }, (_, at) => ({ ...statue, id: `statue-${at}` }));
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { inventory: many as ItemEntry[] } });
    expect(await dropItem(database.db, world.act(tim), 'lamp')).toMatchObject({
      __typename: 'NoRoom',
      message: 'The room has no space for it',
    });
    expect(await world.carried(tim)).toEqual(['lamp']);
  });
  it('takes it out of its container first', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    await dropItem(database.db, world.act(tim), 'coin');
    expect((await world.at('hall')).inventory.at(-1)).toMatchObject({ id: 'coin', inside_id: null });
    expect(await world.carried(tim)).toEqual(['bag']);
  });
});

describe('what one does not carry any more', () => {
  it('is said to lie in the room, if it does', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await dropItem(database.db, world.act(tim), 'lamp');
    expect(await dropItem(database.db, world.act(tim), 'lamp')).toMatchObject({
      __typename: 'ItemGone',
      message: 'You do not have the brass lamp: it lies here',
    });
  });
});

describe('containers', () => {
  it('are filled and emptied in the inventory', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    await pickUpItem(database.db, world.act(tim), 'lamp');
    const filled = await putItemInto(database.db, world.act(tim), 'lamp', 'bag');
    expect(filled).toMatchObject({ inventory: [{ id: 'bag' }, { id: 'coin' }, { id: 'lamp', inside_id: 'bag' }] });
    const emptied = await takeItemOut(database.db, world.act(tim), 'lamp');
    expect(emptied).toMatchObject({ inventory: [{ id: 'bag' }, { id: 'coin' }, { id: 'lamp', inside_id: null }] });
  });
  it('are filled and emptied in the room', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await putItemInto(database.db, world.act(tim), 'lamp', 'bag');
    expect((await world.at('hall')).inventory.at(-1)).toMatchObject({ id: 'lamp', inside_id: 'bag' });
    const after = await takeItemOut(database.db, world.act(tim), 'coin');
    expect(after).toMatchObject({ inventory: [{ id: 'coin', inside_id: null }] });
  });
  it('do not go into themselves, nor into what is inside of them', async () => {
    await world.item('box', 'bag', { kind: 'CONTAINER' });
    await pickUpItem(database.db, world.act(tim), 'bag');
    const before = await world.of(tim);
    for (const into of ['bag', 'box'])
      expect(await putItemInto(database.db, world.act(tim), 'bag', into)).toMatchObject({
        __typename: 'CannotContain',
        message: 'The bag cannot be put into itself',
      });
    expect((await world.of(tim)).inventory).toEqual(before.inventory);
  });
  it('are at most five inside each other', async () => {
    for (const [at, key] of ['b1', 'b2', 'b3', 'b4', 'b5'].entries())
      await world.item(key, at === 0 ? 'hall' : `b${at}`, { kind: 'CONTAINER' });
    await pickUpItem(database.db, world.act(tim), 'bag');
    expect(await putItemInto(database.db, world.act(tim), 'bag', 'b5')).toMatchObject({ __typename: 'CannotContain' });
    expect(await putItemInto(database.db, world.act(tim), 'bag', 'b4')).toMatchObject({ _id: tim });
  });
  it('refuse to be something else', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    expect(await putItemInto(database.db, world.act(tim), 'bag', 'statue')).toMatchObject({
      __typename: 'CannotContain',
    });
    expect(await world.carried(tim)).toEqual(['bag', 'coin']);
  });
});

describe('what one carries', () => {
  it('leaves nothing to carry if it has become too heavy', async () => {
    await characters(database.db).updateOne({ _id: tim }, { $inc: { weight_max: -80_100 } });
    await look(database.db, world.act(tim), { kind: 'Character', id: tim });
    expect((await world.heard(tim)).at(-1)).toMatch(/ and can carry 0 kg more\.$/);
  });
});

describe('giving', () => {
  it('moves the item, and both see it in their words', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    const after = await giveItem(database.db, world.act(tim), 'lamp', ann);
    expect(after).toMatchObject({ _id: tim, inventory: [] });
    await world.copy();
    expect(await world.carried(ann)).toEqual(['lamp']);
    expect((await world.heard(tim)).at(-1)).toBe('You give the brass lamp to Ann.');
    expect((await world.heard(ann)).at(-1)).toBe('Tim gives you the brass lamp.');
  });
  it('needs somebody who is there', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    for (const other of ['nobody', tim])
      expect(await giveItem(database.db, world.act(tim), 'lamp', other)).toMatchObject({ __typename: 'NobodyThere' });
    expect(await world.carried(tim)).toEqual(['lamp']);
  });
  it('gives the item back if the other cannot carry it', async () => {
    await characters(database.db).updateOne({ _id: ann }, { $set: { weight_max: 50 } });
    await pickUpItem(database.db, world.act(tim), 'lamp');
    expect(await giveItem(database.db, world.act(tim), 'lamp', ann)).toMatchObject({
      __typename: 'TooHeavy',
      left: 50,
      message: 'Ann cannot carry that: 0.05 kg more can be carried',
    });
    expect(await world.carried(tim)).toEqual(['lamp']);
    expect(await world.of(tim)).toMatchObject({ weight: 100, transits: [] });
  });
});
