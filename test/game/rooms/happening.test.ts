/** What is kept of what has happened, as each character sees it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { GameApi, type Gamer, itemId } from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);
let api: GameApi;
let tim: Gamer;
let ann: Gamer;

beforeAll(async () => {
  api = new GameApi(database, server);
  const world = new World(database.db);
  await world.rooms({ hall: {} });
  await world.item('lamp', 'hall');
  tim = await api.gamer('Tim');
  ann = await api.gamer('Ann');
});

const READ =
  'query($id: ID!) { character(id: $id) { happenings { number at kind text who { id name role isOnline } } } }';

async function heardBy(gamer: Gamer): Promise<readonly { readonly number: number; readonly text: string }[]> {
  await server.services.rooms.settle();
  type Answer = { character: { happenings: { number: number; text: string }[] } };
  return (await api.ask<Answer>(READ, { id: gamer.character }, gamer)).character.happenings;
}

describe('a happening', () => {
  it('has the words of who sees it, and a number of its own for each', async () => {
    await api.act(tim, 'pickUpItem', `itemId: "${itemId('lamp')}"`);
    const who = { id: tim.character, name: 'Tim', role: 'PERSON', isOnline: false };
    const happening = { at: expect.any(String), kind: 'TOOK', who };
    expect(await heardBy(tim)).toEqual([
      expect.objectContaining({ number: 1, text: 'You come into the world. You are here: The hall.' }),
      expect.objectContaining({ number: 2, text: 'Ann comes into the world.' }),
      { ...happening, number: 3, text: 'You take the lamp.' },
    ]);
    expect(await heardBy(ann)).toEqual([
      expect.objectContaining({ number: 1 }),
      { ...happening, number: 2, text: 'Tim takes the lamp.' },
    ]);
  });
  it('of a whisper is only for the two', async () => {
    const bob = await api.gamer('Bob');
    await api.act(tim, 'speak', `text: "psst", toId: "${ann.character}"`);
    expect((await heardBy(ann)).at(-1)).toMatchObject({ kind: 'WHISPERED', text: 'Tim whispers to you: psst' });
    expect((await heardBy(bob)).map(({ text }) => text)).toEqual(['You come into the world. You are here: The hall.']);
  });
  it('has a number of its own, also among those that others do not hear', async () => {
    await api.act(tim, 'look');
    await api.act(tim, 'speak', 'text: "hello"');
    const numbersOf = async (gamer: Gamer) => (await heardBy(gamer)).map(({ number }) => number);
    const numbers = await numbersOf(tim);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1)); // Tim has heard all of it
    const ofAnn = await numbersOf(ann);
    expect(ofAnn).toEqual([1, 2, 3, 4, 6]); // all but the look
  });
});
