/** Titles as they are completed and searched: who types `bjork` finds `Björk`. */
import type { Db } from 'mongodb';
import { beginningWith } from '../../database/index.js';
import { requireFirst } from '../../shared/connection.js';
import { InputError } from '../../shared/errors.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import { type ProductDocument, products } from './product.js';

/** A title without marks, in lower case, compatible characters made one (NFKD). */
export function titleKey(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase() // what NFKD takes apart may have capitals: ™ becomes TM
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The words of a title, and of what somebody searches: runs of letters and digits of its key. What lies between them is in no word, so
 * `Zorg (kettle)` has the words of `zorg kettle`. Both are split here and nowhere else: a word of a title is found by that word.
 */
export const titleWords = (text: string): string[] => [...new Set(titleKey(text).match(/[\p{L}\p{N}]+/gu))];

export type CompletedTitle = Pick<ProductDocument, '_id' | 'title'>;

const FIRST_MAX = 50;
const PREFIX_LENGTH_MAX = 100;

/**
 * Titles that begin with a text, whatever the case and the accents, in the order of their keys.
 * @throws InputError the prefix is empty or over 100 characters @throws LimitError `first` is over 50
 */
export function completeTitle(
  db: Db,
  prefix: string,
  first: number,
  freshness: Freshness,
): Promise<readonly CompletedTitle[]> {
  requireFirst(first, FIRST_MAX);
  const key = titleKey(prefix);
  if (key.length === 0 || prefix.length > PREFIX_LENGTH_MAX)
    throw new InputError('prefix', `must have 1 to ${PREFIX_LENGTH_MAX} characters that titles can begin with`);
  return products(db)
    .find({ title_key: beginningWith(key) }, { projection: { title: 1 }, readPreference: readPreferenceOf[freshness] })
    .sort({ title_key: 1, _id: 1 })
    .limit(first)
    .toArray();
}
