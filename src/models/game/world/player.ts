/** How others see a character. */

export type CharacterClass = 'WARRIOR' | 'MAGE' | 'ROGUE' | 'CLERIC';
export type PlayerRole = 'PERSON' | 'SHOPKEEPER' | 'FOLK';

/** Who does something. */
export interface Doer {
  id: string;
  name: string;
  class: CharacterClass;
  role: PlayerRole;
}

/** Somebody in a room. */
export interface Player extends Doer {
  is_online: boolean;
  /** The number of the move by which it came. Absent in entries of earlier versions. */
  move?: number;
}

/**
 * The condition that a character is in a room, and has neither been away since nor been deleted, so that somebody else has its name: the
 * moves of two characters never have the same number.
 * @param move by which it came. Not asked for in entries of earlier versions
 */
export const isPresent = (id: string, move: number | undefined) => ({
  players: { $elemMatch: { id, move: { $in: [move ?? null, null] as number[] } } },
});

export const doerOf = ({ _id, name, class: kind, role }: { readonly _id: string } & Omit<Doer, 'id'>): Doer => ({
  id: _id,
  name,
  class: kind,
  role,
});
