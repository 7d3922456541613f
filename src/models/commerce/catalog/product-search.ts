/** Searching products by words in their titles. */

import type { Db, Document } from 'mongodb';
import { isMaxTimeExpired } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { searchKey } from '../../../shared/search-key.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import { type ProductDocument, products } from './product.js';
import { toPresentForm } from './product-form.js';
import { FIRST_MAX } from './product-list.js';
import { searchOfTitles } from './title-search.js';

export type SearchSort = 'RELEVANCE' | 'ISSUED_DESC';

export interface ProductSearch {
  /** Words, as parsed by `searchOfTitles`. When sorted by relevance, the last one also matches as a prefix. */
  readonly text: string;
  /** If omitted, products of any type. */
  readonly type?: string | null | undefined;
  readonly sort: SearchSort;
}

const TEXT_MAX = 200;
const SCORED_MAX = 10_000;
const MS_MAX = 5_000;

interface Found extends ProductDocument {
  /** The sort key, descending. */
  readonly rank: number;
}

/** Products without a release date come last. */
const ISSUED = { $toDouble: { $ifNull: ['$details.issued_on', -1e15] } };

/**
 * Products whose titles match, by rank. No index can hold the rank, so only the first 10,000 matching products are ranked. If more match,
 * better ones may be missing from the result.
 * @throws InputError @throws LimitError `first` exceeds 200, or the search took 5 s @throws CursorError
 */
export async function searchProducts(
  db: Db,
  { text, type, sort }: ProductSearch,
  { first, after }: PageInput,
  freshness: Freshness,
): Promise<Connection<ProductDocument>> {
  requireFirst(first, FIRST_MAX);
  if (searchKey(text).length === 0 || text.length > TEXT_MAX)
    throw new InputError('text', `must have 1 to ${TEXT_MAX} characters that can occur in titles`);
  const { filter, fit } = searchOfTitles(text, sort === 'RELEVANCE');
  const list = `search ${JSON.stringify([text, type, sort])}`;
  const pipeline: Document[] = [
    { $match: { ...filter, ...(type != null && { type }) } },
    { $limit: SCORED_MAX },
    { $addFields: { rank: sort === 'RELEVANCE' ? fit : ISSUED } },
  ];
  if (after) {
    const [position, id] = decodePosition(list, after, ['number', 'string']) as [number, string];
    pipeline.push({ $match: { $or: [{ rank: { $lt: position } }, { rank: position, _id: { $gt: id } }] } });
  }
  pipeline.push({ $sort: { rank: -1, _id: 1 } }, { $limit: first + 1 });
  const options = { readPreference: readPreferenceOf[freshness], maxTimeMS: MS_MAX };
  const found = await products(db)
    .aggregate<Found>(pipeline, options)
    .toArray()
    .catch((error: unknown) => {
      if (!isMaxTimeExpired(error)) throw error;
      throw new LimitError(`Too many titles contain these words: the search took more than ${MS_MAX} ms`, MS_MAX);
    });
  return toConnection(
    found.map((product) => ({ ...toPresentForm(product), rank: product.rank })),
    first,
    ({ rank: position, _id }) => encodePosition(list, [position, _id]),
  );
}
