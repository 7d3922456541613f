/** Speaking and looking. */
import { beforeEach, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../../src/models/game/acts/handling.js';
import { look } from '../../../src/models/game/acts/looking.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { characters } from '../../../src/models/game/world/character.js';
import { useDatabase } from '../../support/database.js';
import { openWorld, type World } from '../game-support.js';

const database = useDatabase();
let world: World;
let tim: string;
let ann: string;
let bob: string;

beforeEach(async () => {
  world = await openWorld(database.db, { hall: {} });
  await world.item('lamp', 'hall', { description: 'It shines.' });
  [tim, ann, bob] = [await world.character('Tim'), await world.character('Ann'), await world.character('Bob')];
  await world.copy();
});

describe('speaking', () => {
  it('is heard by everybody in the room, whatever is said', async () => {
    await speak(database.db, world.act(tim), 'You owe me $5, $$ROOT {{x}}', null);
    await world.copy();
    expect((await world.heard(tim)).at(-1)).toBe('You say: You owe me $5, $$ROOT {{x}}');
    expect((await world.heard(ann)).at(-1)).toBe('Tim says: You owe me $5, $$ROOT {{x}}');
  });
  it('to one is heard by the two alone', async () => {
    await speak(database.db, world.act(tim), 'psst', ann);
    await speak(database.db, world.act(tim), 'loud', null);
    await world.copy();
    expect((await world.heard(ann)).slice(-2)).toEqual(['Tim whispers to you: psst', 'Tim says: loud']);
    expect((await world.heard(tim)).slice(-2)).toEqual(['You whisper to Ann: psst', 'You say: loud']);
    expect(JSON.stringify(await world.of(bob))).not.toContain('psst');
  });
  it('is refused while the character is muted, and to somebody who is not there', async () => {
    expect(await speak(database.db, world.act(tim), 'hello', 'nobody')).toMatchObject({ __typename: 'NobodyThere' });
    const until = new Date(Date.now() + 60_000);
    await characters(database.db).updateOne({ _id: tim }, { $set: { muted_until: until } });
    expect(await speak(database.db, world.act(tim), 'hello', null)).toMatchObject({
      __typename: 'CharacterMuted',
      message: expect.stringMatching(/^You may not speak until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      until,
    });
    expect((await world.at('hall')).happenings.filter(({ kind }) => kind === 'SAID')).toEqual([]);
  });
  it('is said once for a call that is repeated', async () => {
    const asked = world.act(tim);
    await speak(database.db, asked, 'once', null);
    await speak(database.db, asked, 'once', null);
    expect((await world.heard(tim)).filter((text) => text === 'You say: once')).toHaveLength(1);
  });
  it('checks the words', async () => {
    await expect(speak(database.db, world.act(tim), ' ', null)).rejects.toThrow('text must have 1 to 500 characters');
    await expect(speak(database.db, world.act(tim), 'x'.repeat(501), null)).rejects.toThrow(
      'text must have 1 to 500 characters',
    );
  });
});

describe('looking', () => {
  it('describes the room, an item, somebody, and oneself', async () => {
    await look(database.db, world.act(tim), null);
    await look(database.db, world.act(tim), { kind: 'Item', id: 'lamp' });
    await look(database.db, world.act(tim), { kind: 'Character', id: ann });
    await look(database.db, world.act(tim), { kind: 'Character', id: tim });
    expect((await world.heard(tim)).slice(-4)).toEqual([
      'The hall. There is no way out. Here: lamp. With you: Ann and Bob.',
      'It shines.',
      'Ann is a warrior.',
      'You carry nothing. You have 100 gold, and can carry 80 kg more.',
    ]);
    expect((await world.heard(ann)).some((text) => text.startsWith('The hall.'))).toBe(false);
  });
  it('shows the room as it is, also before its copy is up to date', async () => {
    await pickUpItem(database.db, world.act(ann), 'lamp');
    await world.item('scroll', 'hall', { description: 'It is old.' });
    const zoe = await world.character('Zoe');
    await look(database.db, world.act(tim), null);
    await look(database.db, world.act(tim), { kind: 'Item', id: 'scroll' });
    await look(database.db, world.act(tim), { kind: 'Character', id: zoe });
    expect((await world.heard(tim)).slice(-3)).toEqual([
      'The hall. There is no way out. Here: scroll. With you: Ann, Bob and Zoe.',
      'It is old.',
      'Zoe is a warrior.',
    ]);
    expect(await look(database.db, world.act(tim), { kind: 'Item', id: 'lamp' })).toMatchObject({
      message: 'It is gone: Ann has it',
    });
  });
  it('refuses what is not there', async () => {
    expect(await look(database.db, world.act(tim), { kind: 'Item', id: 'x' })).toMatchObject({
      __typename: 'ItemGone',
    });
    expect(await look(database.db, world.act(tim), { kind: 'Character', id: 'x' })).toMatchObject({
      __typename: 'NobodyThere',
    });
  });
});
