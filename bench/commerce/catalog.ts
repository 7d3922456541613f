/** Whether a catalog query costs more in a larger catalog. */
import type { Random } from '../../harness/random.js';
import { findCategoryWithChildren } from '../../src/models/commerce/catalog/category.js';
import { findProductsOfCategories } from '../../src/models/commerce/catalog/category-products.js';
import { findFacets, findPriceBands } from '../../src/models/commerce/catalog/facet.js';
import {
  findAlbums,
  findFilms,
  findProduct,
  findProducts,
  type ProductFilter,
} from '../../src/models/commerce/catalog/product-list.js';
import { type SearchSort, searchProducts } from '../../src/models/commerce/catalog/product-search.js';
import { completeTitle } from '../../src/models/commerce/catalog/product-title.js';
import type { Benchmark } from '../support/benchmark.js';
import { compareSizes, type Size, type SizedQuery } from '../support/sizes.js';
import {
  actorOf,
  fillCatalog,
  genreOf,
  kindOf,
  leafOf,
  makerOf,
  PRICE_MAX,
  rootOf,
  skuOf,
  wordOf,
} from './many-products.js';

const FIRST = 20;
const page = { first: FIRST, after: null };
const LATEST = 'LATEST';

const listed = (name: string, filterOf: (random: Random) => ProductFilter): SizedQuery => ({
  name,
  prepare: (db, random) => {
    const filter = filterOf(random);
    return () => findProducts(db, { filter }, page, LATEST);
  },
});
const priceFrom = (random: Random): ProductFilter => ({ price: { min: random.below(PRICE_MAX / 2), max: PRICE_MAX } });
const inCategory = (name: string, includeDescendants: boolean, slugOf: (random: Random) => string): SizedQuery => ({
  name,
  prepare: (db, random) => {
    const ids = [slugOf(random)];
    return () => findProductsOfCategories(db, ids, { includeDescendants, ...page, freshness: LATEST });
  },
});
const searched = (name: string, sort: SearchSort, textOf: (random: Random, size: Size) => string): SizedQuery => ({
  name,
  bounded: true,
  prepare: (db, random, size) => {
    const text = textOf(random, size);
    return () => searchProducts(db, { text, sort }, page, LATEST);
  },
});

const queries: readonly SizedQuery[] = [
  {
    name: 'a product',
    prepare: (db, random, size) => {
      const sku = skuOf(random.below(size));
      return () => findProduct(db, sku);
    },
  },
  listed('all, by SKU', () => ({})),
  listed('discount of at least N %', (random) => ({ discountAtLeast: random.below(40) })),
  listed('price range', priceFrom),
  {
    name: 'price range, second page',
    prepare: async (db, random) => {
      const filter = priceFrom(random);
      const { pageInfo } = await findProducts(db, { filter }, page, LATEST);
      return () => findProducts(db, { filter }, { first: FIRST, after: pageInfo.endCursor }, LATEST);
    },
  },
  listed('by type', (random) => ({ type: kindOf(random) })),
  listed('by genre', (random) => ({ genre: genreOf(random) })),
  listed('by property value', (random) => ({ property: { name: 'maker', value: makerOf(random) } })),
  {
    name: 'albums of a genre',
    prepare: (db, random) => {
      const genre = genreOf(random);
      return () => findAlbums(db, genre, page, LATEST);
    },
  },
  {
    name: 'films of an actor',
    prepare: (db, random) => {
      const actor = actorOf(random);
      return () => findFilms(db, actor, page, LATEST);
    },
  },
  {
    name: 'titles with a prefix',
    prepare: (db, random) => {
      const prefix = wordOf(random).slice(0, 3);
      return () => completeTitle(db, prefix, FIRST, LATEST);
    },
  },
  {
    name: 'a category with its children',
    prepare: (db, random) => {
      const slug = rootOf(random);
      return () => findCategoryWithChildren(db, slug);
    },
  },
  inCategory('in a category', false, leafOf),
  inCategory('in a category and its descendants', true, rootOf),
  {
    name: 'in ten categories at once',
    prepare: (db, random) => {
      const ids = [...new Set(Array.from({ length: 10 }, () => leafOf(random)))];
      return () =>
        findProductsOfCategories(db, ids, { includeDescendants: false, first: 2, after: null, freshness: LATEST });
    },
  },
  searched('search: a word in one title', 'RELEVANCE', (random, size) => String(random.below(size))),
  searched('search: a word in every 45th title', 'RELEVANCE', wordOf),
  searched('search: the same, newest first', 'ISSUED_DESC', wordOf),
  {
    name: 'facets: types, genres, prices, makers',
    bounded: true,
    prepare: (db) => () =>
      Promise.all([
        ...(['TYPE', 'GENRE'] as const).map((kind) => findFacets(db, kind, { first: FIRST }, LATEST)),
        findPriceBands(db, LATEST),
        findFacets(db, 'PROPERTY', { first: FIRST, name: 'maker' }, LATEST),
      ]),
  },
];

export const catalog: Benchmark = {
  name: 'catalog',
  title: 'A million products',
  run: (surroundings) =>
    compareSizes(surroundings, {
      things: 'products',
      query: 'catalog query',
      fill: fillCatalog,
      queries,
      notes: [
        'Bounded: a search ranks at most the first 10,000 matching products, so a word in more titles costs as much as one in 10,000 titles. Facets are one counter per value. Both are exempt from the goal.',
      ],
    }),
};
