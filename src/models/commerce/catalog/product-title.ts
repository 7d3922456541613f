/** Titles for completion and search, by their keys. */
import type { Db } from 'mongodb';
import { beginningWith } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { requireFirst } from '../../../shared/page.js';
import { searchKey } from '../../../shared/search-key.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import { type ProductDocument, products } from './product.js';

/**
 * The words of a title or a search text: sequences of letters and digits in its key. Other characters only separate words, so
 * `Zorg (kettle)` has the same words as `zorg kettle`. Titles and search texts are both split here, so they always match.
 */
export const titleWords = (text: string): string[] => [...new Set(searchKey(text).match(/[\p{L}\p{N}]+/gu))];

export type CompletedTitle = Pick<ProductDocument, '_id' | 'title'>;

const FIRST_MAX = 50;
const PREFIX_LENGTH_MAX = 100;

/**
 * Titles that start with a text, ignoring case and accents, in the order of their keys.
 * @throws InputError the prefix is empty or exceeds 100 characters @throws LimitError `first` exceeds 50
 */
export function completeTitle(
  db: Db,
  prefix: string,
  first: number,
  freshness: Freshness,
): Promise<readonly CompletedTitle[]> {
  requireFirst(first, FIRST_MAX);
  const key = searchKey(prefix);
  if (key.length === 0 || prefix.length > PREFIX_LENGTH_MAX)
    throw new InputError('prefix', `must have 1 to ${PREFIX_LENGTH_MAX} characters that can occur in titles`);
  return products(db)
    .find({ title_key: beginningWith(key) }, { projection: { title: 1 }, readPreference: readPreferenceOf[freshness] })
    .sort({ title_key: 1, _id: 1 })
    .limit(first)
    .toArray();
}
