/**
 * Items (`game.items`), one document each, with all details. Where an item is, the place says: its entry is in the inventory of exactly
 * one location or character, or in exactly one transit between two of them (`acts/transit.ts`). Entries repeat the details, so that a
 * screen takes one read. An inventory is a flat list: an entry inside a container names it in `inside_id`.
 * Source pattern: items embedded in characters and rooms (online gaming). There an item is `id` in one place and `_id` in another.
 */
import type { Db } from 'mongodb';
import { defineCollection, findInOrder } from '../../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import type { ItemDetails, ItemEntry } from './item-entry.js';
import type { Transit } from './transit.js';

export interface ItemDocument extends ItemDetails {
  /** Its key in the world's files. */
  _id: string;
  /** Of a new item, on its way to its first place. */
  transits: Transit[];
  /** The time of a change that its entry does not have yet. */
  changed_since?: Date;
}

export const items = defineCollection<ItemDocument>('game.items', [
  { key: { 'transits.call': 1, 'transits.until': 1 } }, // findTransit, repair
  { key: { changed_since: 1 }, partialFilterExpression: { changed_since: { $exists: true } } }, // repairItems
]);

export const toEntry = (
  { _id, transits: _transits, changed_since: _since, ...details }: ItemDocument,
  inside_id: string | null,
): ItemEntry => ({
  id: _id,
  ...details,
  inside_id,
});

export function findItem(db: Db, id: string): Promise<ItemDocument | null> {
  return items(db).findOne({ _id: id });
}

const FIRST_MAX = 100;

/** By key. @throws LimitError @throws CursorError */
export function findItems(db: Db, page: PageInput): Promise<Connection<ItemDocument>> {
  requireFirst(page.first, FIRST_MAX);
  return findInOrder(items(db), { list: 'game items', by: '_id', filter: {} }, page);
}
