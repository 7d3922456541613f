/** Corners of a world, one for each caller: two rooms, a character, and a shopkeeper who stays in the first room. */
import type { Db } from 'mongodb';
import type { ItemEntry } from '../../src/models/game/world/item-entry.js';
import {
  entriesOf,
  finishRoom,
  makeCharacter,
  makeExit,
  makeItem,
  makeRoom,
  personName,
  roomKey,
  shopkeeperName,
  storeWorld,
} from './many-rooms.js';

const HAPPENED = 100;
const LYING = 8;

/** With where its things are, as the caller knows. */
export interface Corner {
  readonly character: string;
  readonly shopkeeper: string;
  readonly rooms: readonly [string, string];
  /** The exits that lead to the other room. */
  readonly ways: readonly [string, string];
  /** At first, it lies in the first room. */
  readonly lamp: ItemEntry;
  /** At first, the shopkeeper has it. */
  readonly ware: ItemEntry;
  /** The character has both. */
  readonly coin: ItemEntry;
  readonly bag: string;
  at: 0 | 1;
  hasLamp: boolean;
  hasBought: boolean;
  isInBag: boolean;
}

export async function storeCorners(db: Db, count: number): Promise<Corner[]> {
  const made = Array.from({ length: count }, (_, number) => makeCorner(number));
  await storeWorld(db, {
    locations: made.flatMap(({ locations }) => locations),
    items: made.flatMap(({ items }) => items),
    characters: made.flatMap(({ characters }) => characters),
  });
  return made.map(({ corner }) => corner);
}

function makeCorner(number: number) {
  const rooms = [roomKey(2 * number), roomKey(2 * number + 1)] as const;
  const ways = ['north', 'south'] as const;
  const lying = Array.from({ length: LYING }, (_, at) => makeItem(`lying-${number}-${at}`));
  const [lamp, ware, coin, bag] = [
    makeItem(`lamp-${number}`),
    makeItem(`ware-${number}`),
    makeItem(`coin-${number}`),
    makeItem(`bag-${number}`, 'CONTAINER'),
  ];
  const first = makeRoom(rooms[0], {
    exits: [makeExit(ways[0], rooms[1])],
    inventory: entriesOf([...lying, lamp]),
    happened: HAPPENED,
  });
  const second = makeRoom(rooms[1], { exits: [makeExit(ways[1], rooms[0])], happened: HAPPENED });
  const character = makeCharacter(personName(number), first, { inventory: entriesOf([coin, bag]) });
  const shopkeeper = makeCharacter(shopkeeperName(number), first, {
    role: 'SHOPKEEPER',
    inventory: entriesOf([ware]),
  });
  finishRoom(first, [character, shopkeeper]);
  const [lampThere, wareThere, coinThere] = entriesOf([lamp, ware, coin]) as [ItemEntry, ItemEntry, ItemEntry];
  const corner: Corner = {
    character: character._id,
    shopkeeper: shopkeeper._id,
    rooms,
    ways,
    lamp: lampThere,
    ware: wareThere,
    coin: coinThere,
    bag: bag._id,
    at: 0,
    hasLamp: false,
    hasBought: false,
    isInBag: false,
  };
  return {
    corner,
    locations: [first, second],
    items: [...lying, lamp, ware, coin, bag],
    characters: [character, shopkeeper],
  };
}
