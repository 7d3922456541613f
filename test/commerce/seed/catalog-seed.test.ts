/** The sample catalog: filled in once, and taken back as far as nobody has changed it. */
import { afterEach, describe, expect, it } from 'vitest';
import { saveProducts } from '../../../src/models/commerce/catalog/catalog.js';
import { categories } from '../../../src/models/commerce/catalog/category.js';
import { addCategory, renameCategory } from '../../../src/models/commerce/catalog/category-change.js';
import { findFacets } from '../../../src/models/commerce/catalog/facet.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { carts } from '../../../src/models/commerce/orders/cart.js';
import { addToCart } from '../../../src/models/commerce/orders/cart-line.js';
import { restock } from '../../../src/models/commerce/orders/inventory.js';
import { catalogSteps } from '../../../src/models/commerce/seed/catalog-seed.js';
import { sampleCategories, sampleProducts } from '../../../src/models/commerce/seed/sample-catalog.js';
import { WorkFailure } from '../../../src/models/work.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { contentsOf, expectSound, repeated, useSeed } from '../../system/work/seed-support.js';
import { aProduct, CURRENCY, emptyCatalog, save } from '../catalog/catalog-support.js';
import { emptyCart } from '../crash-shop.js';

const database = useDatabase();
const seed = useSeed(database, 'commerce');
const samples = sampleProducts.flat();

afterEach(async () => {
  await carts(database.db).deleteMany({});
  await emptyCatalog(database.db);
});

