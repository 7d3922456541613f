/**
 * Transits: how something gets from one document into another. Every step is one guarded update of one document:
 *
 *   1  the source gives it up and notes the transit, with all that the other steps need: whoever gets the item out of the source has
 *      won it, and the item is in the transit from then on
 *   2  the destination takes it, and pays, if it has a price
 *   3  the room is told, unless that was part of another step
 *   4  the source removes the transit, and gets the gold
 *
 * If the destination refuses, the source takes it back. A process that dies leaves the transit, and repair continues it. Whether step 2
 * was done, the item itself tells: an item is in one place only, so if it is found anywhere outside of the transit, it has arrived.
 *
 * One process at a time works on a transit: until `until`, by the server's clock, it is the one that began it or has taken it over.
 * Steps repeat this time in their filter, so a process that was paused for longer changes nothing.
 */
import type { AuditDocument } from '../../people/audit.js';
import type { RoomHappening } from './happening.js';
import type { ItemEntry } from './item-entry.js';
import type { Player } from './player.js';

/** How long a process may work on a transit without taking it over again. A step takes milliseconds. */
export const TURN_MS = 10_000;

export type PlaceKind = 'LOCATION' | 'CHARACTER' | 'ITEM';

/** A document that holds items, or for the source of a new item its own. */
export interface PlaceOf<Kind extends PlaceKind = PlaceKind> {
  kind: Kind;
  id: string;
}

/** Where items go. */
export interface Destination extends PlaceOf<'LOCATION' | 'CHARACTER'> {
  /** A container there. */
  inside: string | null;
  /** A character gets it only in this room. */
  room: string | null;
  /** A location takes it, however much is there. */
  is_unlimited?: boolean;
}

export interface Transit {
  call: string;
  /** The character who acts. Null for those who keep the world. */
  by: string | null;
  at: Date;
  until: Date;
  /** The item, then what is inside it. */
  items: ItemEntry[];
  /** Null if nothing but the happening goes anywhere. */
  to: Destination | null;
  /** What the destination pays to the source. */
  price: number;
  /** What the room is told. */
  tell: { room: string; happening: RoomHappening } | null;
  /** What the room that is the source is told if the destination refuses. */
  tell_back: RoomHappening | null;
  /** A character on its way, from the location that holds the transit, and the number of its move. */
  player?: Player;
  move?: number;
  /** The audit entry, if an administrator acts. */
  entry?: AuditDocument;
}
