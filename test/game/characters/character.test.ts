/** Characters through the API, and what their players see live. */
import { beforeAll, describe, expect, it } from 'vitest';
import { idempotency } from '../../../src/database/writes/idempotency.js';
import { findLooks } from '../../../src/models/game/characters/character-looks.js';
import { characters } from '../../../src/models/game/world/character.js';
import { requireCharacterName } from '../../../src/models/game/world/character-name.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import {
  type GameApi as Api,
  FOLLOW,
  GameApi,
  type Gamer,
  itemId,
  type RoomEvent,
  SCREEN,
  type Screen,
} from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);
let api: Api;
let world: World;
let tim: Gamer;
let ann: Gamer;

beforeAll(async () => {
  api = new GameApi(database, server);
  world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall', { name: 'brass lamp' });
  tim = await api.gamer('Tim');
  ann = await api.gamer('Ann');
});

const CREATE =
  'mutation($name: String!, $key: String) { createCharacter(input: { name: $name, class: MAGE }, idempotencyKey: $key) { __typename ... on Character { id name gold location { name } } ... on Refusal { message } } }';
const create = async (name: string, gamer: Gamer, key: string | null = null) =>
  (await api.ask<{ createCharacter: Screen & { message?: string } }>(CREATE, { name, key }, gamer)).createCharacter;

/** As if the process had died before the answer of a call was stored. */
async function forgetAnswer(call: string): Promise<void> {
  const { modifiedCount } = await idempotency(database.db).updateOne(
    { _id: call.split('.')[0] ?? '', call },
    { $unset: { answer: '' }, $set: { locked_until: new Date(0) } },
  );
  expect(modifiedCount).toBe(1);
}

describe('what reached only a character', () => {
  it('is left out for editors, who read the rest', async () => {
    const editor = await api.account('Editha', 'EDITOR');
    const seeker = await api.gamer('Seeker');
    for (const text of ['say Loud', 'tell Ann Softly', 'look at brass lamp']) await api.type(seeker, text);
    const query =
      'query($id: ID!) { character(id: $id) { happenings { text } } node(id: $id) { ... on Character { happenings { text } } } }';
    type Heard = { readonly happenings: readonly { readonly text: string }[] };
    const read = async (who: Gamer) => {
      const { character, node } = await api.ask<{ character: Heard; node: Heard }>(
        query,
        { id: seeker.character },
        who,
      );
      expect(node).toEqual(character);
      return character.happenings.slice(1).map(({ text }) => text);
    };
    expect(await read(editor)).toEqual(['You say: Loud']);
    expect(await read(seeker)).toEqual(['You say: Loud', 'You whisper to Ann: Softly', expect.stringMatching(/lamp/i)]);
  });
});

describe('creating a character', () => {
  it('puts it at the start, with gold', async () => {
    expect(await create('Zoe', ann)).toMatchObject({
      __typename: 'Character',
      gold: 100,
      location: { name: 'The hall' },
    });
  });
  it('refuses a name that looks like another one, of a person or of folk', async () => {
    await world.folk('Bob Hook', 'hall');
    const alike = ['TÍM', 'T i m', 'Ti-m', 'Тім', 'ᴛɪᴍ', 'вов-ноок', 'Βοβ Ηοοκ', 'B0b Hook'];
    const answers: unknown[] = [];
    for (const name of alike) answers.push(await create(name, ann));
    const taken = (name: string) => ({
      __typename: 'CharacterNameTaken',
      message: `There is a character named ${name} already`,
    });
    expect(answers).toEqual([...Array(5).fill(taken('Tim')), ...Array(3).fill(taken('Bob Hook'))]);
  });
  it('tells names apart by what is shown of them', async () => {
    await world.folk('Ilse', 'hall');
    await world.folk('Neil', 'hall');
    for (const name of ['llse', 'lIse', '\u01c0lse', 'Nei1'])
      expect(await create(name, ann)).toMatchObject({ __typename: 'CharacterNameTaken' });
    expect(await create('Nell', await api.account('Nelson'))).toMatchObject({ __typename: 'Character' });
  });
  it('finds what names of earlier versions look like', async () => {
    const old = await world.folk('Ingrid', 'hall');
    await characters(database.db).updateOne(
      { _id: old },
      { $set: { look: 'ingrid' } as object, $unset: { looks: '' } },
    );
    expect(await findLooks(database.db)).toBe(1);
    expect(await findLooks(database.db)).toBe(0);
    expect(await world.of(old)).not.toHaveProperty('look');
    expect(await create('lngrid', ann)).toMatchObject({ message: 'There is a character named Ingrid already' });
  });
  it('creates one for a key', async () => {
    const [first, second] = [await create('Yan', ann, 'yan'), await create('Yan', ann, 'yan')];
    expect(second).toEqual(first);
  });
  it('finds for a key what an earlier version has created, which noted only the latest calls', async () => {
    const gamer = await api.account('Olga');
    const first = await create('Olaf', gamer, 'olaf');
    const { creation } = await world.of('olaf');
    await characters(database.db).updateOne(
      { _id: 'olaf' },
      { $unset: { creation: '' }, $set: { calls: [creation ?? ''] } },
    );
    await forgetAnswer(creation ?? '');
    expect(await create('Olaf', gamer, 'olaf')).toEqual(first);
    expect(await create('Olaf', gamer, 'another')).toMatchObject({ __typename: 'CharacterNameTaken' });
  });
  it.each(['x', '1st', 'a\u200bb', 'a'.repeat(31), 'a_b', '\u0422im', 'T\u03bfm', `Tim${'\u0301'.repeat(8)}`])(
    'refuses the name %j',
    async (name) => {
      const { errors } = await api.send(CREATE, { name, key: null }, ann);
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'input.name' } }]);
    },
  );
  it.each(['Ti\u1ebfn', 'O\u2019Brien', '\u0422\u0438\u043c', '\u0e17\u0e35\u0e48'])('takes the name %j', (name) => {
    expect(requireCharacterName('name', name)).toBe(name);
  });
  it('refuses a sixth one, also if they are created at once', async () => {
    const many = await api.account('Many');
    const made = await Promise.all([...'abcdefghijkl'].map((letter) => create(`V${letter}`, many)));
    const { characters: own } = await api.ask<{ characters: { name: string }[] }>('{ characters { name } }', {}, many);
    expect(own.length).toBe(5);
    const refusals = made.filter((each) => each.__typename !== 'Character');
    expect(refusals.map((each) => each.__typename)).toEqual(Array.from({ length: 7 }, () => 'TooManyCharacters'));
    expect(await create('Wz', many)).toMatchObject({ __typename: 'TooManyCharacters' });
  });
});

