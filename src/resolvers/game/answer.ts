/** What is read of a character for the answer of an act: in a crowded room a screen has 70 kB, of which most clients ask for a number. */
import type { GraphQLResolveInfo } from 'graphql';
import { selectedPaths } from '../support/selection.js';

/** Large parts of a character's document, and the fields of `Character` that show something of them. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  inventory: ['inventory', 'armor', 'weapons'],
  'location.description': ['location.description'],
  'location.exits': ['location.exits'],
  'location.players': ['location.players', 'happenings.who.isOnline'],
  'location.inventory': ['location.items'],
  happenings: ['happenings'],
  'happenings.at': ['happenings.at'],
  'happenings.kind': ['happenings.kind'],
  'happenings.who': ['happenings.who'],
  'happenings.text': ['happenings.text'],
};

/** @returns the projection of what the client does not ask for: 0 for each such part */
export function answerOf(info: GraphQLResolveInfo): Record<string, 0> {
  const paths = selectedPaths(info);
  const isShown = (part: string) => shownBy[part]?.some((path) => paths.has(path)) ?? true;
  const hasOwn = (part: string) => part === 'happenings' || !part.startsWith('happenings.') || isShown('happenings');
  const hidden = Object.keys(shownBy).filter((part) => hasOwn(part) && !isShown(part));
  return Object.fromEntries(hidden.map((part) => [part, 0 as const]));
}
