/** Products in an old form: read as if they had the current one, and migrated in the background. */
import { randomUUID } from 'node:crypto';
import type { Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildIndexes } from '../../../src/database/index.js';
import { findCatalogViolations } from '../../../src/models/commerce/catalog/catalog-invariants.js';
import { findCategory } from '../../../src/models/commerce/catalog/category.js';
import { moveCategory } from '../../../src/models/commerce/catalog/category-change.js';
import { findFacets } from '../../../src/models/commerce/catalog/facet.js';
import { migrateProducts } from '../../../src/models/commerce/catalog/product-form.js';
import { findAlbums, findProduct } from '../../../src/models/commerce/catalog/product-list.js';
import { searchProducts } from '../../../src/models/commerce/catalog/product-search.js';
import { completeTitle } from '../../../src/models/commerce/catalog/product-title.js';
import { restock } from '../../../src/models/commerce/orders/inventory.js';
import { repairHolds } from '../../../src/models/commerce/orders/inventory-repair.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { expectNoViolations } from '../shop.js';
import { add, anAlbum, emptyCatalog, save } from './catalog-support.js';

const test = useDatabase();
beforeEach(() => emptyCatalog(test.db));

/** A product in the form of the source pattern. */
const old = (sku: string, categoryIds: string[] = []) => ({
  _id: sku,
  type: 'AUDIO_ALBUM',
  title: 'A Löve Supreme',
  pricing: { currency: 'EUR', list: 1200, retail: 1100, savings: 100, pct_savings: 8 },
  details: { artist: 'John Coltrane', genre: ['Jazz'], issue_date: new Date('1965-01-01'), tracks: [] },
  category_ids: categoryIds,
  qty: 3,
});
const insert = (...documents: Document[]) => test.db.collection('products').insertMany(documents as never);

describe('a product in the old form', () => {
  it('is read as if it had the current form', async () => {
    await insert(old('OLD'));
    expect(await findProduct(test.db, 'OLD')).toMatchObject({
      title_key: 'a love supreme',
      title_words: ['a', 'love', 'supreme'],
      details: { artist: 'John Coltrane', genres: ['Jazz'], issued_on: new Date('1965-01-01') },
      properties: [],
      category_tree_ids: [],
      qty: 3,
      carted: [],
      sold: 0,
      stocked: 3,
    });
  });

  it('is found by every index and counted once it is migrated; its stock is kept', async () => {
    const music = await add(test.db, 'music');
    const jazz = await add(test.db, 'jazz', 'music');
    await insert(old('OLD', [jazz._id]));
    await save(test.db, anAlbum('NEW'));
    expect(await migrateProducts(test.db)).toBe(1);
    expect(await migrateProducts(test.db)).toBe(0);
    const { edges } = await findAlbums(test.db, 'Jazz', { first: 5 }, 'LATEST');
    expect(edges.map(({ node }) => node._id)).toEqual(['NEW', 'OLD']);
    expect(await completeTitle(test.db, 'a love', 5, 'LATEST')).toHaveLength(1);
    expect(await findProduct(test.db, 'OLD')).toMatchObject({
      category_tree_ids: [jazz._id, music._id],
      qty: 3,
      stocked: 3,
      version: 3,
    });
    expect(await findCategory(test.db, 'music')).toMatchObject({ product_count: 1 });
    expect(await findFacets(test.db, 'GENRE', { first: 5 }, 'LATEST')).toMatchObject([{ value: 'Jazz', count: 2 }]);
    for await (const violation of findCatalogViolations(test.db)) expect(violation).toBeNull();
  });

  it('is migrated once by two concurrent workers, in batches of a hundred', async () => {
    await insert(...Array.from({ length: 150 }, (_, n) => old(`OLD-${n}`)));
    await Promise.all([migrateProducts(test.db), migrateProducts(test.db)]);
    while ((await migrateProducts(test.db)) > 0);
    expect(await findFacets(test.db, 'TYPE', { first: 5 }, 'LATEST')).toMatchObject([{ count: 150 }]);
  });

  it('is counted when it is saved before its migration', async () => {
    await insert(old('OLD'));
    await save(test.db, anAlbum('OLD'));
    expect(await findFacets(test.db, 'TYPE', { first: 5 }, 'LATEST')).toMatchObject([{ count: 1 }]);
    expect(await findProduct(test.db, 'OLD')).toMatchObject({ qty: 3, carted: [], sold: 0, stocked: 3, version: 3 });
    await expectNoViolations(test.db);
  });

  it('has its complete stock before and after its migration, including holds and units added meanwhile', async () => {
    const hold = { cart_id: 'of the source', qty: 2, timestamp: new Date() };
    await insert({ ...old('A'), carted: [hold] }, { ...old('B'), carted: [hold] }, old('C'));
    await expectNoViolations(test.db);
    await restock(test.db, testAct(), { call: 'one', sku: 'C', quantity: 4 });
    await save(test.db, anAlbum('A'));
    while ((await migrateProducts(test.db)) > 0);
    expect(await findProduct(test.db, 'A')).toMatchObject({ qty: 3, sold: 0, stocked: 5 });
    expect(await findProduct(test.db, 'B')).toMatchObject({ qty: 3, sold: 0, stocked: 5 });
    expect(await findProduct(test.db, 'C')).toMatchObject({ qty: 7, sold: 0, stocked: 7 });
    await repairHolds(test.db, new Date(Date.now() + 1000), new Date());
    expect(await findProduct(test.db, 'A')).toMatchObject({ qty: 5, carted: [], stocked: 5 });
    await expectNoViolations(test.db);
  });
});

