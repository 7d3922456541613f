/** Products by words of their titles. */
import type { Db, Document } from 'mongodb';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../shared/connection.js';
import { InputError, LimitError } from '../../shared/errors.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import { type ProductDocument, products } from './product.js';
import { toPresentForm } from './product-form.js';
import { FIRST_MAX } from './product-list.js';
import { titleKey } from './product-title.js';

export type SearchSort = 'RELEVANCE' | 'ISSUED_DESC';

export interface ProductSearch {
  /** Words: a title has at least one of them. `"two words"` must stand together, and `-word` must not be there. */
  readonly text: string;
  /** Left out: of any. */
  readonly type?: string | null | undefined;
  readonly sort: SearchSort;
}

const TEXT_MAX = 200;
const SCORED_MAX = 10_000;
const MS_MAX = 5_000;
const MAX_TIME_EXPIRED = 50;

interface Found extends ProductDocument {
  /** What the result is sorted by, falling. */
  readonly rank: number;
}

/** Products without a day come last. */
const ISSUED = { $toDouble: { $ifNull: ['$details.issued_on', -1e15] } };

/**
 * How many of the words a title has; of equals the shorter title fits better. The database's own score would make it read all that
 * match before the first is answered.
 */
const fitOf = (text: string): Document => ({
  $subtract: [
    {
      $size: {
        $setIntersection: [{ $split: ['$title_key', ' '] }, { $literal: titleKey(text).split(/[^\p{L}\p{N}]+/u) }],
      },
    },
    { $divide: [{ $strLenCP: '$title_key' }, TITLE_LENGTH_UNREACHED] },
  ],
});
const TITLE_LENGTH_UNREACHED = 10_000; // so that a title's length never weighs as much as a word

/**
 * A rank cannot be in an index, so at most the first 10,000 products that match are ranked: a word that more titles have gives some of
 * them, not the best.
 * @throws InputError @throws LimitError `first` is over 200, or it took 5 s @throws CursorError
 */
export async function searchProducts(
  db: Db,
  { text, type, sort }: ProductSearch,
  { first, after }: PageInput,
  freshness: Freshness,
): Promise<Connection<ProductDocument>> {
  requireFirst(first, FIRST_MAX);
  if (text.trim().length === 0 || text.length > TEXT_MAX)
    throw new InputError('text', `must have 1 to ${TEXT_MAX} characters`);
  const list = `search ${JSON.stringify([text, type, sort])}`;
  const pipeline: Document[] = [
    { $match: { $text: { $search: text }, ...(type != null && { type }) } },
    { $limit: SCORED_MAX },
    { $addFields: { rank: sort === 'RELEVANCE' ? fitOf(text) : ISSUED } },
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
    .catch((error: { code?: number }) => {
      if (error.code !== MAX_TIME_EXPIRED) throw error;
      throw new LimitError(`Too many titles have these words: they took more than ${MS_MAX} ms`, MS_MAX);
    });
  return toConnection(
    found.map((product) => ({ ...toPresentForm(product), rank: product.rank })),
    first,
    ({ rank: position, _id }) => encodePosition(list, [position, _id]),
  );
}
