/**
 * Characters (`game.characters`): one document holds everything that a player's screen shows, including a copy of the room, so that it
 * takes one read. The document is also the player's live feed.
 * A character's id is its name as a search key, so the database itself keeps names unique, also across shards.
 * Source pattern: the location embedded in the character (online gaming), where the other players' copies are never updated.
 */
import type { Db } from 'mongodb';
import { defineCollection, findInOrder } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import type { Happening } from './happening.js';
import type { ItemEntry, Slot } from './item-entry.js';
import type { Room } from './location.js';
import type { CharacterClass, PlayerRole } from './player.js';
import type { Transit } from './transit.js';

export interface CharacterDocument {
  _id: string;
  name: string;
  /** What the name looks like. Absent in those of earlier versions, until `findLooks` (`character-looks.ts`) adds it. */
  looks?: string[];
  class: CharacterClass;
  role: PlayerRole;
  /** The user. Null if it belongs to the world. */
  owner: string | null;
  intrinsics: { strength: number; dexterity: number; intelligence: number; charisma: number };
  health: number;
  mana: number;
  gold: number;
  /** With how much it was created, for the invariant. */
  gold_start: number;
  armor: { id: string; region: Slot }[];
  weapons: { id: string; hand: Slot }[];
  inventory: ItemEntry[];
  /** Of the inventory, in grams. */
  weight: number;
  weight_max: number;
  /** The id of the call that has created it. Absent in characters of earlier versions. */
  creation?: string;
  /** A copy of the room. */
  location: Room;
  /**
   * The number of the last move, by which repair recognizes a move that is done. 0 until it is in its first room; the moves of two characters
   * never have the same number.
   */
  moves: number;
  happenings: Happening[];
  /** It has missed what was before: more happened than a room keeps, and its copy was older. Absent if it has missed nothing. */
  heard_since?: Date;
  /** The number of a happening, less its ordinal in the room. */
  offset: number;
  /** The latest acts that are done, so that a retry does not repeat them. */
  calls: string[];
  /** When each of them was noted. Earlier releases did not note it. */
  calls_at?: Date[];
  transits: Transit[];
  muted_until?: Date;
  /** It is being deleted, and does nothing any more. */
  leaving_since?: Date;
  /** The first call that deletes it. */
  leaving_call?: string;
  created_at: Date;
}

export const characters = defineCollection<CharacterDocument>('game.characters', [
  { key: { owner: 1, _id: 1 } }, // findOwnCharacters
  { key: { looks: 1 } }, // createCharacter, findLooks
  { key: { 'location._id': 1, _id: 1 } }, // room-copy.ts
  { key: { 'inventory.id': 1 } }, // findPlace
  { key: { 'transits.call': 1, 'transits.until': 1 } }, // findTransit, repair
  { key: { leaving_since: 1 }, partialFilterExpression: { leaving_since: { $exists: true } } }, // repair of deletions
]);

export const CALLS_KEPT = 50;
export const CARRIED_MAX = 100;
export const CHARACTERS_MAX = 5; // of a person

/** How much the clocks of two processes may differ. */
export const CLOCKS_DIFFER_MS = 5000;

/** Whether a time is before another one, also if these are times of two processes. */
export const isLongBefore = (one: Date, other: Date): boolean => one.getTime() < other.getTime() - CLOCKS_DIFFER_MS;

/** For an update with stages: notes a call as done. */
export const withCall = (call: string) => ({
  calls: { $slice: [{ $concatArrays: ['$calls', [{ $literal: call }]] }, -CALLS_KEPT] },
  calls_at: { $slice: [{ $concatArrays: [{ $ifNull: ['$calls_at', []] }, ['$$NOW']] }, -CALLS_KEPT] },
});

/** Whether a call that began at a time, by the clock of a process, may have been noted and forgotten. */
export const mayHaveForgotten = (
  { calls, calls_at: at = [] }: Pick<CharacterDocument, 'calls' | 'calls_at'>,
  begun: Date,
): boolean => calls.length >= CALLS_KEPT && (at.length < CALLS_KEPT || !isLongBefore(at[0] ?? begun, begun));

export type CharacterNotFound = Refusal<'CharacterNotFound'>;
export const characterNotFound = (): CharacterNotFound =>
  refuse('CharacterNotFound', 'You have no character with this id');

/** What the key of a call remembers of the character with which it was answered (`Brief`). */
export const briefOfCharacter = (_id: string): { readonly character: string } => ({ character: _id });

export function findCharacter(db: Db, id: string): Promise<CharacterDocument | null> {
  return characters(db).findOne({ _id: id });
}

/** @param owner null for any owner */
export async function findCharacterOf(db: Db, owner: string | null, id: string): Promise<CharacterDocument | null> {
  const character = await findCharacter(db, id);
  return character && (owner === null || character.owner === owner) ? character : null;
}

/** By name. */
export function findOwnCharacters(db: Db, owner: string): Promise<CharacterDocument[]> {
  return characters(db).find({ owner }).sort({ _id: 1 }).limit(CHARACTERS_MAX).toArray();
}

const FIRST_MAX = 100;

/** By name. @throws LimitError @throws CursorError */
export function findCharacters(db: Db, page: PageInput): Promise<Connection<CharacterDocument>> {
  requireFirst(page.first, FIRST_MAX);
  return findInOrder(characters(db), { list: 'game characters', by: '_id', filter: {} }, page);
}
