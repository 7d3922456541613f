/** The text of a comment, as somebody has written it. */
import { InputError } from '../../../shared/errors.js';
import { requireLines } from '../../../shared/visible-text.js';

export const TEXT_LENGTH_MAX = 10_000;

/** @returns the text with plain line ends, without white space around it @throws InputError */
export function requireCommentText(given: string): string {
  const text = requireLines('text', given, TEXT_LENGTH_MAX);
  if (text === '') throw new InputError('text', 'must not be empty');
  return text;
}
