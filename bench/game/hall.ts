/** A room with players, and a lamp for each. */
import type { Db } from 'mongodb';
import { signInAll } from '../social/online-readers.js';
import type { ActingPlayer } from './acting.js';
import {
  entriesOf,
  finishRoom,
  makeCharacter,
  makeItem,
  makeRoom,
  ownerOf,
  personName,
  storeWorld,
} from './many-rooms.js';

export const HALL = 'hall';
const HAPPENED = 100;

/** @param count of players */
export async function storeHall(db: Db, count: number, withAccounts: boolean): Promise<ActingPlayer[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const items = numbers.map((number) => makeItem(`item-${number}`));
  const hall = makeRoom(HALL, { inventory: entriesOf(items), happened: HAPPENED });
  const characters = numbers.map((number) => makeCharacter(personName(number), hall, {}));
  finishRoom(hall, characters);
  await storeWorld(db, { locations: [hall], items, characters });
  const owners = characters.map(({ _id }) => ownerOf(_id));
  const tokens = withAccounts ? await signInAll(db, owners) : owners.map(() => null);
  return characters.map(({ _id, name }, at) => ({
    character: _id,
    name,
    item: items[at]?._id ?? '',
    token: tokens[at] ?? null,
  }));
}
