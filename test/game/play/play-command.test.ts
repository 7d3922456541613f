/** `sextant play`, as a process against a server: what is typed is done once, also if the server dies meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Product, startProduct } from '../../../harness/product.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';
import { endPlayers, Play } from './play-process.js';

const database = useDatabase({ checked: false }); // other processes send the commands
let product: Product;

const start = (port: `${number}` = '0') =>
  startProduct({ mongodbUri: database.uri, database: database.db.databaseName, environment: { PORT: port } });

beforeAll(async () => {
  product = await start();
  const world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall');
  await world.item('stone', 'hall');
  await world.folk('Ann', 'hall');
});
afterAll(async () => {
  await endPlayers();
  await product.kill();
});

describe('sextant play', () => {
  it('plays with a new character, and leaves', async () => {
    const play = await Play.begin(product.url, administrator.password, '--character', 'Tim', '--class', 'warrior');
    await play.sees('You are Tim, with 100 pieces of gold');
    await play.sees('Exits: north');
    await play.sees('Here: lamp, stone');
    await play.sees('With you: Ann');
    play.type('take the lamp');
    await play.sees('You take the lamp.');
    play.type('take the moon');
    await play.sees('moon');
    play.type('help');
    await play.sees('Tab completes');
    play.type('n');
    await play.sees('The kitchen\n');
    expect(play.output).not.toContain('You are here');
    play.type('quit');
    expect(await play.guarded.ended).toMatchObject({ code: 0 });
    expect(play.timesSeen('You take the lamp.')).toBe(1);
    expect(play.output).not.toContain(administrator.password);
  });

  it('continues when its server is back, and does and shows nothing twice', async () => {
    const play = await Play.begin(product.url, administrator.password, '--character', 'Zoe');
    await play.sees('You are Zoe');
    play.type('take the stone');
    await play.sees('You take the stone.');
    const { port } = new URL(product.url);
    await product.kill();
    await play.sees('(The connection is lost.');
    play.type('drop the stone');
    play.type('say I am back');
    product = await start(`${Number(port)}`);
    await play.sees('(Connected again.)');
    await play.sees('You say: I am back');
    expect(play.timesSeen('You take the stone.')).toBe(1);
    expect(play.timesSeen('You put the stone down.') + play.timesSeen('You drop the stone.')).toBe(1);
    expect(play.timesSeen('You say: I am back')).toBe(1);
    // Live: what another one does.
    const tim = await Play.begin(product.url, administrator.password, '--character', 'Tim');
    await tim.sees('The kitchen');
    tim.type('south');
    await play.sees('Tim comes in.');
    tim.type('say hello Zoe');
    await play.sees('Tim says: hello Zoe');
    expect(play.timesSeen('Tim says: hello Zoe')).toBe(1);
    const heard = (await new World(database.db).heard('zoe')).filter((text) => text.includes('I am back'));
    expect(heard).toHaveLength(1);
    play.guarded.child.stdin?.end();
    expect(await play.guarded.ended).toMatchObject({ code: 0 });
  });

  it('finds a character by its name without accents', async () => {
    const first = await Play.begin(product.url, administrator.password, '--character', 'José María');
    await first.sees('You are José María');
    const again = await Play.begin(product.url, administrator.password, '--character', 'jose maria');
    await again.sees('You are José María');
    for (const play of [first, again]) {
      play.type('quit');
      expect(await play.guarded.ended).toMatchObject({ code: 0 });
    }
  });

  it('says why it cannot begin', async () => {
    const wrong = await Play.begin(product.url, 'not the password');
    expect(await wrong.guarded.ended).toMatchObject({ code: 1 });
    expect(wrong.errors).toContain('password is wrong');
    const undecided = await Play.begin(product.url, administrator.password);
    expect(await undecided.guarded.ended).toMatchObject({ code: 1 });
    expect(undecided.errors.replaceAll(/\s+/g, ' ')).toMatch(/Choose a --character: .*Tim, Zoe/);
    const nobody = await Play.begin('http://127.0.0.1:1', administrator.password);
    expect(await nobody.guarded.ended).toMatchObject({ code: 1 });
    expect(nobody.errors.replaceAll(/\s+/g, ' ')).toContain('The server at http://127.0.0.1:1 cannot be reached');
    const unnamed = await Play.begin('127.0.0.1:4000', administrator.password);
    expect(await unnamed.guarded.ended).toMatchObject({ code: 2 });
    expect(unnamed.errors.replaceAll(/\s+/g, ' ')).toContain('must begin with http:// or https://');
    const misspelt = await Play.begin(product.url, null, '--email', 'nosuch');
    expect(await misspelt.guarded.ended).toMatchObject({ code: 2 });
    expect(misspelt.errors.replaceAll(/\s+/g, ' ')).toContain("'nosuch' is invalid. It must be an email address.");
    const nameless = await Play.begin(product.url, null, '--character', 'Bell\u0007');
    expect(await nameless.guarded.ended).toMatchObject({ code: 2 });
    expect(nameless.errors.replaceAll(/\s+/g, ' ')).toContain(
      'is invalid. It must not have the hidden character U+0007, which is at position 5.',
    );
    const silent = await Play.begin(product.url, null);
    silent.guarded.child.stdin?.end();
    expect(await silent.guarded.ended).toMatchObject({ code: 1 });
    expect(silent.errors).toContain('No password was entered');
  });
});
