/**
 * What a character hears of what happens in its room. A happening has an ordinal in its room: the first is 1. Its number for a character
 * is the ordinal plus the character's `offset`, which changes only when it enters another room. So the number does not depend on when
 * the happening gets to the character, or on which way: by a copy of the room, or live.
 */
import type { Document } from 'mongodb';
import { type CharacterDocument, isLongBefore } from '../world/character.js';
import { HAPPENINGS_KEPT, type Happening, type RoomHappening } from '../world/happening.js';
import type { LocationDocument } from '../world/location.js';
import { TURN_MS } from '../world/transit.js';

export type Hearing = Pick<LocationDocument, 'happened' | 'happenings'>;

/** A room as a step of an act has left it, with what has happened lately. */
export type Told = Pick<LocationDocument, '_id' | 'version' | 'happened' | 'happenings' | 'transits'> & {
  /** Whether the one who acts was in the room when it was told. Absent if nobody asked. */
  readonly has_doer?: boolean;
};

/**
 * The projection of `Told`.
 * @param since the ordinal of the last happening that is known: only later ones are read, and no more than are kept
 * @param doer the character who acts, if it may have left the room
 */
export const toldSince = (since = 0, doer: string | null = null): Document => ({
  ...(doer !== null && { has_doer: { $in: [{ $literal: doer }, '$players.id'] } }),
  version: 1,
  happened: 1,
  happenings: {
    $slice: ['$happenings', { $min: [-1, { $max: [-HAPPENINGS_KEPT, { $subtract: [since, '$happened'] }] }] }],
  },
  transits: 1,
});

export interface OrdinalHappening extends RoomHappening {
  readonly ordinal: number;
}

/** Those with a greater ordinal, as far as they are kept. Default: all. */
export function happeningsAfter({ happened, happenings }: Hearing, after = 0): OrdinalHappening[] {
  const first = happened - happenings.length + 1;
  return happenings
    .slice(Math.max(0, after - first + 1))
    .map((happening, index, { length }) => ({ ...happening, ordinal: happened - length + index + 1 }));
}

/** @returns the ordinal of the last that a call has made happen: a move that was taken back may be done later; null if it is too long ago */
export const ordinalOf = (room: Hearing, call: string): number | null =>
  happeningsAfter(room).findLast((happening) => happening.call === call)?.ordinal ?? null;

/**
 * Whether everything that was told since a time comes behind a happening, or behind what was heard last. What an act tells with its last step
 * has the time at which its turn began, and may stand behind what has happened later.
 * @param at its time
 */
export const isBehind = (at: Date, since: Date): boolean => isLongBefore(new Date(at.getTime() + TURN_MS), since);

/** Whether a list has everything since a time. @param happenings of a room or of a character, oldest first */
export const reachesBack = (happenings: readonly Pick<Happening, 'at'>[], since: Date): boolean =>
  happenings.length < HAPPENINGS_KEPT || // nothing was ever removed
  isBehind(happenings[0]?.at ?? since, since);

/** @returns whether a character sees or hears it */
export const isHeardBy = (id: string, { is_private, who, to }: RoomHappening): boolean =>
  !is_private || who?.id === id || to === id;

/** In the words of a character. */
export const heardBy = (
  { _id, offset }: Pick<CharacterDocument, '_id' | 'offset'>,
  { call, ordinal, at, kind, who, text, own, to, to_text }: OrdinalHappening,
): Happening => ({
  ...(who?.id === _id && { call }),
  number: offset + ordinal,
  at,
  kind,
  who,
  text: who?.id === _id ? own : to === _id ? (to_text ?? '') : text,
});
