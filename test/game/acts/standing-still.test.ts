/** What a process does that stood still between two steps, while others finished, took back or repeated what it had begun. */
import type { Db } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Act } from '../../../src/models/game/acts/act.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { dropItem, giveItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { buyItem } from '../../../src/models/game/acts/trade.js';
import { createCharacter } from '../../../src/models/game/characters/character-creation.js';
import { deleteCharacter, repairLeaving } from '../../../src/models/game/characters/character-deletion.js';
import { findGoldViolations } from '../../../src/models/game/invariants.js';
import { relocateCharacter, relocateItem } from '../../../src/models/game/moderation/moderation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations, PLAYERS_MAX } from '../../../src/models/game/world/location.js';
import { auditTrail } from '../../../src/models/people/audit.js';
import { MINUTE_MS } from '../../../src/shared/time.js';
import { Died, dyingDatabase, slowDatabase } from '../../commerce/orders/interruptions.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase({ checked: false }); // a room that is full of nobody
let world: World;
let tim: string;

beforeEach(async () => {
  const rooms = { hall: { north: 'kitchen', east: 'yard' }, kitchen: { south: 'hall' }, yard: { west: 'hall' } };
  world = await openWorld(database.db, rooms);
  await world.item('lamp', 'hall');
  tim = await world.character('Tim');
});

async function fill(id: string): Promise<void> {
  const nobody = { name: 'P', class: 'MAGE', role: 'PERSON', is_online: false } as const;
  const players = Array.from({ length: PLAYERS_MAX }, (_, at) => ({ ...nobody, id: `p ${at}` }));
  await locations(database.db).updateOne({ _id: id }, { $set: { players } });
}
const empty = (id: string) => locations(database.db).updateOne({ _id: id }, { $set: { players: [] } });

const endTurns = () =>
  locations(database.db).updateMany(
    { 'transits.call': { $gt: '' } },
    { $set: { 'transits.$[].until': new Date(Date.now() - MINUTE_MS) } },
  );
const repair = (db = database.db) => repairTransits(db, new Date(), () => new Date());

/** Stands still before its second step, which lets the character come in. */
const slowToEnter = (meanwhile: () => Promise<unknown>) =>
  slowDatabase(database.db, locations.collectionName, meanwhile, 'findOneAndUpdate', 2);

type Step = 'findOne' | 'findOneAndUpdate' | 'updateOne';

/** Stands still before the first of such calls. */
const slowBefore = (
  { collectionName }: { readonly collectionName: string },
  step: Step,
  meanwhile: () => Promise<unknown>,
) => slowDatabase(database.db, collectionName, meanwhile, step);

/** Somebody else takes the name of Tim, who is deleted. */
async function takeName(): Promise<void> {
  await deleteCharacter(database.db, { id: tim, owner: 'user-tim' }, world.creation());
  await createCharacter(database.db, 'another', { name: 'Tim', class: 'MAGE' }, world.creation());
}

type Doing = (slow: Db) => Promise<unknown>;

/** In how many rooms Tim is, or from how many on his way. */
async function places(): Promise<number> {
  const [there, left] = await Promise.all([
    locations(database.db).countDocuments({ 'players.id': tim }),
    locations(database.db).countDocuments({ 'transits.player.id': tim }),
  ]);
  return there + left;
}

/** The kitchen is full, so that repair takes a move back. Then Tim goes there by himself. */
async function takeBackAndGo(): Promise<void> {
  await fill('kitchen');
  await endTurns();
  await repair();
  await empty('kitchen');
  expect(await moveCharacter(database.db, world.act(tim), 'north')).toMatchObject({ _id: tim });
}

