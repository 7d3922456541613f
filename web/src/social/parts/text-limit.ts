/** How long the texts of a post may be. The fields take more, so that nothing that is pasted is cut without a word. */
import { formatCount, formatCountOf } from '../../kit/base/format.js';

interface TextLimit {
  /** What is too long, and what has at most so many characters: the words of a sentence. */
  readonly text: string;
  readonly whole: string;
  /** The API's limit. */
  readonly max: number;
}

const ofPost: TextLimit = { text: 'text', whole: 'a post', max: 10_000 };
export const ofDescription: TextLimit = { text: 'description', whole: 'it', max: 1500 };

/** The share from which on the fields show the length. */
const NEAR = 0.9;

/** @returns that a text is too long, as a sentence, or null */
export function excessOf(written: string, { text, whole, max } = ofPost): string | null {
  const excess = written.trim().length - max;
  if (excess <= 0) return null;
  return `The ${text} is ${formatCountOf(excess, 'character')} too long: ${whole} has at most ${formatCount(max)}.`;
}

/** @returns how much of the length is used, or null far from the limit */
export function lengthNear(written: string, { max } = ofPost): string | null {
  const { length } = written.trim();
  return length < NEAR * max ? null : `${formatCount(length)} of ${formatCount(max)} characters`;
}
