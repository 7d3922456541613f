/** How long the text of a post may be. The fields take more, so that nothing that is pasted is cut without a word. */
import { formatCount, formatCountOf } from '../../kit/base/format.js';

/** The API's limit. */
const TEXT_LENGTH_MAX = 10_000;
/** From here on, the fields show the length. */
const NEAR = 9_000;

/** @returns that a text is too long, as a sentence, or null */
export function excessOf(text: string): string | null {
  const excess = text.trim().length - TEXT_LENGTH_MAX;
  if (excess <= 0) return null;
  return `The text is ${formatCountOf(excess, 'character')} too long: a post has at most ${formatCount(TEXT_LENGTH_MAX)}.`;
}

/** @returns how much of the length is used, or null far from the limit */
export function lengthNear(text: string): string | null {
  const { length } = text.trim();
  return length < NEAR ? null : `${formatCount(length)} of ${formatCount(TEXT_LENGTH_MAX)} characters`;
}
