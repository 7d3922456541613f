/** Who acts, and moves on before the room is told, hears its own act all the same. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Act } from '../../../src/models/game/acts/act.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { equipItem } from '../../../src/models/game/acts/equipment.js';
import { dropItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations } from '../../../src/models/game/world/location.js';
import { dyingDatabase, slowDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('hat', 'hall', { kind: 'ARMOR', slots: ['HEAD'] });
  tim = await world.character('Tim');
  await pickUpItem(database.db, world.act(tim), 'hat');
});

const go = (way: string) => moveCharacter(database.db, world.act(tim), way);
const drop = (db = database.db, asked: Act = world.act(tim)) => dropItem(db, asked, 'hat');
const wear = (db = database.db, asked: Act = world.act(tim)) => equipItem(db, asked, 'hat', 'HEAD');

/** What Tim has heard, each with its own number, as it came. */
async function heardInOrder(): Promise<string[]> {
  await world.copy();
  const { happenings } = await world.of(tim);
  const numbers = happenings.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  return happenings.map(({ text }) => text);
}

const acts = [
  ['drops something', drop, 'You drop the hat.', 'Tim drops the hat.'],
  ['puts something on', wear, 'You put on the hat.', 'Tim puts on the hat.'],
] as const;

describe.each(acts)('a character that %s, and moves on before the room is told', (_what, act, own, text) => {
  const expectHeardOnce = async () => {
    expect((await heardInOrder()).filter((each) => each === own)).toHaveLength(1);
    expect((await world.at('hall')).happenings.at(-1)?.text).toBe(text);
  };

  it('hears it where it is, alone, and with the answer', async () => {
    const ann = await world.character('Ann');
    await moveCharacter(database.db, world.act(ann), 'north');
    const slow = slowDatabase(database.db, locations.collectionName, () => go('north'));
    const answer = await act(slow);
    expect('happenings' in answer && answer.happenings.at(-1)?.text).toBe(own);
    await expectHeardOnce();
    expect(await world.heard(ann)).not.toContain(text);
  });

  it('hears it after its process has died, and it was repaired', async () => {
    await act(dyingDatabase(database.db, 1)).catch(() => undefined);
    await go('north');
    await characters(database.db).updateOne({ _id: tim }, { $set: { 'transits.$[].until': new Date(0) } });
    await repairTransits(database.db, new Date(), () => new Date());
    await expectHeardOnce();
  });

  it('hears it once if the room is told while it is on the way', async () => {
    let [acted, left] = [(): void => undefined, (): void => undefined];
    const isOver = new Promise<void>((resolve) => {
      acted = resolve;
    });
    const isOnTheWay = new Promise<void>((resolve) => {
      left = resolve;
    });
    const entering = slowDatabase(database.db, characters.collectionName, () => {
      left();
      return isOver;
    });
    let moved: Promise<unknown> = Promise.resolve();
    const telling = slowDatabase(database.db, locations.collectionName, () => {
      moved = moveCharacter(entering, world.act(tim), 'north');
      return isOnTheWay;
    });
    await act(telling);
    acted();
    expect(await moved).toMatchObject({ location: { _id: 'kitchen' } });
    await expectHeardOnce();
  });
});
