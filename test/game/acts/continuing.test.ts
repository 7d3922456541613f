/** Acts that a process has left: who finishes them, and what a process does that was only paused. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Act } from '../../../src/models/game/acts/act.js';
import { carry } from '../../../src/models/game/acts/carrying.js';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { goOn } from '../../../src/models/game/acts/going.js';
import { dropItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { newCharacter } from '../../../src/models/game/characters/character-creation.js';
import { sendCommand } from '../../../src/models/game/commands/sending.js';
import { relocateCharacter, relocateItem } from '../../../src/models/game/moderation/moderation.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations, PLAYERS_MAX } from '../../../src/models/game/world/location.js';
import type { Transit } from '../../../src/models/game/world/transit.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { openWorld, underWay, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
const HALL = { kind: 'LOCATION', id: 'hall' } as const;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall');
  tim = await world.character('Tim');
});

/** A process has taken the lamp out of the room, a while ago. @param until the end of its turn */
async function leaveTaking(until: Date): Promise<Transit> {
  const lamp = (await world.at('hall')).inventory.find(({ id }) => id === 'lamp');
  if (!lamp) throw new Error('There is no lamp');
  const transit: Transit = {
    call: 'left',
    by: tim,
    at: new Date(),
    until,
    items: [lamp],
    to: { kind: 'CHARACTER', id: tim, inside: null, room: null },
    price: 0,
    tell: null,
    tell_back: null,
  };
  await locations(database.db).updateOne(
    { _id: 'hall' },
    { $pull: { inventory: { id: 'lamp' } }, $push: { transits: transit }, $inc: { version: 1 } },
  );
  return transit;
}

const LONG_AGO = new Date(Date.UTC(2020, 0, 1));
const repair = () => repairTransits(database.db, new Date(), () => new Date());

describe('a taking that was left', () => {
  it('is finished', async () => {
    await leaveTaking(LONG_AGO);
    expect(await repair()).toBe(1);
    expect(await world.carried(tim)).toEqual(['lamp']);
    expect((await world.at('hall')).transits).toEqual([]);
    expect(await repair()).toBe(0);
  });
  it('is taken back if the character cannot carry it any more', async () => {
    await leaveTaking(LONG_AGO);
    await characters(database.db).updateOne({ _id: tim }, { $set: { weight_max: 0 } });
    await repair();
    expect(await world.lying('hall')).toEqual(['lamp']);
    expect(await world.carried(tim)).toEqual([]);
  });
  it('is only closed if the item has arrived, even if it has moved on since', async () => {
    const transit = await leaveTaking(LONG_AGO);
    const { weight } = await world.of(tim);
    await characters(database.db).updateOne(
      { _id: tim },
      { $push: { inventory: { $each: transit.items } }, $set: { weight: weight + 100 } },
    );
    await moveCharacter(database.db, world.act(tim), 'north');
    await dropItem(database.db, world.act(tim), 'lamp');
    await repair();
    expect([await world.lying('hall'), await world.lying('kitchen'), await world.carried(tim)]).toEqual([
      [],
      ['lamp'],
      [],
    ]);
  });
  it('is left to the process whose turn it is', async () => {
    await leaveTaking(new Date(Date.now() + 60_000));
    expect(await repair()).toBe(0);
    expect(await world.carried(tim)).toEqual([]);
  });
  it('is finished once by two repairs at the same time', async () => {
    await leaveTaking(LONG_AGO);
    await Promise.all([repair(), repair()]);
    expect(await world.carried(tim)).toEqual(['lamp']);
    expect((await world.of(tim)).weight).toBe(100);
  });
});