describe('a move', () => {
  it('that was taken back is not answered as done because of another one', async () => {
    const slow = slowToEnter(takeBackAndGo);
    await expect(moveCharacter(slow, world.act(tim), 'north')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await places()).toBe(1);
  });

  it('of the keepers that was taken back is not in the audit trail', async () => {
    const slow = slowToEnter(takeBackAndGo);
    const keeping = { call: world.nextCall(), act: testAct(), changed: () => undefined };
    await expect(relocateCharacter(slow, tim, 'kitchen', keeping)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await auditTrail(database.db).countDocuments({ _id: keeping.call })).toBe(0);
  });

  it('that a retry has begun again stays when a slow repair wakes up', async () => {
    const asked = { ...world.act(tim), now: new Date() };
    await expect(moveCharacter(dyingDatabase(database.db, 1), asked, 'north')).rejects.toBeInstanceOf(Died);
    await endTurns();
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let isThere = false;
    const looksForMove = slowBefore(characters, 'findOne', () => {
      isThere = true;
      return woken;
    });
    const repairing = repair(looksForMove);
    await expect.poll(() => isThere).toBe(true);
    await endTurns();
    await fill('kitchen');
    await repair();
    for (const way of ['east', 'west'])
      expect(await moveCharacter(database.db, world.act(tim), way)).toMatchObject({ _id: tim });
    const retry = { ...asked, now: new Date(), begunAt: asked.now };
    const others = async () => {
      wake();
      await repairing;
    };
    expect(await moveCharacter(slowToEnter(others), retry, 'north')).toMatchObject({ __typename: 'ExitClosed' }); // it is full
    expect(await places()).toBe(1);
  });
});

describe('an item of the keepers', () => {
  it('does not begin its way late, to somebody who has taken the name', async () => {
    const act = testAct(new Date(Date.now() - MINUTE_MS));
    const keeping = { call: world.nextCall(), act, changed: () => undefined };
    const slow = slowBefore(locations, 'updateOne', takeName);
    const moved = relocateItem(slow, 'lamp', { kind: 'Character', id: tim }, keeping);
    await expect(moved).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await world.lying('hall')).toEqual(['lamp']);
  });

  it('is not in the audit trail if it was taken back, and then brought there by somebody', async () => {
    const keeping = { call: world.nextCall(), act: testAct(), changed: () => undefined };
    const carries = (weight_max: number) => characters(database.db).updateOne({ _id: tim }, { $set: { weight_max } });
    const slow = slowBefore(characters, 'findOneAndUpdate', async () => {
      await carries(0);
      await endTurns();
      await repair();
      await carries(80_000);
      expect(await pickUpItem(database.db, world.act(tim), 'lamp')).toMatchObject({ _id: tim });
    });
    const moved = relocateItem(slow, 'lamp', { kind: 'Character', id: tim }, keeping);
    await expect(moved).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await auditTrail(database.db).countDocuments({ _id: keeping.call })).toBe(0);
  });
});

describe('after somebody else has taken the name', () => {
  it('words are not answered with the new character', async () => {
    const slow = slowBefore(characters, 'findOneAndUpdate', takeName);
    expect(await speak(slow, world.act(tim), 'hello', null)).toMatchObject({ __typename: 'CharacterNotFound' });
  });

  it('a slow creation does not create a character again that was deleted', async () => {
    const late = { ...world.creation(), now: new Date(Date.now() - MINUTE_MS) };
    const ben = { name: 'Ben', class: 'MAGE' } as const;
    const slow = slowBefore(characters, 'updateOne', async () => {
      const made = await createCharacter(database.db, 'user-ben', ben, { ...late, now: new Date() });
      expect(made).toMatchObject({ _id: 'ben' });
      await deleteCharacter(database.db, { id: 'ben', owner: 'user-ben' }, world.creation());
    });
    await expect(createCharacter(slow, 'user-ben', ben, late)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await characters(database.db).countDocuments({ _id: 'ben' })).toBe(0);
  });

  it('a slow deletion does not delete the new character', async () => {
    const late = { ...world.creation(), now: new Date(Date.now() - MINUTE_MS) };
    const slow = slowBefore(characters, 'updateOne', async () => {
      await deleteCharacter(database.db, { id: tim, owner: 'user-tim' }, world.creation());
      await world.character('Tim');
    });
    expect(await deleteCharacter(slow, { id: tim, owner: 'user-tim' }, late)).toMatchObject({
      __typename: 'CharacterNotFound',
    });
    await repairLeaving(database.db, new Date(), { ...world.creation(), now: () => new Date() });
    expect(await characters(database.db).countDocuments({ _id: tim })).toBe(1);
  });
});

