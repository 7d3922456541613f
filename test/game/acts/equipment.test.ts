/** Wearing and wielding. */
import { beforeEach, describe, expect, it } from 'vitest';
import { equipItem, unequipItem } from '../../../src/models/game/acts/equipment.js';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: {} });
  await world.item('hat', 'hall', { kind: 'ARMOR', slots: ['HEAD'], bonus: 3 });
  await world.item('crown', 'hall', { kind: 'ARMOR', slots: ['HEAD'] });
  await world.item('shirt', 'hall', { kind: 'ARMOR', slots: ['BODY'] });
  await world.item('coat', 'hall', { kind: 'ARMOR', slots: ['BODY'] });
  await world.item('sword', 'hall', { kind: 'WEAPON', slots: ['LEFT_HAND', 'RIGHT_HAND'] });
  await world.item('axe', 'hall', { kind: 'WEAPON', slots: ['BOTH_HANDS'] });
  tim = await world.character('Tim');
  for (const key of ['hat', 'crown', 'shirt', 'coat', 'sword', 'axe'])
    await pickUpItem(database.db, world.act(tim), key);
});

describe('equipment', () => {
  it('is worn by region, in layers on the body, and wielded by hand', async () => {
    await equipItem(database.db, world.act(tim), 'hat', 'HEAD');
    await equipItem(database.db, world.act(tim), 'shirt', 'BODY');
    await equipItem(database.db, world.act(tim), 'coat', 'BODY');
    const after = await equipItem(database.db, world.act(tim), 'sword', 'LEFT_HAND');
    expect(after).toMatchObject({
      armor: [
        { id: 'hat', region: 'HEAD' },
        { id: 'shirt', region: 'BODY' },
        { id: 'coat', region: 'BODY' },
      ],
      weapons: [{ id: 'sword', hand: 'LEFT_HAND' }],
      transits: [],
    });
    expect((await world.heard(tim)).slice(-2)).toEqual(['You put on the coat.', 'You wield the sword.']);
  });
  it.each([
    ['a place that is taken', 'crown', 'HEAD', 'hat'],
    ['both hands while one is taken', 'axe', 'BOTH_HANDS', 'sword'],
    ['a place for something else', 'coat', 'HEAD', null],
    ['what is on already', 'hat', 'HEAD', 'hat'],
  ] as const)('refuses %s', async (_case, item, slot, other) => {
    await equipItem(database.db, world.act(tim), 'hat', 'HEAD');
    await equipItem(database.db, world.act(tim), 'sword', 'RIGHT_HAND');
    const { armor, weapons } = await world.of(tim);
    const refused = await equipItem(database.db, world.act(tim), item, slot);
    expect(refused).toMatchObject({ __typename: 'CannotEquip', item: other && { id: other } });
    expect(await world.of(tim)).toMatchObject({ armor, weapons });
  });
  it('is taken off, and away with the item', async () => {
    await equipItem(database.db, world.act(tim), 'hat', 'HEAD');
    expect(await unequipItem(database.db, world.act(tim), 'hat')).toMatchObject({ armor: [] });
    expect(await unequipItem(database.db, world.act(tim), 'hat')).toMatchObject({ __typename: 'ItemGone' });
    await equipItem(database.db, world.act(tim), 'hat', 'HEAD');
    expect(await dropItem(database.db, world.act(tim), 'hat')).toMatchObject({ armor: [] });
    const ann = await world.character('Ann');
    await equipItem(database.db, world.act(tim), 'sword', 'LEFT_HAND');
    expect(await giveItem(database.db, world.act(tim), 'sword', ann)).toMatchObject({ weapons: [] });
  });
  it('fills a place once when two pieces are put on at the same time', async () => {
    const outcomes = await Promise.all(
      ['hat', 'crown'].map((item) => equipItem(database.db, world.act(tim), item, 'HEAD')),
    );
    expect(outcomes.filter((outcome) => '_id' in outcome).length).toBe(1);
    expect((await world.of(tim)).armor.length).toBe(1);
  });
});
