/** What a character does that has left a room and has not come into the next one. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Act } from '../../../src/models/game/acts/act.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { equipItem, unequipItem } from '../../../src/models/game/acts/equipment.js';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { putItemInto, takeItemOut } from '../../../src/models/game/acts/packing.js';
import { buyItem, sellItem } from '../../../src/models/game/acts/trade.js';
import { relocateCharacter } from '../../../src/models/game/moderation/moderation.js';
import { locations } from '../../../src/models/game/world/location.js';
import { MINUTE_MS } from '../../../src/shared/time.js';
import { Died, dyingDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
let bert: string;

/** Tim carries a ring, a hat, a helmet on his head and a bag with a coin. A chest and Ann are in the hall, and Bert with a rope. */
beforeEach(async () => {
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  bert = await world.folk('Bert', 'hall');
  await world.item('rope', 'Bert', { price: 10 });
  await world.item('chest', 'hall', { kind: 'CONTAINER', isFixed: true });
  await world.item('ring', 'hall', { price: 8 });
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'bag');
  await world.item('glove', 'hall', { kind: 'ARMOR', slots: ['HANDS'] });
  await world.item('helmet', 'hall', { kind: 'ARMOR', slots: ['HEAD'] });
  tim = await world.character('Tim');
  await world.character('Ann');
  for (const key of ['ring', 'bag', 'glove', 'helmet']) await pickUpItem(database.db, world.act(tim), key);
  await equipItem(database.db, world.act(tim), 'helmet', 'HEAD');
});

const LONG_AGO = new Date(Date.now() - MINUTE_MS);
const repair = async () => {
  await locations(database.db).updateMany(
    { 'transits.call': { $gt: '' } },
    { $set: { 'transits.$[].until': LONG_AGO } },
  );
  await repairTransits(database.db, new Date(), () => new Date());
  await world.copy();
};

const acts: readonly [string, (asked: Act) => Promise<unknown>][] = [
  ['drop', (asked) => dropItem(database.db, asked, 'ring')],
  ['give', (asked) => giveItem(database.db, asked, 'ring', 'ann')],
  ['put into a chest', (asked) => putItemInto(database.db, asked, 'ring', 'chest')],
  ['sell', (asked) => sellItem(database.db, asked, bert, 'ring')],
  ['buy', (asked) => buyItem(database.db, asked, bert, 'rope')],
  ['put into the own bag', (asked) => putItemInto(database.db, asked, 'ring', 'bag')],
  ['take out of the own bag', (asked) => takeItemOut(database.db, asked, 'coin')],
  ['put on', (asked) => equipItem(database.db, asked, 'glove', 'HANDS')],
  ['take off', (asked) => unequipItem(database.db, asked, 'helmet')],
];

describe('a character whose process died on the way into another room', () => {
  beforeEach(async () => {
    const move = moveCharacter(dyingDatabase(database.db, 1), world.act(tim), 'north');
    await expect(move).rejects.toBeInstanceOf(Died);
  });

  it.each(acts)('does not %s in the room that it has left', async (_what, act) => {
    const has = async () => {
      const { gold, inventory, armor, transits } = await world.of(tim);
      return { gold, inventory, armor, transits };
    };
    const [before, { happened }] = [await has(), await world.at('hall')];
    await expect(act(world.act(tim))).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await has()).toEqual(before);
    expect((await world.at('hall')).happened).toBe(happened);
    await repair();
    expect(await world.of(tim)).toMatchObject({ location: { _id: 'kitchen' } });
  });

  it('acts where it is after it has come in', async () => {
    const asked = world.act(tim);
    await expect(dropItem(database.db, asked, 'ring')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await repair();
    await dropItem(database.db, { ...asked, now: new Date(), begunAt: asked.now }, 'ring');
    expect([await world.lying('hall'), await world.lying('kitchen')]).toEqual([['chest'], ['ring']]);
  });
});

describe('a character whose shopkeeper is on the way out of the room', () => {
  const keeping = () => ({ call: world.nextCall(), act: testAct(), changed: () => undefined });

  it.each(acts.filter(([what]) => what === 'buy' || what === 'sell'))('does not %s', async (_what, act) => {
    const taken = relocateCharacter(dyingDatabase(database.db, 1), bert, 'kitchen', keeping());
    await expect(taken).rejects.toBeInstanceOf(Died);
    await expect(act(world.act(tim))).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect([(await world.of(tim)).gold, await world.carried(bert)]).toEqual([100, ['rope']]);
    await repair();
  });
});
