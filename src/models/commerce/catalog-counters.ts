/** The counters of the catalog: facets, and how many products each category and those below it have. */
import type { ClientSession, Db } from 'mongodb';
import { updateInTransaction } from '../../database/index.js';
import { categories } from './category.js';
import { facets, facetsOf } from './facet.js';
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
  const ofFacets = new Map<string, { key: ReturnType<typeof facetsOf>[number]; count: number }>();
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
  const facetUpdates = [...ofFacets.values()]
    .filter(({ count: by }) => by !== 0)
    .map(({ key: { _id, ...key }, count: by }) => ({
      q: { _id },
      u: { $inc: { count: by }, $setOnInsert: key },
      upsert: true,
    }));
  const categoryUpdates = [...ofCategories]
    .filter(([, by]) => by !== 0)
    .map(([_id, by]) => ({ q: { _id }, u: { $inc: { product_count: by } }, upsert: false }));
  await updateInTransaction(db, facets.collectionName, facetUpdates, session);
  await updateInTransaction(db, categories.collectionName, categoryUpdates, session);
}
