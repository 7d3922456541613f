/** Keywords: words that a page is about, and for which advertisers bid. */
import { InputError } from '../../../shared/errors.js';
import { requireVisible } from '../../../shared/visible-text.js';

const KEYWORD_LENGTH_MAX = 50;

/** As keywords are stored and compared: a ligature counts as the letters that it stands for. @throws InputError names what was sent */
export function requireKeyword(field: string, text: string): string {
  const visible = requireVisible(field, text, KEYWORD_LENGTH_MAX);
  return requireVisible(field, visible.normalize('NFKC').toLowerCase(), KEYWORD_LENGTH_MAX); // it may have become longer
}

/** Whether it can be a keyword. What cannot is nobody's. */
export function isKeyword(text: string): boolean {
  try {
    requireKeyword('', text);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
