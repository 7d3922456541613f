/** Where everybody is, followed live. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { GameApi, type Gamer, locationId } from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);
let api: GameApi;
let tim: Gamer;

beforeAll(async () => {
  api = new GameApi(database, server);
  const world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall', down: 'cellar' }, cellar: {} });
  await world.folk('Bert', 'hall');
  tim = await api.gamer('Tim');
});

interface CrowdsEvent {
  readonly cursor: string;
  readonly reset: boolean;
  readonly crowds: readonly {
    readonly locationId: string;
    readonly name: string;
    readonly players: number;
    readonly online: number;
  }[];
}

const FOLLOW =
  'subscription($after: String) { crowdsChanged(after: $after) { cursor reset crowds { locationId name online players } } }';

async function next(events: AsyncIterator<unknown>): Promise<CrowdsEvent> {
  const { value } = (await events.next()) as { value: { data: { crowdsChanged: CrowdsEvent } } };
  return value.data.crowdsChanged;
}

describe('the crowds', () => {
  it('are all first, then those that change, also in places where nobody was', async () => {
    const editor = await api.account('Ed', 'EDITOR');
    const client = api.connect(editor);
    const events = client.iterate({ query: FOLLOW });
    expect((await next(events)).crowds).toEqual([
      { locationId: locationId('hall'), name: 'The hall', online: 0, players: 2 },
    ]);
    await api.act(tim, 'moveCharacter', 'direction: "north"');
    const now = new Map<string, number>();
    let cursor = '';
    while (now.get('The kitchen') !== 1 || now.get('The hall') !== 1) {
      const event = await next(events);
      cursor = event.cursor;
      expect(event.reset).toBe(false);
      for (const { name, players } of event.crowds) now.set(name, players);
    }
    await events.return?.();
    await api.act(tim, 'moveCharacter', 'direction: "down"');
    const again = client.iterate({ query: FOLLOW, variables: { after: cursor } });
    while (now.get('The cellar') !== 1 || now.get('The kitchen') !== 0) {
      for (const { name, players } of (await next(again)).crowds) now.set(name, players);
    }
    await again.return?.();
  });
  it('name a room that was added since they were read', async () => {
    const events = api.connect(await api.account('Eve', 'EDITOR')).iterate({ query: FOLLOW });
    await next(events);
    await new World(database.db).rooms({ tower: {} });
    await new World(database.db).folk('Ursel', 'tower');
    let found: string | undefined;
    while (found === undefined)
      found = (await next(events)).crowds.find(({ name }) => name === 'The tower')?.locationId;
    await events.return?.();
    expect(found).toBe(locationId('tower'));
  });
  it('are for editors', async () => {
    const { value } = (await api.connect(tim).iterate({ query: FOLLOW }).next()) as { value: { errors: unknown } };
    expect(value.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
