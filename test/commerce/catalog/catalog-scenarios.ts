/** The catalog while the process dies: the next process finishes a tree change, and a batch of products is all or nothing. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { letWorkersRun } from '../../crash/workers.js';
import { add, aProduct, save } from './catalog-support.js';

const MOVE =
  'mutation { moveCategory(slug: "jazz", under: "records") { __typename ... on Category { slug ancestors { slug } } } }';
const moved = { data: { moveCategory: { __typename: 'Category', slug: 'jazz', ancestors: [{ slug: 'records' }] } } };

/** music > jazz > bebop, and records; 250 products in bebop, which are two batches. */
export const categoryMove: Scenario<void> = {
  failpoints: {
    'category.lease-taken': 1,
    'category.tree-claimed': 1,
    'category.truth-changed': 1,
    'category.ancestors-derived': 1,
    'category.products-derived': 1,
    'category.work-finished': 1,
    'category.tree-left': 1,
    'category.lease-released': 1,
  },
  async act(product, db) {
    await add(db, 'music');
    await add(db, 'jazz', 'music');
    await add(db, 'bebop', 'jazz');
    await add(db, 'records');
    await save(db, ...Array.from({ length: 250 }, (_, n) => aProduct(`P-${n}`, { categories: ['bebop'] })));
    expect(await answerOrNull(product.request(MOVE))).toBeNull();
  },
  async judge(product, db) {
    expect(await product.request(MOVE)).toMatchObject(moved); // finishes what was started, or starts
    const count = async (slug: string) => (await db.collection('categories').findOne({ slug }))?.product_count;
    expect(await Promise.all(['music', 'records', 'bebop'].map(count))).toEqual([0, 250, 250]);
  },
};

const saved = (product: ProductClient) =>
  product.request('mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }', {
    products: Array.from({ length: 250 }, (_, n) => aProduct(`P-${n}`, { categories: ['music'] })),
  });

export const productsSaved: Scenario<void> = {
  failpoints: { 'catalog.batch-saved': 1 },
  async act(product, db) {
    await add(db, 'music');
    expect(await answerOrNull(saved(product))).toBeNull();
  },
  async judge(product, db) {
    const stored = () => db.collection('products').countDocuments();
    const [music] = await db.collection('categories').find().toArray();
    expect(await stored()).toBe(200);
    expect(music?.product_count).toBe(200);
    expect(await saved(product)).toMatchObject({ data: { saveProducts: { saved: 250 } } });
    expect(await stored()).toBe(250);
  },
};

const old = (db: Db) => db.collection('products').countDocuments({ version: { $exists: false } });

export const productsMigrated: Scenario<void> = {
  failpoints: { 'catalog.products-migrated': 1 },
  async leave(db) {
    const pricing = { currency: 'EUR', list: 2, retail: 1, savings: 1, pct_savings: 50 };
    const documents = Array.from({ length: 150 }, (_, n) => ({ _id: `P-${n}`, type: 'BOOK', title: 'Old', pricing }));
    await db.collection('products').insertMany(documents as never);
  },
  async judge(_product, db) {
    await letWorkersRun(db);
    expect(await old(db)).toBe(0);
    expect(await db.collection('catalog.facets').findOne({ kind: 'TYPE' })).toMatchObject({ count: 150 });
  },
};

/** The list is stored with its claims; what it no longer has is found within a week. */
export const imagesChanged: Scenario<void> = {
  failpoints: { 'product.images-changed': 1 },
  async act(product, db) {
    await save(db, aProduct('P'));
    expect(await answerOrNull(product.request(NO_IMAGES))).toBeNull();
  },
  async judge(product, db) {
    expect(
      (await db.collection<{ _id: string; image_ids?: string[] }>('products').findOne({ _id: 'P' }))?.image_ids,
    ).toEqual([]);
    expect(await product.request(NO_IMAGES)).toMatchObject({
      data: { changeProductImages: { __typename: 'GeneralProduct' } },
    });
  },
};
const NO_IMAGES = 'mutation { changeProductImages(sku: "P", imageIds: []) { __typename } }';
