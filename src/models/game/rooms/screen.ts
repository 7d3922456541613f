/**
 * The screen of a player who is followed live: the character, and the room itself instead of the character's copy of it. So nobody waits
 * until the copies are up to date, which in a crowded room they are once in some seconds.
 */
import { type ChangeEvent, changedDocument } from '../../../database/index.js';
import type { CharacterDocument } from '../world/character.js';
import { HAPPENINGS_MAX } from '../world/happening.js';
import type { Room } from '../world/location.js';
import { type Hearing, happeningsAfter, heardBy, isHeardBy } from './hearing.js';
import { copyOf } from './room-copy.js';

/** The part of a location that is shown, and what was heard there. Never modified. */
export type ShownRoom = Room & Hearing;

/** The part of a character that is followed. Never modified. */
export type ShownCharacter = Omit<CharacterDocument, 'location'>;

/** @param room with the character in it; its happenings are those that the character's list may lack */
export function screenOf(character: ShownCharacter, room: ShownRoom): CharacterDocument {
  const happenings = [...character.happenings, ...newsOf(character, room)].slice(-HAPPENINGS_MAX);
  return { ...character, happenings, location: copyOf(room) };
}

function newsOf(character: ShownCharacter, room: Hearing) {
  const last = character.happenings.at(-1);
  if (!last) return []; // it begins with the one that it has come
  return happeningsAfter(room, last.number - character.offset)
    .filter((happening) => isHeardBy(character._id, happening))
    .map((happening) => heardBy(character, happening));
}

/** The versions after events, for the many players of one room who all apply the same ones. */
const applied = new WeakMap<ChangeEvent, { readonly version: number; readonly after: ShownRoom }>();

/** The room after an event. One object for all, which a room of 200 players would otherwise have 200 times. */
export function changedRoom(room: ShownRoom, event: ChangeEvent): ShownRoom {
  const known = applied.get(event);
  if (known?.version === room.version) return known.after;
  const after = changedDocument(room, event);
  applied.set(event, { version: room.version, after });
  return after;
}

/** Whether a character hears something that has happened between two versions of a room. */
export const isNewsFor = (id: string, before: Hearing, after: Hearing): boolean =>
  happeningsAfter(after, before.happened).some((happening) => isHeardBy(id, happening));
