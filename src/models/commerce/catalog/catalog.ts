/**
 * Saving products: inserts them, or replaces them by SKU, in batches. A batch is one transaction over the products and the counters
 * derived from them, so it is stored completely or not at all, and a retry changes nothing more. Stock is never touched.
 */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import {
  type Attempt,
  commitConcernOf,
  inTransaction,
  stepOnce,
  unkeyed,
  updateInTransaction,
} from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Act, type Deed, recordActs } from '../../people/audit.js';
import { type CountedChange, moveCounters } from './catalog-counters.js';
import { categories } from './category.js';
import { type Pricing, type ProductDocument, products } from './product.js';
import { isCounted, stockOfFirstForm } from './product-form.js';
import { type CatalogFields, OPTIONAL_FIELDS, type ProductInput, readProduct } from './product-input.js';

export interface SavedProducts {
  readonly saved: number;
  /** Sorted by position. */
  readonly rejected: readonly RejectedItem[];
}

interface Item {
  readonly fields: CatalogFields;
  readonly slugs: readonly string[];
}

const PRODUCTS_MAX = 1000;
const BATCH_MAX = 200; // a cart that needs one of these products waits for about 20 ms instead of a second

/**
 * Saves products independently of each other: a product that is invalid or names an unknown category does not affect the others.
 * Of two products with the same SKU the later one wins.
 * @param act for the audit trail, which records changed prices
 * @param currency the store's currency
 * @param attempt guard: a retry does not write over what somebody else has saved since
 * @throws LimitError more than 1000 products @throws BusyError too many concurrent writers; products saved so far are kept
 */
export async function saveProducts(
  db: Db,
  act: Act,
  inputs: readonly ProductInput[],
  currency: string,
  attempt: Attempt = unkeyed(randomUUID(), act.at),
): Promise<SavedProducts> {
  if (inputs.length > PRODUCTS_MAX)
    throw new LimitError(`At most ${PRODUCTS_MAX} products are allowed per request`, PRODUCTS_MAX);
  const checked = checkEach(inputs, (input): Item => readProduct(input, currency));
  const rejected: RejectedItem[] = [];
  let saved = 0;
  for (let start = 0; start < checked.accepted.length; start += BATCH_MAX) {
    const batch = checked.accepted.slice(start, start + BATCH_MAX);
    const save = (session: ClientSession) =>
      stepOnce(db, session, { attempt, index: start / BATCH_MAX }, async () => {
        const { rejected, deeds } = await saveBatch(db, session, batch);
        await recordActs(db, session, act, deeds);
        return rejected;
      });
    const outcome = await inTransaction(
      db,
      commitConcernOf.MAJORITY,
      save,
      { retryDuplicateKeys: true }, // concurrent calls with the same new product, or the first product of a facet
    );
    failpoint('catalog.batch-saved');
    rejected.push(...outcome.value.map((item) => ({ ...item, index: start + item.index })));
    saved += batch.length - outcome.value.length;
  }
  return { saved, rejected: allRejected(checked, rejected) };
}

/**
 * Adds products that do not exist yet in the transaction of the caller.
 * @throws InputError one is invalid, has no category, or already exists
 */
export async function addProducts(
  db: Db,
  session: ClientSession,
  inputs: readonly ProductInput[],
  currency: string,
): Promise<void> {
  const batch = inputs.map((input): Item => readProduct(input, currency));
  const skus = batch.map(({ fields }) => fields._id);
  const taken = await products(db).findOne({ _id: { $in: skus } }, { session, projection: { _id: 1 } });
  if (taken) throw new InputError(`products.${skus.indexOf(taken._id)}.sku`, 'is taken by another product');
  const { rejected } = await saveBatch(db, session, batch);
  const [first] = rejected;
  if (first) throw new InputError(`products.${first.index}.categories`, `cannot be used: ${first.message}`);
}

interface SavedBatch {
  /** The products whose categories do not exist, by their position in the batch. */
  readonly rejected: RejectedItem[];
  /** The changed prices. */
  readonly deeds: Deed[];
}

