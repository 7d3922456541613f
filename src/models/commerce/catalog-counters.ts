/** The counters of the catalog: facets, and how many products each category and those below it have. */
import type { ClientSession, Db } from 'mongodb';
import { updateInTransaction } from '../../database/index.js';
import { categories } from './category.js';
import { type FacetKey, facets, facetsOf } from './facet.js';
import type { ProductDocument } from './product.js';

/** What of a product is counted. */
export type Counted = Pick<ProductDocument, 'type' | 'details' | 'pricing' | 'properties' | 'category_tree_ids'>;

export interface CountedChange {
  /** Null: it was not there, or not counted. */
  readonly before: Counted | null;
  readonly after: Counted | null;
}

/**
 * Moves the counters by what has changed. Call it in the transaction of the change.
 * A category that gains or loses a product is written by it, so whoever removes it at the same time is in conflict with this.
 */
export async function moveCounters(db: Db, session: ClientSession, changes: readonly CountedChange[]): Promise<void> {
  const ofFacets = new Map<string, { key: FacetKey; count: number }>();
  const ofCategories = new Map<string, number>();
  const count = (counted: Counted | null, by: 1 | -1) => {
    if (!counted) return;
    for (const key of facetsOf(counted)) {
      ofFacets.set(key._id, { key, count: (ofFacets.get(key._id)?.count ?? 0) + by });
    }
    for (const id of counted.category_tree_ids) ofCategories.set(id, (ofCategories.get(id) ?? 0) + by);
  };
  for (const { before, after } of changes) {
    count(before, -1);
    count(after, 1);
  }
  await addToFacets(db, session, [...ofFacets.values()]);
  await addToCategories(
    db,
    session,
    [...ofCategories].map(([id, by]) => ({ id, count: by })),
  );
}

export async function addToFacets(
  db: Db,
  session: ClientSession,
  changes: readonly { readonly key: FacetKey; readonly count: number }[],
): Promise<void> {
  const updates = changes
    .filter(({ count }) => count !== 0)
    .map(({ key: { _id, ...key }, count }) => ({
      q: { _id },
      u: { $inc: { count }, $setOnInsert: key },
      upsert: true,
    }));
  await updateInTransaction(db, facets.collectionName, updates, session);
}

/** A category that is not there counts nothing. */
export async function addToCategories(
  db: Db,
  session: ClientSession,
  changes: readonly { readonly id: string; readonly count: number }[],
): Promise<void> {
  const updates = changes
    .filter(({ count }) => count !== 0)
    .map(({ id, count }) => ({ q: { _id: id }, u: { $inc: { product_count: count } }, upsert: false }));
  await updateInTransaction(db, categories.collectionName, updates, session);
}
