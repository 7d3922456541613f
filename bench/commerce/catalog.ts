/**
 * Whether a catalog query costs more in a larger catalog. Each query alternates between 10,000 and a million products,
 * with pages of the same size. Measures its time and the index keys that the database reads.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
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
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { percentile, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
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

const SMALL = 10_000;
const LARGE = 1_000_000;
const sizes = [SMALL, LARGE] as const;
type Size = (typeof sizes)[number];

const TURNS = 100; // per query, size and round
const SAMPLES = 20; // runs per query whose keys are counted
const RATIO_MAX = 1.5;
const FIRST = 20;
const page = { first: FIRST, after: null };
const LATEST = 'LATEST';

/** A query with its arguments, ready to run. */
type Ask = () => Promise<unknown>;

interface Query {
  readonly name: string;
  /** The cost may grow with the number of matches, up to a bound: measured, but exempt from the goal. */
  readonly bounded?: true;
  prepare(db: Db, random: Random, size: Size): Ask | Promise<Ask>;
}

const listed = (name: string, filterOf: (random: Random) => ProductFilter): Query => ({
  name,
  prepare: (db, random) => {
    const filter = filterOf(random);
    return () => findProducts(db, { filter }, page, LATEST);
  },
});
const priceFrom = (random: Random): ProductFilter => ({ price: { min: random.below(PRICE_MAX / 2), max: PRICE_MAX } });
const inCategory = (name: string, includeDescendants: boolean, slugOf: (random: Random) => string): Query => ({
  name,
  prepare: (db, random) => {
    const ids = [slugOf(random)];
    return () => findProductsOfCategories(db, ids, { includeDescendants, ...page, freshness: LATEST });
  },
});
const searched = (name: string, sort: SearchSort, textOf: (random: Random, size: Size) => string): Query => ({
  name,
  bounded: true,
  prepare: (db, random, size) => {
    const text = textOf(random, size);
    return () => searchProducts(db, { text, sort }, page, LATEST);
  },
});

const queries: readonly Query[] = [
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
  async run(surroundings) {
    const client = await MongoClient.connect(surroundings.mongodbUri, { writeConcern: { w: 'majority' } });
    const prefix = `sextant_bench_${randomBytes(4).toString('hex')}`;
    const databases = new Map(sizes.map((size) => [size, client.db(`${prefix}_${size}`)]));
    try {
      for (const [size, db] of databases) {
        await fillCatalog(db, size);
        surroundings.log(`${size} products are stored`);
      }
      return await compare(databases, surroundings);
    } finally {
      for (const db of databases.values()) await db.dropDatabase();
      await client.close();
    }
  },
};

const cell = ({ name }: Query, size: Size) => `${name}, ${size}`;

async function compare(databases: ReadonlyMap<Size, Db>, { rounds, scale, log }: Surroundings): Promise<Findings> {
  const [times, keys] = [new Rounds(), new Rounds()];
  for (const query of queries) {
    for (const [size, db] of databases) keys.add(cell(query, size), await countKeys(db, query, size));
    for (let round = 0; round <= rounds; round += 1) {
      const taken = await time(databases, query, makeRandom(round), Math.ceil(TURNS * scale));
      if (round > 0) for (const [size, ms] of taken) times.add(cell(query, size), percentile(ms, 0.5));
    }
    log(`${query.name} done`);
  }
  return findings(times, keys, rounds);
}

/** The sizes alternate, query by query. @returns milliseconds */
async function time(databases: ReadonlyMap<Size, Db>, query: Query, random: Random, turns: number) {
  const taken = new Map<Size, number[]>(sizes.map((size) => [size, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [size, db] of databases) {
      const ask = await query.prepare(db, random, size);
      const sent = performance.now();
      await ask();
      taken.get(size)?.push(performance.now() - sent);
    }
  }
  return taken;
}

/** @returns index keys that the database reads per query, from its profiler; the mean of SAMPLES runs */
async function countKeys(db: Db, query: Query, size: Size): Promise<number> {
  const random = makeRandom(1);
  const asks: Ask[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) asks.push(await query.prepare(db, random, size));
  await db.command({ profile: 2 });
  for (const ask of asks) await ask();
  await db.command({ profile: 0 });
  const [sum] = await db
    .collection('system.profile')
    .aggregate<{ keys: number }>([{ $group: { _id: null, keys: { $sum: '$keysExamined' } } }])
    .toArray();
  await db.collection('system.profile').drop();
  return (sum?.keys ?? Number.NaN) / SAMPLES;
}

function findings(times: Rounds, keys: Rounds, rounds: number): Findings {
  const ratioOf = (figures: Rounds, query: Query) => figures.ratio(cell(query, LARGE), cell(query, SMALL));
  const held = queries.filter(({ bounded }) => !bounded);
  const verdict = (what: string, figures: Rounds): Verdict => {
    const worst = held.reduce((left, right) => (ratioOf(figures, right) > ratioOf(figures, left) ? right : left));
    return {
      row: `${what} of each catalog query, 1,000,000 products`,
      against: 'the same with 10,000 products',
      measured: ratioOf(figures, worst),
      bound: 'at most',
      goal: RATIO_MAX,
      unit: ' times',
      remark: `highest: ${worst.name}`,
    };
  };
  return {
    verdicts: [verdict('time', times), verdict('keys examined', keys)],
    tables: [
      {
        columns: ['query', 'ms at 10,000', 'ms at 1,000,000', 'ratio', 'keys at 10,000', 'keys at 1,000,000', 'ratio'],
        rows: queries.map((query) => [
          query.name + (query.bounded ? ' (bounded)' : ''),
          ...[times, keys].flatMap((figures) =>
            [...sizes.map((size) => figures.median(cell(query, size))), ratioOf(figures, query)].map(format),
          ),
        ]),
      },
    ],
    notes: [
      `Pages of ${FIRST}, read by the models' functions in this process, one caller, random arguments; the two catalogs alternate. Medians of ${TURNS} queries in each round, over ${roundsOf(rounds)}. Keys are counted by the database's profiler, the mean of ${SAMPLES} queries.`,
      'Bounded: a search ranks at most the first 10,000 matching products, so a word in more titles costs as much as one in 10,000 titles. Facets are one counter per value. Both are exempt from the goal.',
    ],
  };
}
