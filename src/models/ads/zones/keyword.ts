/** Keywords: words that a page is about, and for which advertisers bid. */
import { InputError } from '../../../shared/errors.js';
import { requireVisible } from '../../../shared/visible-text.js';

const KEYWORD_LENGTH_MAX = 50;

/** As keywords are stored and shown: a ligature counts as the letters that it stands for. @throws InputError names what was sent */
export function requireKeyword(field: string, text: string): string {
  const visible = requireVisible(field, text, KEYWORD_LENGTH_MAX);
  const plain = visible.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  return requireVisible(field, plain, KEYWORD_LENGTH_MAX); // it may have become longer
}

/** As keywords are compared, without regard to case: `straße` is `STRASSE`. @param keyword as it is stored */
export const foldKeyword = (keyword: string): string => keyword.toUpperCase().toLowerCase().normalize('NFKC');

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
