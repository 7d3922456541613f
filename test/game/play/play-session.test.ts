/** `sextant play` longer than an access token is valid, and after the session was ended elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Product, startProduct } from '../../../harness/product.js';
import { useDatabase } from '../../support/database.js';
import { makeSteppingClock, type SteppingClock } from '../../support/stepping-clock.js';
import { World } from '../game-support.js';
import { endPlayers, Play } from './play-process.js';

const database = useDatabase({ checked: false }); // other processes send the commands
const HOUR_MS = 3_600_000;
let clock: SteppingClock;
let product: Product;

beforeAll(async () => {
  clock = await makeSteppingClock();
  const { environment, nodeOptions } = clock.options;
  product = await startProduct({
    mongodbUri: database.uri,
    database: database.db.databaseName,
    environment: { ...environment, PORT: '0' },
    nodeOptions,
  });
  const world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall');
});
afterAll(async () => {
  await endPlayers();
  await product.kill();
  await clock.remove();
});

describe('a session of sextant play', () => {
  it('is renewed without a word when its token expires', async () => {
    const play = await Play.begin(product.url, administrator.password, '--character', 'Tim');
    await play.sees('You are Tim');
    await clock.step(HOUR_MS);
    play.type('take the lamp');
    await play.sees('You take the lamp.');
    await clock.step(2 * HOUR_MS);
    play.type('north');
    await play.sees('The kitchen\n');
    play.type('quit');
    expect(await play.guarded.ended).toMatchObject({ code: 0 });
    expect(play.errors).toBe('');
    expect(play.timesSeen('You take the lamp.')).toBe(1);
  });

  it('ends with the reason when somebody has ended it', async () => {
    await clock.step(0);
    const play = await Play.begin(product.url, administrator.password, '--character', 'Zoe');
    await play.sees('You are Zoe');
    const { data } = await product.request<{ changePassword: { __typename: string } }>(
      'mutation ($old: String!, $next: String!) { changePassword(password: $old, newPassword: $next) { __typename } }',
      { old: administrator.password, next: 'another horse battery staple' },
    );
    expect(data?.changePassword.__typename).toBe('SignedIn');
    play.type('look');
    expect(await play.guarded.ended).toMatchObject({ code: 1 });
    expect(play.errors).toBe('Your session has ended. Start the command again to sign in\n');
  });
});
