/**
 * The schema versions ("forms") of products. A document in an old form is read as if it had the current one, and is migrated in the
 * background. Until then, indexes on new fields do not contain it.
 *
 * Form 1, from the source pattern: one `genre` list and `issue_date` in `details`; no title key, no ancestor categories, no properties,
 * and stock only if it was set. It has no `version`, and counts toward no facet or category.
 * Form 2: no title words, so a search does not find it.
 */

import type { Db, Document } from 'mongodb';
import { commitConcernOf, inTransaction, updateInTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { searchKey } from '../../../shared/search-key.js';
import { moveCounters } from './catalog-counters.js';
import { findTreeIds } from './category.js';
import { COUNTED_VERSION, PRODUCT_VERSION, type ProductDetails, type ProductDocument, products } from './product.js';
import { titleWords } from './product-title.js';

/** The document in its current form. */
export function toPresentForm(document: ProductDocument): ProductDocument {
  if (document.version >= PRODUCT_VERSION) return document;
  const counted = isCounted(document) ? document : fromFirstForm(document);
  return { ...counted, title_words: titleWords(counted.title), version: PRODUCT_VERSION };
}

/** Whether facets and categories count it, and its stock is complete. */
export const isCounted = ({ version }: Pick<ProductDocument, 'version'>): boolean => version >= COUNTED_VERSION;

/** The stock fields of the inventory. `stocked` is always computed from the others, even if the document has it. */
export function stockOfFirstForm({ qty = 0, carted = [], sold = 0 }: Partial<ProductDocument>) {
  const held = carted.reduce((sum, hold) => sum + hold.qty, 0);
  return { qty, carted, sold, stocked: qty + held + sold };
}

function fromFirstForm({ details = {}, ...document }: Partial<ProductDocument> & Document): ProductDocument {
  const { genre, issue_date, ...others } = details as Document;
  const present: ProductDetails = {
    ...others,
    ...(genre && { genres: [genre].flat() }),
    ...(issue_date && { issued_on: issue_date }),
  };
  const category_ids = document.category_ids ?? [];
  return {
    properties: [],
    category_tree_ids: category_ids,
    ...document,
    ...stockOfFirstForm(document),
    category_ids,
    details: present,
    title: document.title ?? '',
    title_key: searchKey(document.title ?? ''),
  } as unknown as ProductDocument;
}

const BATCH_MAX = 100;

/** Migrates up to 100 products to the current form, and counts them. @returns how many; 0 when none are left */
export async function migrateProducts(db: Db): Promise<number> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const old = await products(db)
      .find({ version: { $not: { $gte: PRODUCT_VERSION } } }, { session, limit: BATCH_MAX })
      .toArray();
    if (old.length === 0) return 0;
    const treeIdsOf = await findTreeIds(db, session, new Set(old.flatMap(({ category_ids = [] }) => category_ids)));
    const changes = old.map((before) => {
      const after = toPresentForm(before);
      return isCounted(before)
        ? { before, after }
        : { before: null, after: { ...after, category_tree_ids: treeIdsOf(after.category_ids) } };
    });
    await updateInTransaction(
      db,
      products.collectionName,
      // Guard: the transaction's snapshot. A product changed meanwhile causes a conflict, and the transaction is retried.
      changes.map(({ after: { _id, ...fields } }) => ({ q: { _id }, u: { $set: fields }, upsert: false })),
      session,
    );
    await moveCounters(db, session, changes);
    return changes.length;
  });
  if (value > 0) failpoint('catalog.products-migrated');
  return value;
}

/** Migrates all products to the current form. @returns how many had an old one */
export async function migrateAllProducts(db: Db): Promise<number> {
  let all = 0;
  for (let some = await migrateProducts(db); some > 0; some = await migrateProducts(db)) all += some;
  return all;
}
