/** The classes in words. */
import type { CharacterClass, PlayerRole } from '../../../generated/graphql.js';

export const classWords: Readonly<Record<CharacterClass, { readonly name: string; readonly meaning: string }>> = {
  WARRIOR: { name: 'Warrior', meaning: 'Strong. Carries the most, and armor suits you.' },
  MAGE: { name: 'Mage', meaning: 'Clever, with the most mana.' },
  ROGUE: { name: 'Rogue', meaning: 'Nimble, and never where one looks.' },
  CLERIC: { name: 'Cleric', meaning: 'Charming, with some mana.' },
};

export const classes = Object.entries(classWords).map(([value, words]) => ({
  value: value as CharacterClass,
  ...words,
}));

export const roleWords: Readonly<Record<PlayerRole, string>> = {
  PERSON: 'Player',
  SHOPKEEPER: 'Shopkeeper',
  FOLK: 'Folk',
};
