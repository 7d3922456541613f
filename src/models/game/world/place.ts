/** Where an item is. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { characters } from './character.js';
import type { ItemEntry } from './item-entry.js';
import { locations } from './location.js';

export interface FoundPlace {
  readonly kind: 'LOCATION' | 'CHARACTER';
  readonly id: string;
  /** The user whose character has it. Null for a room, and for somebody of the world. */
  readonly owner: string | null;
  readonly inventory: readonly ItemEntry[];
  readonly entry: ItemEntry;
}

const ATTEMPTS_MAX = 5;
const PAUSE_MS = 10;

/** The place of an item. Null for one that does not exist, or is on its way for longer than a moment. */
export async function findPlace(db: Db, id: string): Promise<FoundPlace | null> {
  const isThere = { 'inventory.id': id };
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) await pause(PAUSE_MS * attempt); // on its way, or it moved between the two reads
    const room = await locations(db).findOne(isThere, { projection: { inventory: 1 } });
    const character = room ? null : await characters(db).findOne(isThere, { projection: { inventory: 1, owner: 1 } });
    const found = room ?? character;
    const entry = found?.inventory.find((each) => each.id === id);
    if (!found || !entry) continue;
    const kind = room ? 'LOCATION' : 'CHARACTER';
    return { kind, id: found._id, owner: character?.owner ?? null, inventory: found.inventory, entry };
  }
  return null;
}