describe('a process that was paused for longer than its turn', () => {
  it('changes nothing, before and after repair', async () => {
    const transit = await leaveTaking(LONG_AGO);
    const paused = () => carry(database.db, { source: HALL, transit }, {});
    await expect(paused()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await world.carried(tim)).toEqual([]);
    await repair();
    await dropItem(database.db, world.act(tim), 'lamp');
    await expect(paused()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect([await world.lying('hall'), await world.carried(tim)]).toEqual([['lamp'], []]);
  });
  it('does not take back what repair has finished', async () => {
    const transit = await leaveTaking(LONG_AGO);
    await repair();
    await characters(database.db).updateOne({ _id: tim }, { $set: { weight_max: 0 } });
    const gone = { ...transit, to: { kind: 'CHARACTER' as const, id: 'nobody', inside: null, room: null } };
    await expect(carry(database.db, { source: HALL, transit: gone }, {})).rejects.toMatchObject({
      code: 'SERVER_BUSY',
    });
    expect([await world.lying('hall'), await world.carried(tim)]).toEqual([[], ['lamp']]);
  });
  it('does not bring a character into a room once more', async () => {
    const asked = world.act(tim);
    const before = await world.of(tim);
    await moveCharacter(database.db, asked, 'north');
    await moveCharacter(database.db, world.act(tim), 'south');
    const transit: Transit = {
      call: asked.call,
      by: tim,
      at: LONG_AGO,
      until: LONG_AGO,
      items: [],
      to: { kind: 'LOCATION', id: 'kitchen', inside: null, room: null },
      price: 0,
      tell: null,
      tell_back: null,
      player: { id: tim, name: 'Tim', class: 'WARRIOR', role: 'PERSON', is_online: false },
      move: before.moves + 1,
    };
    await expect(goOn(database.db, { source: HALL, transit }, {})).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect((await world.at('kitchen')).players).toEqual([]);
    expect((await world.at('hall')).players).toMatchObject([{ id: tim }]);
  });
});

describe('a retry of a call that was left', () => {
  it('waits for repair while it is the turn of another process, then finds it done', async () => {
    await pickUpItem(database.db, world.act(tim), 'lamp');
    await dropItem(database.db, world.act(tim), 'lamp');
    const transit = await leaveTaking(new Date(Date.now() + 60_000));
    const asked = { ...world.act(tim), call: `record.${transit.call}`, begunAt: new Date() };
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'transits.0.call': asked.call } });
    await expect(pickUpItem(database.db, asked, 'lamp')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { 'transits.0.until': LONG_AGO } });
    expect(await pickUpItem(database.db, asked, 'lamp')).toMatchObject({ inventory: [{ id: 'lamp' }] });
    expect((await world.at('hall')).transits).toEqual([]);
  });
  it('finishes it before anything is read, and does not do the same to another thing of the same name', async () => {
    await world.item('lantern', 'hall', { name: 'lamp' });
    const { call } = await leaveTaking(LONG_AGO);
    const answer = await sendCommand(database.db, { ...world.act(tim, call), begunAt: new Date() }, 'take lamp');
    expect(answer).toMatchObject({ inventory: [{ id: 'lamp' }] });
    expect(await world.lying('hall')).toEqual(['lantern']);
  });
  it('finishes a move, which nobody else has to repair', async () => {
    const { location, moves } = await world.of(tim);
    const [player] = location.players;
    const to = { kind: 'LOCATION', id: 'kitchen', inside: null, room: null } as const;
    const transit = underWay({
      call: 'left',
      by: tim,
      until: LONG_AGO,
      to,
      move: moves + 1,
      ...(player && { player }),
    });
    await locations(database.db).updateOne(
      { _id: 'hall' },
      { $pull: { players: { id: tim } }, $push: { transits: transit }, $inc: { version: 1 } },
    );
    const changed = new Set<string>();
    const asked = { ...world.act(tim, 'left'), begunAt: new Date(), changed: (room: string) => changed.add(room) };
    expect(await moveCharacter(database.db, asked, 'north')).toMatchObject({ location: { _id: 'kitchen' } });
    expect((await world.at('hall')).transits).toEqual([]);
    expect([...changed].toSorted()).toEqual(['hall', 'kitchen']);
  });
  it('notes no second transit of the call beside the first one', async () => {
    await world.item('lantern', 'hall');
    const { call } = await leaveTaking(new Date(Date.now() + 60_000));
    const retried = pickUpItem(database.db, world.act(tim, call), 'lantern');
    await expect(retried).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    expect(await world.lying('hall')).toEqual(['lantern']);
  });
});