const skus = async () => (await products(database.db).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
const slugs = async () => (await categories(database.db).find().toArray()).map(({ slug }) => slug).toSorted();

describe('the sample catalog', () => {
  it('fills an empty store with categories, products and stock', async () => {
    const done = await seed.fill();
    expect(done).toMatchObject({ state: 'FINISHED', done: 6, total: 6 });
    expect(await slugs()).toEqual(sampleCategories.map(({ slug }) => slug).toSorted());
    expect(await skus()).toEqual(samples.map(({ product }) => product.sku).toSorted());
    for (const { product, units } of samples)
      expect(await products(database.db).findOne({ _id: product.sku })).toMatchObject({
        title: product.title,
        qty: units,
        stocked: units,
        sold: 0,
        carted: [],
      });
    const [folk] = await categories(database.db).find({ slug: 'folk' }).toArray();
    expect(folk).toMatchObject({ product_count: 4, ancestors: [{ slug: 'music' }] });
    const types = await findFacets(database.db, 'TYPE', { first: 10 }, 'LATEST');
    expect(types.reduce((sum, { count }) => sum + count, 0)).toBe(samples.length);
    await expectSound(database.db);
  });

  it('is the same when each step is repeated, as after a crash', async () => {
    await seed.fill();
    const withoutIds = async () =>
      (await products(database.db).find().sort({ _id: 1 }).toArray()).map(
        ({ category_ids: _ids, category_tree_ids: _treeIds, ...product }) => product,
      );
    const once = await withoutIds();
    await emptyCatalog(database.db);
    const done = await seed.fill(repeated(catalogSteps(CURRENCY)));
    expect(done).toMatchObject({ state: 'FINISHED', done: 6 });
    expect(await withoutIds()).toEqual(once);
    expect(await slugs()).toHaveLength(sampleCategories.length);
    await expectSound(database.db);
  });

  it('leaves the store as it was before when it is undone, also if each step is repeated', async () => {
    const before = await contentsOf(database.db, seed.domain);
    for (const steps of [undefined, repeated(catalogSteps(CURRENCY))]) {
      const filled = await seed.fill(steps);
      const undone = await seed.undo(filled, steps);
      expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
      expect(undone.kept).toBeUndefined();
      expect(await contentsOf(database.db, seed.domain)).toEqual(before);
      await expectSound(database.db);
    }
  });

  it('is taken back from the step at which it failed', async () => {
    const before = await contentsOf(database.db, seed.domain);
    for (let failing = 0; failing < 6; failing += 1) {
      const steps = catalogSteps(CURRENCY).map((step, index) => ({
        ...step,
        fill: async (...held: Parameters<typeof step.fill>) => {
          const write = await step.fill(...held);
          if (index === failing) throw new WorkFailure('It fails here');
          return write;
        },
      }));
      const failed = await seed.fill(steps);
      expect(failed).toMatchObject({ state: 'FAILED', failure: 'It fails here', done: failing });
      expect(await seed.undo(failed)).toMatchObject({ state: 'UNDONE', done: 0 });
      expect(await contentsOf(database.db, seed.domain)).toEqual(before);
    }
  });
});

describe('undoing the sample catalog', () => {
  it('keeps what was changed, sold or put into a cart, with its categories', async () => {
    const filled = await seed.fill();
    const { db } = database;
    const act = testAct();
    await restock(db, act, { call: 'more', sku: 'NAV-3001', quantity: 1 });
    const book = samples.find(({ product }) => product.sku === 'BK-5001');
    if (!book) throw new Error('No such sample');
    const price = { amount: 100, currency: CURRENCY };
    await saveProducts(db, act, [{ ...book.product, price }], CURRENCY);
    const { _id: cart } = await emptyCart(db);
    await addToCart(db, { call: 'take', cartId: cart, sku: 'LP-1003', quantity: 2 }, new Date());
    await products(db).updateOne({ _id: 'DVD-2001' }, { $inc: { qty: -1, sold: 1 } });
    await renameCategory(db, 'a test', 'weather', { name: 'Wind and weather' });
    await addCategory(db, 'a test', { slug: 'globes', name: 'Globes', under: 'charts' });
    await save(db, aProduct('MINE', { categories: ['jazz'] }));

    const undone = await seed.undo(filled);
    expect(await skus()).toEqual(['BK-5001', 'DVD-2001', 'LP-1003', 'MINE', 'NAV-3001']);
    const kept = ['books', 'charts', 'electronic', 'films', 'instruments', 'jazz', 'music', 'navigation', 'voyages'];
    expect(await slugs()).toEqual([...kept, 'globes', 'weather'].toSorted());
    expect(undone).toMatchObject({ state: 'UNDONE', done: 0, kept: 4 + 10 });
    await expectSound(db);
  });

  it('keeps a product that is put into a cart at the same time, or removes it whole', async () => {
    const { db } = database;
    const filled = await seed.fill();
    const { _id: cart } = await emptyCart(db);
    const take = (sku: string) => addToCart(db, { call: `take ${sku}`, cartId: cart, sku, quantity: 1 }, new Date());
    const chosen = samples.filter(({ units }) => units > 0).map(({ product }) => product.sku);
    const [undone] = await Promise.all([seed.undo(filled), ...chosen.slice(0, 12).map(take)]);
    const found = await carts(db).findOne({ _id: cart });
    expect(await skus()).toEqual((found?.items ?? []).map(({ sku }) => sku).toSorted());
    expect(undone.state).toBe('UNDONE');
    await expectSound(db);
  });
});

describe('a product that somebody has added meanwhile', () => {
  it('ends the filling with a message, and stays', async () => {
    const steps = catalogSteps(CURRENCY);
    const [first, ...rest] = steps;
    if (!first) throw new Error('No steps');
    const adding = {
      ...first,
      fill: async (...held: Parameters<typeof first.fill>) => {
        await save(database.db, aProduct('NAV-3002'));
        return first.fill(...held);
      },
    };
    const failed = await seed.fill([adding, ...rest]);
    expect(failed).toMatchObject({ state: 'FAILED', failure: 'products.1.sku is taken by another product' });
    await seed.undo(failed);
    expect(await skus()).toEqual(['NAV-3002']);
    await expectSound(database.db);
  });
});