describe('a product in the form without title words', () => {
  const findLove = () =>
    searchProducts(test.db, { text: 'supreme', sort: 'RELEVANCE' }, { first: 5, after: null }, 'LATEST');

  beforeEach(async () => {
    await add(test.db, 'music');
    await save(test.db, { ...anAlbum('LP'), title: 'A Löve (Supreme)', categories: ['music'] });
    await restock(test.db, testAct(), { call: randomUUID(), sku: 'LP', quantity: 4 }); // unique, because tests do not empty the audit trail
    await test.db.collection('products').updateOne({}, { $set: { version: 2 }, $unset: { title_words: '' } });
  });

  it('is read with them and found by them after its migration; it is always counted once', async () => {
    expect(await findProduct(test.db, 'LP')).toMatchObject({ title_words: ['a', 'love', 'supreme'] });
    await expectNoViolations(test.db);
    expect(await migrateProducts(test.db)).toBe(1);
    expect(await migrateProducts(test.db)).toBe(0);
    expect((await findLove()).edges.map(({ node }) => node._id)).toEqual(['LP']);
    expect(await findFacets(test.db, 'TYPE', { first: 5 }, 'LATEST')).toMatchObject([{ count: 1 }]);
    expect(await findCategory(test.db, 'music')).toMatchObject({ product_count: 1 });
    expect(await findProduct(test.db, 'LP')).toMatchObject({ qty: 4, stocked: 4, version: 3 });
    await expectNoViolations(test.db);
  });

  it('is counted once when it is saved, or its category moves, before its migration', async () => {
    await add(test.db, 'all');
    await moveCategory(test.db, 'a test', 'music', 'all');
    expect(await findCategory(test.db, 'all')).toMatchObject({ product_count: 1 });
    await save(test.db, { ...anAlbum('LP'), categories: ['music'] });
    expect(await findFacets(test.db, 'TYPE', { first: 5 }, 'LATEST')).toMatchObject([{ count: 1 }]);
    expect(await findCategory(test.db, 'all')).toMatchObject({ product_count: 1 });
    await expectNoViolations(test.db);
  });
});

it('the former title index is dropped at startup', async () => {
  await test.db.collection('products').createIndex({ title: 'text' });
  await buildIndexes(test.db);
  await buildIndexes(test.db);
  const names = (await test.db.collection('products').indexes()).map(({ name }) => name);
  expect(names).not.toContain('title_text');
  expect(names).toContain('title_words_1__id_1');
});
