/** Items through the API: for those who keep the world. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { GameApi, type Gamer, itemId, locationId } from '../game-api.js';
import { World } from '../game-support.js';

const database = useDatabase();
const server = useServer(database);
let api: GameApi;
let editor: Gamer;
let tim: Gamer;

beforeAll(async () => {
  api = new GameApi(database, server);
  const world = new World(database.db);
  await world.rooms({ hall: {} });
  await world.item('arrows', 'hall', { name: 'arrow', quantity: 20, bonus: -1, price: 3 });
  await world.item('bag', 'hall', { kind: 'CONTAINER' });
  await world.item('coin', 'bag');
  editor = await api.account('Ed', 'EDITOR');
  tim = await api.gamer('Tim');
});

describe('all items', () => {
  it('are listed by key with their places, for editors', async () => {
    const query =
      '{ allItems(first: 10) { edges { node { key label quantity price isFixed slots slot insideId place { __typename ... on Location { id } ... on Item { id } } } } } }';
    const common = { isFixed: false, slots: [], slot: null, insideId: null };
    expect(await api.ask(query, {}, editor)).toEqual({
      allItems: {
        edges: [
          {
            node: {
              ...common,
              key: 'arrows',
              label: '20 -1 arrow',
              quantity: 20,
              price: 3,
              place: { __typename: 'Location', id: locationId('hall') },
            },
          },
          {
            node: {
              ...common,
              key: 'bag',
              label: 'bag',
              quantity: 1,
              price: null,
              place: { __typename: 'Location', id: locationId('hall') },
            },
          },
          {
            node: {
              ...common,
              key: 'coin',
              label: 'coin',
              quantity: 1,
              price: null,
              place: { __typename: 'Item', id: itemId('bag') },
            },
          },
        ],
      },
    });
    expect((await api.send(query, {}, tim)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
  it('are found by id, by editors alone', async () => {
    const query = 'query($id: ID!) { node(id: $id) { ... on Item { name } } }';
    expect(await api.ask(query, { id: itemId('coin') }, editor)).toEqual({ node: { name: 'coin' } });
    expect(await api.ask(query, { id: itemId('coin') }, tim)).toEqual({ node: null });
  });
});
