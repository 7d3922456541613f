/** What a character hears of its own coming, also when its copy of the room is brought up to date before its last step is done. */
import { beforeEach, describe, expect, it } from 'vitest';
import { repairTransits } from '../../../src/models/game/acts/continuing.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { newCharacter } from '../../../src/models/game/characters/character-creation.js';
import { copyRoom } from '../../../src/models/game/rooms/room-copy.js';
import { changeOf } from '../../../src/models/game/world/change.js';
import { characters } from '../../../src/models/game/world/character.js';
import { locations, PLAYERS_MAX } from '../../../src/models/game/world/location.js';
import type { Transit } from '../../../src/models/game/world/transit.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let ann: string;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: { around: 'hall', north: 'kitchen' }, kitchen: { south: 'hall' } });
  ann = await world.character('Ann');
});

const finishAll = () => repairTransits(database.db, new Date(), () => new Date());

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
    const made = newCharacter(fields, await world.at('hall'), { ...world.creation(), now: new Date(1) });
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
  it('does not tell a character anything of an exit that leads back into its room but that it went', async () => {
    const before = await world.at('hall');
    const ben = await world.character('Ben');
    const call = world.nextCall();
    for (const _ of [1, 2]) // a retry does not repeat it
      expect(await moveCharacter(database.db, world.act(ann, call), 'around')).toMatchObject({
        location: { _id: 'hall' },
      });
    await world.copy();
    expect((await heard(ann)).slice(2)).toEqual(['You go around, and are here again: The hall.']);
    expect((await heard(ben)).slice(1)).toEqual(['Ann goes around, and comes back.']);
    expect((await world.at('hall')).happened).toBe(before.happened + 2);
    expect((await world.at('hall')).transits).toEqual([]);
  });
});

it('numbers what is heard of a move that was taken back, and is done by a retry', async () => {
  const asked = world.act(ann);
  const crowd = Array.from({ length: PLAYERS_MAX }, (_, at) => ({ id: `p${at}`, name: `P${at}` }));
  await locations(database.db).updateOne({ _id: 'kitchen' }, { $set: { players: crowd as never } });
  expect(await moveCharacter(database.db, asked, 'north')).toMatchObject({ __typename: 'ExitClosed' });
  await locations(database.db).updateOne({ _id: 'kitchen' }, { $set: { players: [] } });
  await moveCharacter(database.db, { ...asked, begunAt: asked.now }, 'north');
  expect((await heard(ann)).slice(1)).toEqual([
    'You go north.',
    'You come back.',
    'You go north.',
    'You are here: The kitchen.',
  ]);
});

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
      'You go around, and are here again: The hall.',
      'You go north.',
      'You are here: The kitchen.',
      'You go south.',
      'You are here: The hall.',
      'You go around, and are here again: The hall.',
      'You go around, and are here again: The hall.',
    ]);
  }
});
