/** What its destination does not take goes back to where it was, also if its container has left meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { putItemInto } from '../../../src/models/game/acts/packing.js';
import { characters } from '../../../src/models/game/world/character.js';
import { contentsOf, weightOf } from '../../../src/models/game/world/item-entry.js';
import { locations } from '../../../src/models/game/world/location.js';
import type { Transit } from '../../../src/models/game/world/transit.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
let ann: string;
const LONG_AGO = new Date(Date.UTC(2020, 0, 1));

/** Tim carries a bag with a coin and a box, and Ann can carry nothing. */
beforeEach(async () => {
  world = await openWorld(database.db, { hall: {} });
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'bag');
  await world.item('box', 'bag', { kind: 'CONTAINER' });
  tim = await world.character('Tim');
  ann = await world.character('Ann');
  await pickUpItem(database.db, world.act(tim), 'bag');
  await characters(database.db).updateOne({ _id: ann }, { $set: { weight_max: 0 } });
});

const transitOf = (moved: Transit['items'], to: string): Transit => ({
  call: 'left',
  by: null,
  at: world.later(),
  until: LONG_AGO,
  items: [...moved],
  to: { kind: 'CHARACTER', id: to, inside: null, room: null },
  price: 0,
  tell: null,
  tell_back: null,
});

/** A process has begun to give something of Tim's to Ann, and died. */
async function leaveGiving(id: string): Promise<void> {
  const moved = contentsOf((await world.of(tim)).inventory, id);
  await characters(database.db).updateOne(
    { _id: tim },
    {
      $pull: { inventory: { id: { $in: moved.map((item) => item.id) } } },
      $push: { transits: transitOf(moved, ann) },
      $inc: { weight: -weightOf(moved) },
    },
  );
}

const repair = () => repairTransits(database.db, new Date(), () => new Date());
const insideOf = async (id: string) => (await world.of(tim)).inventory.find((item) => item.id === id)?.inside_id;

describe('an item that is taken back', () => {
  it('is in its container again', async () => {
    await leaveGiving('coin');
    await repair();
    expect(await insideOf('coin')).toBe('bag');
  });
  it('lies open if its container has left', async () => {
    await leaveGiving('coin');
    await dropItem(database.db, world.act(tim), 'bag');
    await repair();
    expect(await world.of(tim)).toMatchObject({ inventory: [{ id: 'coin', inside_id: null }], transits: [] });
    await world.copy();
  });
  it('lies open if it would be too deep in its container now', async () => {
    await leaveGiving('box');
    for (const [at, key] of ['b1', 'b2', 'b3', 'b4'].entries())
      await world.item(key, at === 0 ? 'hall' : `b${at}`, { kind: 'CONTAINER' });
    await pickUpItem(database.db, world.act(tim), 'b1');
    expect(await putItemInto(database.db, world.act(tim), 'bag', 'b4')).toMatchObject({ _id: tim });
    await repair();
    expect(await insideOf('box')).toBeNull();
    await world.copy();
  });
  it('lies open in a room whose chest has been taken', async () => {
    await world.item('chest', 'hall', { kind: 'CONTAINER' });
    await world.item('pearl', 'chest');
    const pearl = contentsOf((await world.at('hall')).inventory, 'pearl');
    await locations(database.db).updateOne(
      { _id: 'hall' },
      { $pull: { inventory: { id: 'pearl' } }, $push: { transits: transitOf(pearl, ann) }, $inc: { version: 1 } },
    );
    await pickUpItem(database.db, world.act(tim), 'chest');
    await repair();
    expect((await world.at('hall')).inventory).toMatchObject([{ id: 'pearl', inside_id: null }]);
    await world.copy();
  });
  it('is never inside of nothing, when its container is dropped at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([
        giveItem(database.db, world.act(tim), 'coin', ann),
        dropItem(database.db, world.act(tim), 'bag'),
      ]);
      expect(await insideOf('coin')).not.toBe('bag');
      await pickUpItem(database.db, world.act(tim), 'bag');
      if ((await insideOf('coin')) === null) await putItemInto(database.db, world.act(tim), 'coin', 'bag');
    }
    await world.copy();
  });
});
