/** The text of a comment, as somebody has written it. */
import { InputError } from '../../../shared/errors.js';

export const TEXT_LENGTH_MAX = 10_000;

const LINES = /\r\n?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** @returns the text with plain line ends, without white space around it @throws InputError */
export function requireCommentText(text: string): string {
  const trimmed = text.replace(LINES, '\n').trim();
  if (trimmed.length < 1 || trimmed.length > TEXT_LENGTH_MAX)
    throw new InputError('text', `must have 1 to ${TEXT_LENGTH_MAX} characters`);
  if (CONTROL.test(trimmed))
    throw new InputError('text', 'must not have control characters besides tabs and line ends');
  return trimmed;
}
