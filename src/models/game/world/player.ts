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

export const doerOf = ({ _id, name, class: kind, role }: { readonly _id: string } & Omit<Doer, 'id'>): Doer => ({
  id: _id,
  name,
  class: kind,
  role,
});