describe('a name that is taken between what an act has read and its first step', () => {
  const words = async () => (await locations(database.db).find({}).toArray()).flatMap(({ happenings }) => happenings);

  beforeEach(async () => {
    await world.character('Bob');
  });

  it.each<[string, Doing]>([
    ['say anything', (slow) => speak(slow, world.act(tim), 'my secret', null)],
    ['whisper', (slow) => speak(slow, world.act(tim), 'my secret', 'bob')],
    ['go', (slow) => moveCharacter(slow, world.act(tim), 'north')],
    ['take anything', (slow) => pickUpItem(slow, world.act(tim), 'lamp')],
  ])('does not let the other one %s', async (_what, act) => {
    const slow = slowBefore(locations, 'findOneAndUpdate', takeName);
    await act(slow).catch((error: unknown) => error);
    expect(await world.of(tim)).toMatchObject({ owner: 'another', inventory: [], location: { _id: 'hall' } });
    expect((await words()).filter(({ kind }) => kind !== 'CAME' && kind !== 'LEFT')).toEqual([]);
    expect(await places()).toBe(1);
  });

  it('does not give the other one what was meant for the one before', async () => {
    await pickUpItem(database.db, world.act('bob'), 'lamp');
    const slow = slowBefore(characters, 'updateOne', takeName);
    expect(await giveItem(slow, world.act('bob'), 'lamp', tim)).toMatchObject({ __typename: 'NobodyThere' });
    expect(await world.carried('bob')).toEqual(['lamp']);
  });

  it('does not delete the other one, nor what the same person has created again', async () => {
    const slow = slowBefore(characters, 'updateOne', async () => {
      await deleteCharacter(database.db, { id: tim, owner: 'user-tim' }, world.creation());
      await world.character('Tim');
    });
    const answer = await deleteCharacter(slow, { id: tim, owner: 'user-tim' }, world.creation());
    expect(answer).toMatchObject({ __typename: 'CharacterNotFound' });
    expect(await places()).toBe(1);
  });
});

describe('an item whose taker died when it had arrived, and then its dropper', () => {
  let drop: Act;
  beforeEach(async () => {
    await pickUpItem(dyingDatabase(database.db, 2), world.act(tim), 'lamp').catch(() => undefined); // arrived, not closed
    drop = world.act(tim);
    await dropItem(dyingDatabase(database.db, 1), drop, 'lamp').catch(() => undefined); // given up
    await endTurns();
    await characters(database.db).updateMany(
      { 'transits.call': { $gt: '' } },
      { $set: { 'transits.$[].until': new Date(Date.now() - MINUTE_MS) } },
    );
  });
  const retry = () => dropItem(database.db, { ...drop, now: new Date(), begunAt: drop.now }, 'lamp');
  const expectDropped = async () => {
    await repair();
    expect([await world.lying('hall'), await world.carried(tim)]).toEqual([['lamp'], []]);
    expect([(await world.at('hall')).transits, (await world.of(tim)).transits]).toEqual([[], []]);
  };

  it('is dropped by the retry, before any repair', async () => {
    expect(await retry()).toMatchObject({ inventory: [] });
    await expectDropped();
  });

  it('is dropped if repair stands still meanwhile', async () => {
    await repair(slowDatabase(database.db, locations.collectionName, retry, 'findOne', 3));
    await expectDropped();
  });

  it('is dropped by repair', expectDropped);
});

describe('an item whose buyer died when it was paid, and then its dropper', () => {
  it('is no lost gold: the price is on its way to the seller', async () => {
    const bert = await world.folk('Bert', 'hall');
    await world.item('rope', 'Bert', { price: 10 });
    await expect(buyItem(dyingDatabase(database.db, 2), world.act(tim), bert, 'rope')).rejects.toBeInstanceOf(Died);
    await expect(dropItem(dyingDatabase(database.db, 1), world.act(tim), 'rope')).rejects.toBeInstanceOf(Died);
    expect(await world.carried(tim)).toEqual([]); // it is in both transits, and nowhere else
    for await (const { found } of findGoldViolations(database.db, async () => undefined))
      throw new Error(`Only ${found} gold was found`);
  });
});