describe('reading a character', () => {
  const READ = `query($id: ID!) { character(id: $id) { ${SCREEN} } }`;
  it('shows the whole screen to its player', async () => {
    const { character } = await api.ask<{ character: Screen }>(READ, { id: tim.character }, tim);
    expect(character.location.players.map(({ name }) => name)).toContain('Tim');
    expect(character.happenings[0]).toMatchObject({ number: 1, kind: 'CAME', who: { name: 'Tim' } });
  });
  it('shows nothing to others, and everything to editors', async () => {
    expect(await api.ask(READ, { id: tim.character }, ann)).toEqual({ character: null });
    const editor = await api.account('Ed', 'EDITOR');
    expect(await api.ask(READ, { id: tim.character }, editor)).toMatchObject({ character: { name: 'Tim', gold: 100 } });
  });
  it('shows only the name and the class where a character is found by its id', async () => {
    const node = (field: string) => `query($id: ID!) { node(id: $id) { ... on Character { name ${field} } } }`;
    expect(await api.ask(node('class'), { id: tim.character }, ann)).toEqual({
      node: { name: 'Tim', class: 'WARRIOR' },
    });
    const { errors } = await api.send(node('gold'), { id: tim.character }, ann);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
  it('lists all for editors', async () => {
    const found = await api.ask<{ allCharacters: { edges: { node: { name: string; owner: { name: string } } }[] } }>(
      '{ allCharacters(first: 100) { edges { node { name gold owner { id name } location { id name } } } } }',
    );
    expect(found.allCharacters.edges.find(({ node }) => node.name === 'Tim')).toMatchObject({
      node: { owner: { name: 'Tim' } },
    });
  });
});

/** The events of a subscription, one after the other. */
async function nextOf(events: AsyncIterator<unknown>): Promise<RoomEvent> {
  const next = await events.next().catch((error: unknown) => {
    throw new Error(JSON.stringify(error)); // the client throws the list of errors with which it ended
  });
  const { value } = next as { value: { data?: { roomChanged: RoomEvent }; errors?: unknown } };
  if (!value?.data) throw new Error(JSON.stringify(value?.errors ?? 'ended'));
  return value.data.roomChanged;
}

/** Reads events until one has it. */
async function until(events: AsyncIterator<unknown>, has: (screen: Screen) => boolean): Promise<RoomEvent> {
  for (;;) {
    const event = await nextOf(events);
    if (has(event.character)) return event;
  }
}

describe('following a character', () => {
  const texts = ({ happenings }: Screen) => happenings.map(({ text }) => text);

  it('sends the screen, then what others do in the room, then the next room', async () => {
    const events = api.connect(ann).iterate({ query: FOLLOW, variables: { id: ann.character } });
    expect((await nextOf(events)).character.location.name).toBe('The hall');
    await api.act(tim, 'pickUpItem', `itemId: "${itemId('lamp')}"`);
    await until(events, (screen) => texts(screen).includes('Tim takes the brass lamp.'));
    await api.act(ann, 'moveCharacter', 'direction: "n"');
    const { character } = await until(events, ({ location }) => location.name === 'The kitchen');
    expect(texts(character).slice(-2)).toEqual(['You go north.', 'You are here: The kitchen.']);
    await events.return?.();
  });

  it('shows each happening once to a client that comes back', async () => {
    const first = api.connect(tim).iterate({ query: FOLLOW, variables: { id: tim.character } });
    const seen = await nextOf(first);
    const last = seen.character.happenings.at(-1)?.number ?? 0;
    await first.return?.();
    await api.act(tim, 'dropItem', `itemId: "${itemId('lamp')}"`);
    await api.act(tim, 'pickUpItem', `itemId: "${itemId('lamp')}"`);
    await api.act(tim, 'speak', 'text: "Here I am"');
    const events = api.connect(tim).iterate({ query: FOLLOW, variables: { id: tim.character, after: seen.cursor } });
    const { character } = await until(events, (screen) => texts(screen).includes('You say: Here I am'));
    const fresh = character.happenings.filter(({ number }) => number > last);
    expect(fresh.map(({ text }) => text)).toEqual([
      'You drop the brass lamp.',
      'You take the brass lamp.',
      'You say: Here I am',
    ]);
    expect(fresh.map(({ number }) => number)).toEqual([last + 1, last + 2, last + 3]);
    await events.return?.();
  });

  it('is only for its player', async () => {
    const events = api.connect(ann).iterate({ query: FOLLOW, variables: { id: tim.character } });
    await expect(nextOf(events)).rejects.toThrow('NOT_FOUND');
  });

  it('ends when another person has taken the name, however late the feed hears of it', async () => {
    const gone = await api.gamer('Taken');
    const events = api.connect(gone).iterate({ query: FOLLOW, variables: { id: gone.character } });
    await nextOf(events);
    const { owner } = await world.of('ann');
    const next = { ...(await world.of('taken')), owner, created_at: new Date() };
    await characters(database.db).replaceOne({ _id: 'taken' }, next); // it was deleted and created
    await expect(until(events, () => false)).rejects.toThrow('NOT_FOUND');
  });

  it('makes it online for the others, until it is not followed any more', async () => {
    const bob = await api.gamer('Bob');
    const events = api.connect(tim).iterate({ query: FOLLOW, variables: { id: tim.character } });
    const isOnline = ({ location }: Screen) => location.players.find(({ name }) => name === 'Bob')?.isOnline ?? false;
    await nextOf(events);
    const own = api.connect(bob).iterate({ query: FOLLOW, variables: { id: bob.character } });
    await nextOf(own);
    await until(events, isOnline);
    await own.return?.();
    await until(events, (screen) => !isOnline(screen));
    await events.return?.();
  });
});

describe('a creation that is retried after the character was deleted', () => {
  const DELETE = 'mutation($id: ID!) { deleteCharacter(id: $id) { __typename } }';
  const remove = (id: string, gamer: Gamer) => api.ask(DELETE, { id }, gamer);
  const notFound = { __typename: 'CharacterNotFound', message: 'You have no character with this id' };

  it('is answered that it is not there any more', async () => {
    const { id } = await create('Brief', ann, 'brief');
    await remove(id, ann);
    expect(await create('Brief', ann, 'brief')).toEqual(notFound);
  });

  it('does not create it again, also if the first attempt died before its answer was stored', async () => {
    const { id } = await create('Mayfly', ann, 'mayfly');
    const { creation } = await world.of('mayfly');
    await forgetAnswer(creation ?? '');
    await remove(id, ann);
    expect(await create('Mayfly', ann, 'mayfly')).toEqual(notFound);
    expect(await characters(database.db).countDocuments({ _id: 'mayfly' })).toBe(0);
  });
});

describe('deleting a character', () => {
  it('leaves what it carried in the room, and frees its name', async () => {
    const gone = await api.gamer('Gone');
    await world.item('ring', 'hall');
    await api.act(gone, 'pickUpItem', `itemId: "${itemId('ring')}"`);
    const events = api.connect(gone).iterate({ query: FOLLOW, variables: { id: gone.character } });
    await nextOf(events);
    const DELETE = 'mutation($id: ID!) { deleteCharacter(id: $id) { __typename ... on DeletedCharacter { id } } }';
    expect(await api.ask(DELETE, { id: gone.character }, ann)).toMatchObject({
      deleteCharacter: { __typename: 'CharacterNotFound' },
    });
    expect(await api.ask(DELETE, { id: gone.character }, gone)).toEqual({
      deleteCharacter: { __typename: 'DeletedCharacter', id: gone.character },
    });
    expect(await world.lying('hall')).toContain('ring');
    expect((await world.at('hall')).players.map(({ id }) => id)).not.toContain('gone');
    await expect(until(events, () => false)).rejects.toThrow('NOT_FOUND');
    expect(await characters(database.db).findOne({ _id: 'gone' })).toBeNull();
    expect(await create('Gone', gone)).toMatchObject({ __typename: 'Character' });
  });

  it('leaves who has taken the name alone, if the deletion is retried', async () => {
    const gone = await api.gamer('Twice');
    const DELETE = `mutation($id: ID!) { deleteCharacter(id: $id, idempotencyKey: "gone") { __typename } }`;
    const remove = () => api.ask(DELETE, { id: gone.character }, gone);
    const deleted = { deleteCharacter: { __typename: 'DeletedCharacter' } };
    expect(await remove()).toEqual(deleted);
    expect(await create('Twice', gone)).toMatchObject({ __typename: 'Character' });
    expect(await remove()).toEqual(deleted);
    expect(await characters(database.db).findOne({ _id: 'twice' })).not.toBeNull();
  });
});
