/** The catalog of an empty store, as sample data: its categories, then products with their stock, a list per step. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Db } from 'mongodb';
import { deleteInTransaction, updateInTransaction } from '../../../database/index.js';
import type { SeedStep } from '../../seed.js';
import { actOfSeed } from '../../system/work/seed.js';
import { WorkFailure } from '../../work.js';
import { addProducts } from '../catalog/catalog.js';
import { moveCounters } from '../catalog/catalog-counters.js';
import { categories } from '../catalog/category.js';
import { addCategories, removeUnchanged } from '../catalog/category-change.js';
import { type ProductDocument, products } from '../catalog/product.js';
import { type ProductInput, readProduct } from '../catalog/product-input.js';
import { sampleCategories, sampleProducts } from './sample-catalog.js';
import type { SampleProduct } from './sample-product.js';

export async function isCatalogEmpty(db: Db): Promise<boolean> {
  const first = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
  return !(await products(db).findOne({}, first)) && !(await categories(db).findOne({}, first));
}

export const catalogSteps = (currency: string): readonly SeedStep[] => [
  categoryStep,
  ...sampleProducts.map((samples) => productStep(samples, currency)),
];

const categoryStep: SeedStep = {
  fill: async ({ db }) => {
    // Repeatable: a slug that is taken is from an earlier run.
    for (const outcome of await addCategories(db, randomUUID(), sampleCategories))
      if ('message' in outcome && !isSlugTaken(outcome)) throw new WorkFailure(outcome.message);
    return undefined;
  },
  takeBack: async (held) => ({ kept: await removeUnchanged(held.db, randomUUID(), actOfSeed(held), sampleCategories) }),
};

const isSlugTaken = (outcome: object): boolean => '__typename' in outcome && outcome.__typename === 'CategorySlugTaken';

const productStep = (samples: readonly SampleProduct[], currency: string): SeedStep => ({
  fill:
    async ({ db }) =>
    async (session) => {
      const inputs = samples.map((sample) => inputOf(sample, currency));
      await addProducts(db, session, inputs, currency);
      await stockUp(db, session, samples);
    },
  takeBack: async ({ db }) => ({ write: (session) => removeProducts(db, session, samples, currency) }),
});

function inputOf({ product, price, listPrice }: SampleProduct, currency: string): ProductInput {
  const list = listPrice === undefined ? null : { amount: listPrice, currency };
  return { ...product, price: { amount: price, currency }, listPrice: list };
}

/** Guard: the transaction has just added the products. Both fields in one update, so that the sum holds. */
function stockUp(db: Db, session: ClientSession, samples: readonly SampleProduct[]): Promise<unknown> {
  const updates = samples
    .filter(({ units }) => units > 0)
    .map(({ product, units }) => ({
      q: { _id: product.sku },
      u: { $inc: { qty: units, stocked: units } },
      upsert: false,
    }));
  return updateInTransaction(db, products.collectionName, updates, session);
}

/**
 * Removes the products that are as they were added. Guard: the transaction's snapshot. A product that is put into a cart, sold or edited at
 * the same time conflicts with its deletion, and is read again.
 * @returns how many stay
 */
async function removeProducts(
  db: Db,
  session: ClientSession,
  samples: readonly SampleProduct[],
  currency: string,
): Promise<number> {
  const found = await products(db)
    .find({ _id: { $in: samples.map(({ product }) => product.sku) } }, { session })
    .toArray();
  const slugOf = await findSlugs(db, session, found);
  const sampleOf = new Map(samples.map((sample) => [sample.product.sku, sample]));
  const unchanged = found.filter((product) => {
    const sample = sampleOf.get(product._id);
    return sample && isAsAdded(product, sample, currency, slugOf);
  });
  const deletions = unchanged.map(({ _id }) => ({ q: { _id }, limit: 1 as const }));
  await deleteInTransaction(db, products.collectionName, deletions, session);
  await moveCounters(
    db,
    session,
    unchanged.map((before) => ({ before, after: null })),
  );
  return found.length - unchanged.length;
}

/** @returns the slugs by the ids of the categories that these products are assigned to */
async function findSlugs(
  db: Db,
  session: ClientSession,
  found: readonly ProductDocument[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(found.flatMap(({ category_ids }) => category_ids))];
  const named = await categories(db)
    .find({ _id: { $in: ids } }, { session, projection: { slug: 1 } })
    .toArray();
  return new Map(named.map(({ _id, slug }) => [_id, slug]));
}

function isAsAdded(
  product: ProductDocument,
  sample: SampleProduct,
  currency: string,
  slugOf: ReadonlyMap<string, string>,
): boolean {
  const { category_ids, category_tree_ids: _derived, qty, carted, sold, stocked, ...fields } = product;
  const added = readProduct(inputOf(sample, currency), currency);
  return (
    isDeepStrictEqual(
      { carted, sold, qty, stocked },
      { carted: [], sold: 0, qty: sample.units, stocked: sample.units },
    ) &&
    isDeepStrictEqual(fields, added.fields) &&
    isDeepStrictEqual(new Set(category_ids.map((id) => slugOf.get(id))), new Set(added.slugs))
  );
}
