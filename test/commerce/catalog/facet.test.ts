/** Facets are counters that follow every change of a product. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findCatalogViolations } from '../../../src/models/commerce/catalog/catalog-invariants.js';
import { repairCatalog } from '../../../src/models/commerce/catalog/catalog-repair.js';
import { categories } from '../../../src/models/commerce/catalog/category.js';
import { type FacetKind, facets, findFacets, findPriceBands } from '../../../src/models/commerce/catalog/facet.js';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { useDatabase } from '../../support/database.js';
import { add, anAlbum, aProduct, emptyCatalog, euros, save } from './catalog-support.js';

const test = useDatabase();
beforeEach(async () => {
  await emptyCatalog(test.db);
});

const counts = async (kind: FacetKind, name?: string) =>
  (await findFacets(test.db, kind, { first: 10, name }, 'LATEST')).map(({ value, count }) => [value, count]);

const violations = async () => {
  const found: string[] = [];
  for await (const { invariant } of findCatalogViolations(test.db)) found.push(invariant);
  return found;
};

const red = [{ name: 'colour', value: 'red' }];

describe('facets', () => {
  it('count types, genres, price bands and properties, highest count first', async () => {
    await save(
      test.db,
      anAlbum('A', { genres: ['Jazz', 'Bop'] }),
      anAlbum('B', { genres: ['Jazz'] }),
      aProduct('C', { price: euros(999), properties: [...red, ...red, { name: 'size', value: 'L' }] }),
      aProduct('D', { price: euros(100_000), properties: red }),
    );
    expect(await counts('TYPE')).toEqual([
      ['AUDIO_ALBUM', 2],
      ['BOOK', 2],
    ]);
    expect(await counts('GENRE')).toEqual([
      ['Jazz', 2],
      ['Bop', 1],
    ]);
    expect(await counts('PROPERTY')).toEqual([
      ['red', 2],
      ['L', 1],
    ]);
    expect(await counts('PROPERTY', 'size')).toEqual([['L', 1]]);
    expect(await findPriceBands(test.db, 'LATEST')).toEqual([
      { from: 0, below: 1000, count: 1 },
      { from: 1000, below: 2500, count: 2 },
      { from: 100_000, below: null, count: 1 },
    ]);
  });

  it('follow a replaced product, and stay the same when nothing changes', async () => {
    await save(test.db, aProduct('A', { properties: red }));
    await save(test.db, aProduct('A', { properties: red }));
    expect(await counts('PROPERTY')).toEqual([['red', 1]]);
    await save(test.db, aProduct('A', { type: 'GAME' }));
    expect(await counts('TYPE')).toEqual([['GAME', 1]]);
    expect(await counts('PROPERTY')).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it('are exact after 20 concurrent saves of the same five products', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        save(test.db, aProduct(`P-${n % 5}`, { properties: [{ name: 'n', value: String(n) }] })),
      ),
    );
    expect(await counts('TYPE')).toEqual([['BOOK', 5]]);
    expect(await violations()).toEqual([]);
  });
});

describe('the repair of the catalog', () => {
  it('finds nothing to do in a consistent catalog', async () => {
    await add(test.db, 'music');
    await save(test.db, aProduct('A', { categories: ['music'] }));
    expect(await repairCatalog(test.db, 'a test')).toEqual({ wrongCounters: 0 });
  });

  it('corrects wrong counters, paths and ancestors', async () => {
    await add(test.db, 'music');
    await add(test.db, 'jazz', 'music');
    await save(test.db, aProduct('A', { categories: ['jazz'], properties: red }), aProduct('B'));
    await facets(test.db).updateOne({ kind: 'TYPE' }, { $inc: { count: 5 } });
    await facets(test.db).deleteOne({ kind: 'PROPERTY' });
    await facets(test.db).insertOne({ _id: 'GENRE//Polka', kind: 'GENRE', name: '', value: 'Polka', count: 3 });
    await categories(test.db).updateOne({ slug: 'music' }, { $set: { product_count: 9 } });
    await categories(test.db).updateOne({ slug: 'jazz' }, { $set: { ancestors: [] } });
    await products(test.db).updateOne({ _id: 'A' }, { $set: { category_tree_ids: [] } });
    expect(new Set(await violations())).toEqual(
      new Set([
        'ancestors-follow-from-parents',
        'product-path-follows-from-categories',
        'catalog-count-is-number-of-products',
      ]),
    );
    await repairCatalog(test.db, 'a test');
    expect(await violations()).toEqual([]);
    expect(await counts('TYPE')).toEqual([['BOOK', 2]]);
    expect(await categories(test.db).findOne({ slug: 'music' })).toMatchObject({ product_count: 1 });
  });
});
