/** Items whose container is gone, as earlier releases left them, and containers in a circle. */
import { beforeEach, describe, expect, it } from 'vitest';
import { dropItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { putItemInto } from '../../../src/models/game/acts/packing.js';
import { relocateItem } from '../../../src/models/game/moderation/moderation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { contentsOf, depthOf } from '../../../src/models/game/world/item-entry.js';
import { locations } from '../../../src/models/game/world/location.js';
import { freeStrayItems } from '../../../src/models/game/world/stray-items.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: {} });
  for (const key of ['bag', 'box', 'jar']) await world.item(key, 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'box');
  tim = await world.character('Tim');
});

const free = () => freeStrayItems(database.db, { now: world.later(), changed: () => undefined });
const places = async (id: string) =>
  Object.fromEntries((await world.of(id)).inventory.map((item) => [item.id, item.inside_id]));

/** Writes into what Tim carries where an item is. */
const putDirectly = (id: string, inside: string) =>
  characters(database.db).updateOne(
    { _id: tim },
    { $set: { 'inventory.$[item].inside_id': inside } },
    { arrayFilters: [{ 'item.id': id }] },
  );

describe('freeing items', () => {
  it('opens those whose container is gone, with what is inside of them', async () => {
    await pickUpItem(database.db, world.act(tim), 'box');
    await putDirectly('box', 'bag');
    await locations(database.db).updateOne(
      { _id: 'hall' },
      { $set: { 'inventory.$[jar].inside_id': 'gone' } },
      { arrayFilters: [{ 'jar.id': 'jar' }] },
    );
    expect(await free()).toBe(2);
    expect(await places(tim)).toEqual({ box: null, coin: 'box' });
    expect((await world.at('hall')).inventory.map(({ inside_id }) => inside_id)).toEqual([null, null]);
    expect(await free()).toBe(0);
    await world.copy();
  });
  it('opens one container of a circle', async () => {
    for (const key of ['bag', 'box', 'jar']) await pickUpItem(database.db, world.act(tim), key);
    for (const [inner, outer] of [
      ['bag', 'box'],
      ['box', 'jar'],
      ['jar', 'bag'],
    ] as const)
      await putDirectly(inner, outer);
    expect(await free()).toBe(1);
    const found = await places(tim);
    expect(Object.values(found).filter((inside) => inside === null).length).toBe(1);
    expect(found.coin).toBe('box');
  });
});

describe('containers in a circle', () => {
  it('are found once each, and acts with them end', async () => {
    for (const key of ['bag', 'box']) await pickUpItem(database.db, world.act(tim), key);
    await putDirectly('bag', 'box');
    await putDirectly('box', 'bag');
    const { inventory } = await world.of(tim);
    const found = contentsOf(inventory, 'bag');
    expect(found.map(({ id }) => id)).toEqual(['bag', 'box', 'coin']);
    expect(depthOf(found)).toBe(2);
    expect(await dropItem(database.db, world.act(tim), 'bag')).toMatchObject({ inventory: [] });
    expect((await world.lying('hall')).toSorted()).toEqual(['bag', 'box', 'coin', 'jar']);
  });
});

describe('a container that is said to be inside of one that is elsewhere', () => {
  beforeEach(async () => {
    await pickUpItem(database.db, world.act(tim), 'box');
    await putDirectly('box', 'bag');
  });

  it('does not take that one when it is relocated', async () => {
    const keeping = { call: world.nextCall(), act: { ...testAct(), at: world.later() }, changed: () => undefined };
    const relocated = relocateItem(database.db, 'bag', { kind: 'Item', id: 'box' }, keeping);
    await expect(relocated).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await world.lying('hall')).toContain('bag');
    await free();
  });
  it('has that one around it again when it is carried as well', async () => {
    await pickUpItem(database.db, world.act(tim), 'bag');
    expect(await putItemInto(database.db, world.act(tim), 'bag', 'box')).toMatchObject({ __typename: 'CannotContain' });
    expect(await places(tim)).toEqual({ bag: null, box: 'bag', coin: 'box' });
  });
});
