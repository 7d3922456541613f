/** `sextant play` in a real terminal: what the screen shows while somebody types, and how it is left. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Product, startProduct } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';
import { drawnOn } from './drawn-screen.js';
import { endPlayers, Play } from './play-process.js';

const database = useDatabase({ checked: false }); // other processes send the commands
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';
let product: Product;

beforeAll(async () => {
  product = await startProduct({
    mongodbUri: database.uri,
    database: database.db.databaseName,
    environment: { PORT: '0' },
  });
  const world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
});
afterAll(async () => {
  await endPlayers();
  await product.kill();
});

const begin = async (name: string, columns = 80): Promise<Play> => {
  const play = await Play.beginInTerminal(columns, product.url, '--character', name);
  await play.sees('You are ');
  await play.sees('Exits: ');
  return play;
};

/** @returns the rows of the screen once the last one is this */
const screenWith = (play: Play, columns: number, last: string): Promise<string[]> =>
  waitFor(`"${last}" at the end of ${JSON.stringify(play.output)}`, 20_000, async () => {
    const rows = drawnOn(columns, play.output);
    return rows.at(-1) === last ? rows : null;
  });

describe('the screen of sextant play', () => {
  it.each([80, 40])('keeps what happens while a line of several rows is typed in %d columns', async (columns) => {
    const tim = await begin('Tim', columns);
    const typed = `> say ${'x'.repeat(90)}`;
    const rows = typed.match(new RegExp(`.{1,${columns}}`, 'g')) ?? [];
    tim.press(typed.slice(2));
    await screenWith(tim, columns, rows.at(-1) ?? '');
    const ann = await Play.begin(product.url, administrator.password, '--character', 'Ann');
    for (const word of ['FIRST', 'SECOND', 'THIRD']) {
      ann.type(`say ${word}`);
      await tim.sees(`Ann says: ${word}`);
    }
    ann.type('quit');
    await ann.guarded.ended;
    const shown = await screenWith(tim, columns, rows.at(-1) ?? '');
    expect(shown.slice(-3 - rows.length)).toEqual(['Ann says: FIRST', 'Ann says: SECOND', 'Ann says: THIRD', ...rows]);
    tim.press(CTRL_U);
    tim.type('quit');
    expect(await tim.guarded.ended).toMatchObject({ code: 0 });
  });

  it('has no prompts among the answers to lines that were pasted', async () => {
    const play = await begin('Tim');
    play.press('say one\rsay two\rsay three\r');
    await play.sees('You say: three');
    const shown = await screenWith(play, 80, '>');
    const answers = shown.filter((row) => row.includes('You say: '));
    expect(answers).toEqual(['You say: one', 'You say: two', 'You say: three']);
    play.press(CTRL_C);
    expect(await play.guarded.ended).toMatchObject({ code: 0 });
  });

  it('is folded between words where the terminal is narrow', async () => {
    const play = await begin('Tim', 40);
    const shown = await screenWith(play, 40, '>');
    expect(shown).toContain('You are Tim, with 100 pieces of gold.');
    expect(shown).toContain('Type help for the commands, quit to');
    play.press(CTRL_D);
    expect(await play.guarded.ended).toMatchObject({ code: 0 });
  });

  it('has the last message on a line of its own', async () => {
    const play = await begin('Gone');
    await screenWith(play, 80, '>');
    const { data } = await product.request<{ characters: { id: string; name: string }[] }>(
      '{ characters { id name } }',
    );
    const id = data?.characters.find(({ name }) => name === 'Gone')?.id;
    await product.request('mutation ($id: ID!) { deleteCharacter(id: $id) { __typename } }', { id });
    expect(await play.guarded.ended).toMatchObject({ code: 1 });
    await waitFor(`the message in ${play.output}`, 20_000, async () =>
      drawnOn(80, play.output).includes('You have no character with this id') ? true : null,
    );
  });
});

describe('sextant play in a terminal is left', () => {
  it.each([
    ['Ctrl-D', CTRL_D],
    ['Ctrl-C', CTRL_C],
    ['quit', 'quit\r'],
  ])('by %s, right after a line was typed', async (_name, keys) => {
    const play = await begin('Tim');
    play.press(`say bye all\r${keys}`);
    expect(await play.guarded.ended).toMatchObject({ code: 0 });
    await play.sees(keys === CTRL_C ? ': say bye all' : 'You say: bye all');
  });

  it('while the server is away and lines wait', async () => {
    const players = [await begin('Tim'), await begin('Ann'), await begin('Zoe')];
    const ways = [CTRL_D, CTRL_C, 'quit\r'];
    await product.kill(); // the last test needs it no more
    for (const [index, play] of players.entries()) {
      await play.sees('(The connection is lost.');
      play.type('say first');
      await play.sees('say first'); // it is on its way then, or will never be
      play.type('say second');
      await waitFor(`the second line in ${play.output}`, 20_000, async () =>
        drawnOn(80, play.output).includes('> say second') ? true : null,
      );
      play.press(ways[index] ?? '');
      expect(await play.guarded.ended).toMatchObject({ code: 0 });
      await play.sees(': say first'); // not known whether it was done, or not sent
      await play.sees('This was not sent: say second');
      expect(play.output).not.toContain('You say');
    }
  });
});
