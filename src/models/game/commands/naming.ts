/** Which thing, or who, is meant by what was typed. */
import { searchKey } from '../../../shared/search-key.js';
import { type ItemEntry, labelOf } from '../world/item-entry.js';
import type { Player } from '../world/player.js';

/** What a name may stand for. */
export interface Named<T> {
  readonly names: readonly string[];
  readonly value: T;
}

export type Found<T> =
  | { readonly kind: 'ONE'; readonly value: T }
  /** Things that do not look alike. */
  | { readonly kind: 'SEVERAL'; readonly values: readonly Named<T>[] }
  | { readonly kind: 'NONE' };

const ARTICLE = /^(the|an?|my|some) /;

/** As it is compared: keyboards of phones write other apostrophes, and who is in a hurry writes none. */
export const nameKey = (typed: string): string => searchKey(typed).replace(/['’]/g, '').replace(ARTICLE, '');

export const namedItem = (item: ItemEntry): Named<ItemEntry> => ({ names: [labelOf(item), item.name], value: item });
export const namedPlayer = (player: Player): Named<Player> => ({ names: [player.name], value: player });

/** A whole name counts more than some of its words. Of things that look alike it does not matter which one is meant: the first. */
export function findNamed<T>(typed: string, candidates: readonly Named<T>[]): Found<T> {
  const wanted = nameKey(typed);
  if (wanted === '') return { kind: 'NONE' };
  const whole = candidates.filter(({ names }) => names.some((name) => nameKey(name) === wanted));
  const found =
    whole.length > 0 ? whole : candidates.filter(({ names }) => names.some((name) => hasWords(name, wanted)));
  const [first] = found;
  if (!first) return { kind: 'NONE' };
  const differs = found.some(({ names }) => names[0] !== first.names[0]);
  return differs ? { kind: 'SEVERAL', values: found } : { kind: 'ONE', value: first.value };
}

function hasWords(name: string, wanted: string): boolean {
  const words = nameKey(name).split(' ');
  return wanted.split(' ').every((each) => words.includes(each));
}
