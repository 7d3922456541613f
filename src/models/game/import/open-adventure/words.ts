/** The words for directions. Motions have several, and the game compares five letters only, so its files have them cut. */
import { z } from 'zod';
import type { ReadLine } from '../rows/world-row.js';

const motionLine = z.object({ id: z.string(), words: z.array(z.string()).nullable() });

/** Of the words of the game that are cut, the whole ones. */
const WHOLE: ReadonlyMap<string, string> = new Map(
  'upstream downstream forest continue onward forward return retreat valley stairs outside building stream cobbles inward inside surface nowhere passage tunnel canyon awkward upward ascend downward descend outdoors barren across debris broken examine describe slabroom depression entrance secret bedquilt plover oriental cavern reservoir office'
    .split(' ')
    .map((word) => [word.slice(0, 5), word] as const),
);
const POINTS: ReadonlyMap<string, string> = new Map([
  ['ne', 'northeast'],
  ['se', 'southeast'],
  ['sw', 'southwest'],
  ['nw', 'northwest'],
]);

/** Which word of an exit is shown: the first of these, or else the first of the file. */
const SHOWN_FIRST = 'north south east west northeast northwest southeast southwest up down in out'.split(' ');

export const isMotion = ({ fields }: ReadLine): boolean => 'words' in fields && !('inventory' in fields);

/** What is known of the words of a file. Words that no motion has stand for themselves. */
export class Words {
  readonly #motionOf = new Map<string, string>();
  readonly #wordsOf = new Map<string, readonly string[]>();

  constructor(lines: readonly ReadLine[]) {
    for (const { fields } of lines) {
      const read = motionLine.safeParse(fields);
      if (!read.success) continue;
      const words = (read.data.words ?? []).map((word) => word.toLowerCase());
      this.#wordsOf.set(read.data.id, words);
      for (const word of words) if (!this.#motionOf.has(word)) this.#motionOf.set(word, read.data.id);
    }
  }

  /** The motion that a verb of a room stands for. */
  motionOf(verb: string): string {
    return this.#motionOf.get(verb.toLowerCase()) ?? verb;
  }

  /** Of some motions: the whole words, and the short ones of the file, without repetitions. The one to show comes first. */
  namesOf(motions: readonly string[]): string[] {
    const cut = motions.flatMap((motion) => this.#wordsOf.get(motion) ?? [motion.toLowerCase()]);
    const whole = cut.map((word) => WHOLE.get(word) ?? POINTS.get(word) ?? word);
    const shown = SHOWN_FIRST.find((word) => whole.includes(word));
    return [...new Set([...(shown === undefined ? [] : [shown]), ...whole, ...cut])];
  }
}
