/** Keywords: words that a page is about, and for which advertisers bid. */
import { requireVisible } from '../../../shared/visible-text.js';

const KEYWORD_LENGTH_MAX = 50;

/** As keywords are stored and compared. @throws InputError */
export const requireKeyword = (field: string, text: string): string =>
  requireVisible(field, text, KEYWORD_LENGTH_MAX).normalize('NFKC').toLowerCase();
