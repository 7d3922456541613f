/**
 * The forms that products have had. A document of an old form is read as if it had the present one, and given it in the background;
 * until then the indexes on new fields do not know it.
 *
 * Form 1, the source's: one `genre` list and `issue_date` in `details`; no key of the title, no categories above its own, no
 * properties, and stock only where somebody has set it. It has no `version`, and counts for no facet and no category.
 * Form 2: no words of the title, so a search does not find it.
 */
import type { Db, Document } from 'mongodb';
import { commitConcernOf, inTransaction, updateInTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { moveCounters } from './catalog-counters.js';
import { findTreeIds } from './category.js';
import { COUNTED_VERSION, PRODUCT_VERSION, type ProductDetails, type ProductDocument, products } from './product.js';
import { titleKey, titleWords } from './product-title.js';

/** The document in its present form. */
export function toPresentForm(document: ProductDocument): ProductDocument {
  if (document.version >= PRODUCT_VERSION) return document;
  const counted = isCounted(document) ? document : fromFirstForm(document);
  return { ...counted, title_words: titleWords(counted.title), version: PRODUCT_VERSION };
}

/** Whether facets and categories count it, and its stock is whole. */
export const isCounted = ({ version }: Pick<ProductDocument, 'version'>): boolean => version >= COUNTED_VERSION;

/** What the inventory counts by. What was ever brought in follows from the rest, whatever the document says. */
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
    title_key: titleKey(document.title ?? ''),
  } as unknown as ProductDocument;
}

const BATCH_MAX = 100;

/** Gives up to 100 products the present form, and counts them. @returns how many; 0 when none is left */
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
      // Guard: the transaction's own snapshot; a product that somebody changes meanwhile is a conflict, and all is done again.
      changes.map(({ after: { _id, ...fields } }) => ({ q: { _id }, u: { $set: fields }, upsert: false })),
      session,
    );
    await moveCounters(db, session, changes);
    return changes.length;
  });
  if (value > 0) failpoint('catalog.products-migrated');
  return value;
}

/** Gives all products the present form. @returns how many had an old one */
export async function migrateAllProducts(db: Db): Promise<number> {
  let all = 0;
  for (let some = await migrateProducts(db); some > 0; some = await migrateProducts(db)) all += some;
  return all;
}
