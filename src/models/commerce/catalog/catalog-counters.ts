/** The counters of the catalog: facets, and the number of products in each category including its descendants. */
import type { ClientSession, Db } from 'mongodb';
import { updateInTransaction } from '../../../database/index.js';
import { categories } from './category.js';
import { type FacetKey, facets, facetsOf } from './facet.js';
import type { ProductDocument } from './product.js';

/** The fields of a product that are counted. */
export type Counted = Pick<ProductDocument, 'type' | 'details' | 'pricing' | 'properties' | 'category_tree_ids'>;

export interface CountedChange {
  /** Null if it did not exist or was not counted. */
  readonly before: Counted | null;
  readonly after: Counted | null;
}

/**
 * Adjusts the counters to the changes. Call it in the transaction of the change.
 * It writes every category that gains or loses a product, so it conflicts with a concurrent removal of that category.
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

/** Categories that do not exist are ignored. */
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
