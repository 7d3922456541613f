/** Many who want the same at the same time. */
import { beforeEach, describe, expect, it } from 'vitest';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { putItemInto } from '../../../src/models/game/acts/packing.js';
import { game } from '../../../src/models/game/domain.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations } from '../../../src/models/game/world/location.js';
import { findViolations } from '../../../src/models/violation.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase({ checked: false });
let world: World;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
});

async function expectSound(): Promise<void> {
  await world.copy();
  const found = [];
  for await (const violation of findViolations(database.db, [game])) found.push(violation);
  expect(found).toEqual([]);
  for (const collection of [locations, characters])
    expect(
      await database.db.collection(collection.collectionName).countDocuments({ 'transits.call': { $gt: '' } }),
    ).toBe(0);
}

describe('two hundred takers of one item', () => {
  it('one gets it, 199 are told who has it', async () => {
    await world.item('lamp', 'hall');
    const takers: string[] = [];
    for (let at = 0; at < 200; at += 1) takers.push(await world.character(`Taker ${at}`));
    const outcomes = await Promise.all(
      takers.map((id) => pickUpItem(database.db, { ...world.act(id), owner: `user-${id}` }, 'lamp')),
    );
    const winners = outcomes.filter((outcome) => '_id' in outcome);
    expect(winners.length).toBe(1);
    const refused = outcomes.filter((outcome) => !('_id' in outcome));
    expect(refused.length).toBe(199);
    // All of them are in the room with the winner, so none is told that nobody has it.
    const told = { __typename: 'ItemGone', with: { id: (winners[0] as { _id: string })._id } };
    for (const outcome of refused) expect(outcome).toMatchObject(told);
    await expectSound();
  });
});

describe('giving while the other one leaves', () => {
  it('hands the item over, or keeps it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [giver, taker] = [await world.character(`Giver ${round}`), await world.character(`Leaver ${round}`)];
      await world.item(`gift-${round}`, 'hall');
      await pickUpItem(database.db, world.act(giver), `gift-${round}`);
      const [given] = await Promise.all([
        giveItem(database.db, world.act(giver), `gift-${round}`, taker),
        moveCharacter(database.db, world.act(taker), 'north'),
      ]);
      const has = '_id' in given ? taker : giver;
      if (!('_id' in given)) expect(given).toMatchObject({ __typename: 'NobodyThere' });
      expect(await world.carried(has)).toEqual([`gift-${round}`]);
      expect((await world.of(taker)).location._id).toBe('kitchen');
    }
    await expectSound();
  });
});

describe('containers into each other', () => {
  it('never form a circle', async () => {
    const tim = await world.character('Tim');
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = [`one-${round}`, `other-${round}`];
      for (const key of [one, other]) {
        await world.item(key, 'hall', { kind: 'CONTAINER' });
        await pickUpItem(database.db, world.act(tim), key);
      }
      const outcomes = await Promise.all([
        putItemInto(database.db, world.act(tim), one, other),
        putItemInto(database.db, world.act(tim), other, one),
      ]);
      expect(outcomes.filter((outcome) => '_id' in outcome).length).toBe(1);
      await Promise.all([one, other].map((key) => dropItem(database.db, world.act(tim), key)));
    }
    await expectSound();
  });
});

describe('the same item dropped twice at once', () => {
  it('lies in the room once', async () => {
    const tim = await world.character('Tim');
    await world.item('coin', 'hall');
    await pickUpItem(database.db, world.act(tim), 'coin');
    const outcomes = await Promise.all([1, 2, 3].map(() => dropItem(database.db, world.act(tim), 'coin')));
    expect(outcomes.filter((outcome) => '_id' in outcome).length).toBe(1);
    expect(await world.lying('hall')).toEqual(['coin']);
    await expectSound();
  });
});
