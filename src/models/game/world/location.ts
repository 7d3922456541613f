/**
 * Locations (`game.locations`): the record of truth for what several players share, so that the database decides ties. Each change
 * raises `version`. The characters in a room hold a copy of it (`room-copy.ts`); `uncopied_since` is set until all copies are up to date.
 */
import type { Db } from 'mongodb';
import { defineCollection, findInOrder } from '../../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import type { RoomHappening } from './happening.js';
import type { ItemEntry } from './item-entry.js';
import type { Player } from './player.js';
import type { Transit } from './transit.js';

export interface Exit {
  direction: string;
  aliases: string[];
  description: string;
  /** The key and the name of an item that one must carry. */
  needs: string | null;
  needs_name: string | null;
  /** A location. */
  to: string;
}

/** What a character sees of a location. */
export interface Room {
  /** Its key in the world's files. */
  _id: string;
  name: string;
  description: string;
  exits: Exit[];
  players: Player[];
  inventory: ItemEntry[];
  /** Rises with each change. */
  version: number;
  /** The number of happenings so far. */
  happened: number;
}

export interface LocationDocument extends Room {
  /** The last ones. */
  happenings: RoomHappening[];
  transits: Transit[];
  /** The time of the first change that may be missing from a copy. */
  uncopied_since?: Date;
}

export const locations = defineCollection<LocationDocument>('game.locations', [
  { key: { 'players.id': 1 } }, // invariants
  { key: { 'players.is_online': 1 } }, // sweepPresences
  { key: { 'inventory.id': 1 } }, // findPlace
  { key: { 'transits.call': 1, 'transits.until': 1 } }, // findTransit, repair
  { key: { uncopied_since: 1 }, partialFilterExpression: { uncopied_since: { $exists: true } } }, // repairCopies
  { key: { 'exits.needs': 1 }, partialFilterExpression: { 'exits.needs': { $gt: '' } } }, // nameNeeds
]);

export const PLAYERS_MAX = 200;
export const ITEMS_MAX = 200;

/** The condition that an array of a document has room for some more. */
export const hasRoomFor = (field: string, count: number, max: number) => ({
  [`${field}.${max - count}`]: { $exists: false },
});

export function findLocation(db: Db, id: string): Promise<LocationDocument | null> {
  return locations(db).findOne({ _id: id });
}

const FIRST_MAX = 500;

/** By key. @throws LimitError @throws CursorError */
export function findLocations(db: Db, page: PageInput): Promise<Connection<LocationDocument>> {
  requireFirst(page.first, FIRST_MAX);
  return findInOrder(locations(db), { list: 'game locations', by: '_id', filter: {} }, page);
}
