/** Whether the queries of a game cost more in a larger world. */
import type { Db } from 'mongodb';
import type { Random } from '../../harness/random.js';
import { buildIndexes } from '../../src/database/index.js';
import { moveCharacter } from '../../src/models/game/acts/movement.js';
import { findGoods } from '../../src/models/game/acts/trade.js';
import { findCharacterOf, findCharacters } from '../../src/models/game/world/character.js';
import { findItems } from '../../src/models/game/world/item.js';
import { findLocation, findLocations } from '../../src/models/game/world/location.js';
import { findPlace } from '../../src/models/game/world/place.js';
import type { Benchmark } from '../support/benchmark.js';
import { compareSizes, type SizedQuery } from '../support/sizes.js';
import { asker, requireDone } from './asking.js';
import {
  ITEMS_PER_ROOM,
  itemKey,
  makeMap,
  ownerOf,
  personId,
  personsIn,
  SHOP_PERSONS,
  shopkeeperId,
  shopkeepersIn,
  storeWorld,
} from './many-rooms.js';

const FIRST = 20;
const MAP_FIRST = 40;
/** Over both sizes, each way is taken about as often, so that the persons stay spread. */
const DIRECTIONS = ['north', 'east', 'south', 'west'] as const;

const somebody = (random: Random, rooms: number): string => personId(random.below(personsIn(rooms)));
const ask = asker('world');

const queries: readonly SizedQuery[] = [
  {
    name: 'the screen of a character',
    prepare: (db, random, rooms) => {
      const id = somebody(random, rooms);
      return () => findCharacterOf(db, ownerOf(id), id);
    },
  },
  paged('a page of the map', MAP_FIRST, (db, page) => findLocations(db, page)),
  paged('a page of all characters', FIRST, (db, page) => findCharacters(db, page)),
  paged('a page of all items', FIRST, (db, page) => findItems(db, page)),
  {
    name: 'where an item is',
    prepare: (db, random, rooms) => {
      const id = itemKey(random.below(rooms * ITEMS_PER_ROOM));
      return async () => {
        const place = await findPlace(db, id);
        if (place?.kind === 'LOCATION') await findLocation(db, place.id);
      };
    },
  },
  {
    name: 'the goods of a shopkeeper',
    prepare: (db, random, rooms) => {
      const shop = random.below(shopkeepersIn(rooms));
      const id = personId(shop * SHOP_PERSONS);
      return async () => {
        const goods = await findGoods(db, ownerOf(id), id, shopkeeperId(shop));
        if (!goods) throw new Error(`${id} is not in the shop`);
      };
    },
  },
  // The last one, because it changes the world.
  {
    name: 'a move',
    prepare: (db, random, rooms) => {
      // Not those who stand in the shops.
      const number = random.below(shopkeepersIn(rooms)) * SHOP_PERSONS + 1 + random.below(SHOP_PERSONS - 1);
      const act = ask(personId(number));
      const direction = random.pick(DIRECTIONS);
      return async () => requireDone(await moveCharacter(db, act, direction));
    },
  },
];

/** The second page: it begins where the first has ended. */
function paged(
  name: string,
  first: number,
  find: (db: Db, page: { first: number; after: string | null }) => Promise<{ pageInfo: { endCursor: string | null } }>,
): SizedQuery {
  return {
    name,
    prepare: async (db) => {
      const { pageInfo } = await find(db, { first, after: null });
      return () => find(db, { first, after: pageInfo.endCursor });
    },
  };
}

export const world: Benchmark = {
  name: 'game-world',
  title: 'Queries of a game in a large world',
  run: (surroundings) =>
    compareSizes(surroundings, {
      things: 'rooms',
      query: 'query of a game',
      sizes: [100, 10_000],
      isIndexed: true,
      fill: async (db, rooms) => {
        await buildIndexes(db);
        await storeWorld(db, makeMap(rooms));
      },
      queries,
      notes: [
        'A room has 4 exits, 8 items and the last 20 happenings. A person is in every second room, and a shopkeeper with 20 items in every tenth: 100 rooms have 1,000 items, 10,000 rooms have 100,000. Pages are the second ones: of 40 rooms of the map. The benchmark fails if a query reads without an index.',
      ],
    }),
};