describe('an act whose process was paused before its first step', () => {
  it.each<[string, (asked: Act) => Promise<unknown>]>([
    ['taking', (asked) => pickUpItem(database.db, asked, 'lamp')],
    ['moving', (asked) => moveCharacter(database.db, asked, 'north')],
  ])('begins nothing any more: %s', async (_, work) => {
    await expect(work({ ...world.act(tim), now: LONG_AGO })).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    const { players, transits } = await world.at('hall');
    expect([players, transits]).toMatchObject([[{ id: tim }], []]);
    expect(await world.lying('hall')).toEqual(['lamp']);
  });
});

describe('a creation that was left', () => {
  it('gets nothing that would go with it if it is taken back', async () => {
    const fields = { name: 'Ben', class: 'MAGE', owner: 'user-ben', role: 'PERSON', gold: 100 } as const;
    const made = newCharacter(fields, await world.at('hall'), { ...world.creation(), now: LONG_AGO });
    await characters(database.db).insertOne(made);
    const keeping = { call: world.nextCall(), act: testAct(), changed: () => undefined };
    const relocated = relocateItem(database.db, 'lamp', { kind: 'Character', id: made._id }, keeping);
    await expect(relocated).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await world.lying('hall')).toEqual(['lamp']);
  });
});

describe('a character that has left and come back since it was read', () => {
  it('does not leave by what was read', async () => {
    // The entry in the room tells: the character, as it was read, has made fewer moves.
    await locations(database.db).updateOne({ _id: 'hall' }, { $inc: { 'players.0.move': 2 } });
    const keeping = { call: world.nextCall(), act: testAct(), changed: () => undefined };
    await expect(moveCharacter(database.db, world.act(tim), 'north')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    await expect(relocateCharacter(database.db, tim, 'kitchen', keeping)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await world.at('hall')).players).toMatchObject([{ id: tim }]);
    expect((await world.at('hall')).transits).toEqual([]);
  });
});

describe('a character whose creation was left', () => {
  const made = async () => {
    const fields = { name: 'Ann', class: 'MAGE', owner: 'user-ann', role: 'PERSON', gold: 100 } as const;
    await characters(database.db).insertOne(
      newCharacter(fields, await world.at('hall'), { ...world.creation(), now: LONG_AGO }),
    );
  };
  it('comes in with its first act', async () => {
    await made();
    expect(await speak(database.db, world.act('ann'), 'hello', null)).toMatchObject({ moves: LONG_AGO.getTime() });
    expect(await world.heard('ann')).toEqual(['You come into the world. You are here: The hall.', 'You say: hello']);
  });
  it('does not walk before', async () => {
    await made();
    const { transits } = await world.of('ann');
    await moveCharacter(database.db, world.act('ann'), 'north');
    const [transit] = transits as [Transit];
    await expect(goOn(database.db, { source: { kind: 'CHARACTER', id: 'ann' }, transit }, {})).rejects.toMatchObject({
      code: 'SERVER_BUSY',
    });
    expect((await world.at('hall')).players).toMatchObject([{ id: tim }]);
    expect((await world.at('kitchen')).players).toMatchObject([{ id: 'ann', move: LONG_AGO.getTime() + 1 }]);
  });
  it('is removed with its first act if its room is full', async () => {
    await made();
    const players = Array.from({ length: PLAYERS_MAX }, (_, at) => ({ id: `p ${at}`, ...doer, is_online: false }));
    await locations(database.db).updateOne({ _id: 'hall' }, { $set: { players } });
    expect(await moveCharacter(database.db, world.act('ann'), 'north')).toMatchObject({
      __typename: 'CharacterNotFound',
    });
    expect(await characters(database.db).findOne({ _id: 'ann' })).toBeNull();
  });
});

const doer = { name: 'P', class: 'MAGE', role: 'PERSON' } as const;
