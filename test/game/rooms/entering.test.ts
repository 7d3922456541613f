/** What a character hears of its own coming, also when its copy of the room is brought up to date before its last step is done. */
import { beforeEach, describe, expect, it } from 'vitest';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { newCharacter } from '../../../src/models/game/characters/character-creation.js';
import { copyRoom } from '../../../src/models/game/rooms/room-copy.js';
import { changeOf } from '../../../src/models/game/world/change.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations } from '../../../src/models/game/world/location.js';
import type { Transit } from '../../../src/models/game/world/transit.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';

const database = useDatabase();
let world: World;
let ann: string;

beforeEach(async () => {
  for (const collection of [characters, locations]) await collection(database.db).deleteMany({});
  world = new World(database.db);
  await world.rooms({ hall: { around: 'hall', north: 'kitchen' }, kitchen: { south: 'hall' } });
  ann = await world.character('Ann');
});

const finishAll = () => repairTransits(database.db, new Date(), new Date());

/** The step in which a room takes a character in. */
async function comeIn({ player, tell, ...transit }: Transit): Promise<void> {
  if (!player || !tell) throw new Error('Nobody comes');
  await locations(database.db).updateOne({ _id: tell.room }, changeOf(transit, tell.happening, { players: player }));
}

/** The numbers of what each one has heard follow each other, and nothing is heard twice. */
async function heard(id: string): Promise<readonly string[]> {
  const { happenings } = await world.of(id);
  const first = happenings[0]?.number ?? 0;
  expect(happenings.map(({ number }) => number)).toEqual(happenings.map((_, at) => first + at));
  return happenings.map(({ text }) => text);
}

describe('a copy of the room that is made before a character has come in', () => {
  it('does not tell a new character twice that it comes into the world', async () => {
    const fields = { name: 'Ben', class: 'MAGE', owner: 'user-ben', role: 'PERSON', gold: 100 } as const;
    const made = newCharacter(fields, await world.at('hall'), { ...world.creation(), now: new Date(0) });
    await characters(database.db).insertOne(made);
    await speak(database.db, world.act(ann), 'before Ben is here', null);
    await comeIn(made.transits[0] as Transit);
    expect(await copyRoom(database.db, 'hall')).toBe(false); // one is on the way into it
    await finishAll();
    await speak(database.db, world.act(ann), 'hello Ben', null);
    expect(await copyRoom(database.db, 'hall')).toBe(true);
    expect(await heard('ben')).toEqual(['You come into the world. You are here: The hall.', 'Ann says: hello Ben']);
    expect((await world.of('ben')).location.version).toBe((await world.at('hall')).version);
  });
  it('does not tell a character twice that leaves a room by an exit that leads back into it', async () => {
    const transit = await leaveByCircle();
    await speak(database.db, world.act(await world.character('Ben')), 'where is Ann', null);
    await comeIn(transit);
    await copyRoom(database.db, 'hall');
    await speak(database.db, world.act('ben'), 'there she is', null);
    await finishAll();
    await world.copy();
    expect((await heard(ann)).slice(1)).toEqual([
      'You go around.',
      'Ben comes into the world.',
      'Ben says: where is Ann',
      'You are here: The hall.',
      'Ben says: there she is',
    ]);
    expect((await world.of(ann)).location.version).toBe((await world.at('hall')).version);
  });
});

/** The first step of a move, by a process that has died since. */
async function leaveByCircle(): Promise<Transit> {
  const { moves, location } = await world.of(ann);
  const who = { id: ann, name: 'Ann', class: 'WARRIOR', role: 'PERSON' } as const;
  const at = new Date(0);
  const call = 'left';
  const transit: Transit = {
    ...{ call, by: ann, at, until: at, items: [], price: 0, tell_back: null, move: moves + 1 },
    to: { kind: 'LOCATION', id: location._id, inside: null, room: null },
    player: { ...who, is_online: false },
    tell: {
      room: 'hall',
      happening: { call, at, kind: 'CAME', who, text: 'Ann comes in.', own: 'You are here: The hall.' },
    },
  };
  const left = { call, at, kind: 'LEFT', who, text: 'Ann goes around.', own: 'You go around.' } as const;
  await locations(database.db).updateOne(
    { _id: 'hall' },
    { ...changeOf(transit, left, { transits: transit }), $pull: { players: { id: ann } } },
  );
  return transit;
}

it('hears each happening once while rooms are copied all the time', async () => {
  let isDone = false;
  const copying = [1, 2].map(async () => {
    while (!isDone) for (const room of ['hall', 'kitchen']) await copyRoom(database.db, room);
  });
  const names = Array.from({ length: 12 }, (_, at) => `Walker ${String.fromCharCode(65 + at)}`);
  await Promise.all(
    names.map(async (name) => {
      const id = await world.character(name);
      for (const direction of ['around', 'north', 'south', 'around', 'around'])
        expect(
          await moveCharacter(database.db, { ...world.act(id), owner: `user-${name.toLowerCase()}` }, direction),
        ).toHaveProperty('_id');
    }),
  ).finally(() => {
    isDone = true;
  });
  await Promise.all(copying);
  await world.copy();
  for (const name of names) {
    const texts = await heard(name.toLowerCase());
    expect(texts[0]).toMatch(/^You come into the world/);
    expect(texts.filter((text) => text.startsWith('You'))).toEqual([
      'You come into the world. You are here: The hall.',
      ...['around', 'north', 'south', 'around', 'around'].flatMap((direction) => [
        `You go ${direction}.`,
        `You are here: The ${direction === 'north' ? 'kitchen' : 'hall'}.`,
      ]),
    ]);
  }
});
