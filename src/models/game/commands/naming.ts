/** Which thing, or who, is meant by what was typed. */
import { searchKey } from '../../../shared/search-key.js';
import { type ItemEntry, labelOf } from '../world/item-entry.js';
import type { Player } from '../world/player.js';

/** What a name may stand for. */
export interface Named<T> {
  /** The first one is shown. */
  readonly names: readonly string[];
  readonly value: T;
}

export type Found<T> =
  | { readonly kind: 'ONE'; readonly value: T }
  /** Things that do not look alike. */
  | { readonly kind: 'SEVERAL'; readonly values: readonly Named<T>[] }
  | { readonly kind: 'NONE' };

const ARTICLE = /^(the|an?|my|some) /i;

const asShown = (text: string): string => text.normalize().replace(/\s+/g, ' ').trim();
/** Keyboards of phones write other apostrophes, and who is in a hurry writes none. */
const spelled = (text: string): string => searchKey(text).replace(/['’]/g, '');
const nameKey = (text: string): string => spelled(text).replace(ARTICLE, '');

export const namedItem = (item: ItemEntry): Named<ItemEntry> => ({ names: [labelOf(item), item.name], value: item });
export const namedPlayer = (player: Player): Named<Player> => ({ names: [player.name], value: player });

/** Whether something of these names is meant by what was typed. */
type Reading = (typed: string) => (names: readonly string[]) => boolean;

const same =
  (form: (text: string) => string): Reading =>
  (typed) => {
    const wanted = form(typed);
    return (names) => wanted !== '' && names.some((name) => form(name) === wanted);
  };
const sameLabel =
  (form: (text: string) => string): Reading =>
  (typed) => {
    const isSame = same(form)(typed);
    return (names) => isSame(names.slice(0, 1));
  };

/** The most exact one first: so everything can be meant by what is shown of it, whatever else is there. */
const WHOLE: readonly Reading[] = [
  sameLabel(asShown),
  sameLabel((text) => asShown(text).replace(ARTICLE, '')),
  sameLabel(spelled),
  sameLabel(nameKey),
  same(nameKey),
];

const hasWords =
  (form: (text: string) => string): Reading =>
  (typed) => {
    const wanted = form(typed).split(' ').filter(Boolean);
    return (names) =>
      wanted.length > 0 &&
      names.some((name) => {
        const words = form(name).split(' ');
        return wanted.every((each) => words.includes(each));
      });
  };

/** The ends of English words, and what stands for them: the same for singular and plural. The first that fits counts. */
const ENDS: readonly (readonly [RegExp, string])[] = [
  [/ss$/, 'ss'],
  [/(?<=..)(ie|ies)$/, 'y'], // berries
  [/(?<=..)(ves?|fe)$/, 'f'], // knives, gloves
  [/(?<=ch|sh|ss|[oxz])es?$/, ''], // torches, axes
  [/(?<=..)s$/, ''],
];

const singularWord = (word: string): string => {
  const [end, replaced] = ENDS.find(([each]) => each.test(word)) ?? [];
  return end && replaced !== undefined ? word.replace(end, replaced) : word;
};

/** Of several pieces, one has the singular and another the plural in mind, whichever the name has. */
const singular = (text: string): string => nameKey(text).split(' ').map(singularWord).join(' ');

/**
 * A whole name counts more than some of its words. Of things that look alike it does not matter which one is meant: the first.
 * @param groups in which it is looked for one after the other
 */
export const findNamed = <T>(typed: string, ...groups: readonly Named<T>[][]): Found<T> =>
  findBy([...WHOLE, hasWords(nameKey), same(singular), hasWords(singular)], typed, groups);

export const findWhole = <T>(typed: string, candidates: readonly Named<T>[]): Found<T> =>
  findBy(WHOLE, typed, [candidates]);

function findBy<T>(readings: readonly Reading[], typed: string, groups: readonly (readonly Named<T>[])[]): Found<T> {
  for (const reading of readings) {
    const isMeant = reading(typed);
    for (const candidates of groups) {
      const found = candidates.filter(({ names }) => isMeant(names));
      const [first] = found;
      if (first) return lookAlike(found) ? { kind: 'ONE', value: first.value } : { kind: 'SEVERAL', values: found };
    }
  }
  return { kind: 'NONE' };
}

const lookAlike = (found: readonly Named<unknown>[]): boolean =>
  new Set(found.map(({ names: [label = ''] }) => asShown(label))).size === 1;