async function saveBatch(db: Db, session: ClientSession, batch: readonly Item[]): Promise<SavedBatch> {
  const pathOf = await findPaths(db, session, new Set(batch.flatMap(({ slugs }) => slugs)));
  const rejected: RejectedItem[] = [];
  const latest = new Map<string, { fields: CatalogFields; paths: readonly (readonly string[])[] }>();
  for (const [index, { fields, slugs }] of batch.entries()) {
    const at = slugs.findIndex((slug) => !pathOf.has(slug));
    if (at === -1) latest.set(fields._id, { fields, paths: slugs.map((slug) => pathOf.get(slug) ?? []) });
    else
      rejected.push({ index, code: 'NOT_FOUND', message: `categories.${at}: no category has the slug ${slugs[at]}` });
  }
  const after = [...latest.values()].map(({ fields, paths }) => ({
    ...fields,
    category_ids: paths.flatMap(([id]) => id ?? []),
    category_tree_ids: [...new Set(paths.flat())],
  }));
  const stored = await findStored(db, session, [...latest.keys()]);
  const changes = after.map(
    (product): CountedChange => ({ before: stored.counted.get(product._id) ?? null, after: product }),
  );
  const updates = after.map((product) => saving(product, stored.firstStock.get(product._id)));
  await updateInTransaction(db, products.collectionName, updates, session);
  await moveCounters(db, session, changes);
  const deeds = after.flatMap((product) => priceChange(stored.pricing.get(product._id), product) ?? []);
  return { rejected, deeds };
}

/** @returns null for a new product or an unchanged price */
function priceChange(before: Pricing | undefined, { _id, pricing }: CatalogFields): Deed | null {
  if (!before || before.retail === pricing.retail) return null;
  const detail = `${before.retail} ${pricing.currency} ${pricing.retail} ${pricing.currency}`;
  return { action: 'PRICE_CHANGED', subject: _id, detail };
}

/** @returns by slug: the category's id, then those of its ancestors */
async function findPaths(
  db: Db,
  session: ClientSession,
  slugs: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (slugs.size === 0) return new Map();
  const found = await categories(db)
    .find({ slug: { $in: [...slugs] } }, { session, projection: { slug: 1, 'ancestors._id': 1, removing: 1 } })
    .toArray();
  return new Map(
    found
      .filter(({ removing }) => !removing)
      .map(({ _id, slug, ancestors }) => [slug, [_id, ...ancestors.map((ancestor) => ancestor._id)]]),
  );
}

type StockFields = Pick<ProductDocument, 'qty' | 'carted' | 'sold' | 'stocked'>;

/** @returns of existing products: the prices, the counted fields, and the stock of those in form 1, which are not counted */
async function findStored(db: Db, session: ClientSession, skus: string[]) {
  const projection = { type: 1, details: 1, pricing: 1, properties: 1, category_tree_ids: 1, version: 1 };
  const found = await products(db)
    .find({ _id: { $in: skus } }, { session, projection })
    .toArray();
  const counted = new Map(found.filter(isCounted).map((product) => [product._id, product]));
  const firstStock = new Map<string, StockFields>();
  const first = found.filter((product) => !isCounted(product)).map(({ _id }) => _id);
  if (first.length > 0) {
    const stocks = products(db).find({ _id: { $in: first } }, { session, projection: { qty: 1, carted: 1, sold: 1 } });
    for await (const product of stocks) firstStock.set(product._id, stockOfFirstForm(product));
  }
  const pricing = new Map(found.map((product) => [product._id, product.pricing]));
  return { pricing, counted, firstStock };
}

/**
 * Guard: only catalog fields are set, so concurrent changes of the stock are kept. For a product in form 1, the complete stock is set
 * as well. There, concurrent changes conflict with the transaction, which is then retried.
 */
function saving({ _id, ...fields }: Omit<ProductDocument, keyof StockFields>, firstStock?: StockFields) {
  const absent = OPTIONAL_FIELDS.filter((field) => fields[field] === undefined);
  return {
    q: { _id },
    u: {
      $set: { ...fields, ...firstStock },
      ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((field) => [field, ''])) }),
      ...(!firstStock && { $setOnInsert: { qty: 0, carted: [], sold: 0, stocked: 0 } }),
    },
    upsert: true,
  };
}
