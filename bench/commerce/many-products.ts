/** A catalog of any size in its stored form, written with the raw driver. Deterministic for a given size. */
import type { Collection, Db } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { buildIndexes } from '../../src/database/index.js';
import { type CategoryDocument, categories } from '../../src/models/commerce/catalog/category.js';
import { type FacetDocument, facets, facetsOf } from '../../src/models/commerce/catalog/facet.js';
import {
  AUDIO_ALBUM,
  FILM,
  PRODUCT_VERSION,
  type ProductDocument,
  products,
} from '../../src/models/commerce/catalog/product.js';
import { titleWords } from '../../src/models/commerce/catalog/product-title.js';
import { searchKey } from '../../src/shared/search-key.js';

/** Few enough that each has more products than fit on a page, even in the smallest catalog. */
export const GENRES = 20;
export const ACTORS = 50;
export const MAKERS = 50;
export const LEAVES = 100;
const ROOTS = 10;
const KINDS = [AUDIO_ALBUM, AUDIO_ALBUM, FILM, FILM, 'BOOK', 'TOY', 'TOOL', 'GAME', 'LAMP', 'MAP'] as const;
/** Titles start with two of 90 words, so each word is in every 45th title: `lami lora 17`. */
const SYLLABLES = ['la', 'mi', 'ro', 'ta', 'ne', 'su', 'ko', 'pe', 'vi', 'da'] as const;
const ENDINGS = ['lo', 'ra', 'mi', 'te', 'nu', 'sa', 'ki', 'po', 've'] as const;
export const PRICE_MAX = 100_000;
const FIRST_DAY = Date.UTC(1970, 0, 1);
const DAYS = 20_000;
const DAY_MS = 86_400_000;
const BATCH = 5000;

export const skuOf = (number: number): string => `SKU-${String(number).padStart(7, '0')}`;
export const wordOf = (random: Random): string => `${random.pick(SYLLABLES)}${random.pick(ENDINGS)}`;
export const genreOf = (random: Random): string => `Genre ${random.below(GENRES)}`;
export const actorOf = (random: Random): string => `Actor ${random.below(ACTORS)}`;
export const makerOf = (random: Random): string => `Maker ${random.below(MAKERS)}`;
export const kindOf = (random: Random): string => random.pick(KINDS);
export const leafOf = (random: Random): string => `leaf-${random.below(LEAVES)}`;
export const rootOf = (random: Random): string => `root-${random.below(ROOTS)}`;

/** Stores `size` products with their categories and counters. Builds the indexes last, which is faster. */
export async function fillCatalog(db: Db, size: number): Promise<void> {
  const random = makeRandom(size);
  const tree = makeTree();
  const counted = new Map<string, FacetDocument>();
  const stored: Collection<ProductDocument> = products(db);
  for (let start = 0; start < size; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, size - start) }, (_, at) => makeProduct(start + at, random));
    for (const product of batch) count(product, tree, counted);
    await stored.insertMany(batch, { ordered: false, writeConcern: { w: 1 } });
  }
  await categories(db).insertMany([...tree.values()]);
  await facets(db).insertMany([...counted.values()]);
  await buildIndexes(db);
}

/** Ten roots with ten leaves each. A category's id is its slug. */
function makeTree(): Map<string, CategoryDocument> {
  const root = (number: number) => ({ _id: `root-${number}`, slug: `root-${number}`, name: `Root ${number}` });
  const roots = Array.from({ length: ROOTS }, (_, n) => ({
    ...root(n),
    parent: null,
    ancestors: [],
    product_count: 0,
  }));
  const leaves = Array.from({ length: LEAVES }, (_, n) => {
    const above = root(n % ROOTS);
    const slug = `leaf-${n}`;
    return { _id: slug, slug, name: `Leaf ${n}`, parent: above._id, ancestors: [above], product_count: 0 };
  });
  return new Map([...roots, ...leaves].map((category) => [category._id, category]));
}

function makeProduct(number: number, random: Random): ProductDocument {
  const type = kindOf(random);
  const title = `${wordOf(random)} ${wordOf(random)} ${number}`;
  const retail = 100 + random.below(PRICE_MAX);
  const list = retail + random.below(retail);
  const leaves = [...new Set([leafOf(random), leafOf(random)])];
  const roots = leaves.map((leaf) => `root-${Number(leaf.slice('leaf-'.length)) % ROOTS}`);
  return {
    _id: skuOf(number),
    type,
    title,
    title_key: searchKey(title),
    title_words: titleWords(title),
    description: 'A good thing to have. '.repeat(10),
    pricing: {
      currency: 'EUR',
      list,
      retail,
      savings: list - retail,
      pct_savings: Math.round(((list - retail) / list) * 10_000) / 100,
    },
    category_ids: leaves,
    category_tree_ids: [...new Set([...leaves, ...roots])],
    details: makeDetails(type, random),
    properties: [{ name: 'maker', value: makerOf(random) }],
    qty: 10,
    carted: [],
    sold: 0,
    stocked: 10,
    version: PRODUCT_VERSION,
  };
}

function makeDetails(type: string, random: Random): ProductDocument['details'] {
  const issued_on = new Date(FIRST_DAY + random.below(DAYS) * DAY_MS);
  if (type === AUDIO_ALBUM) return { artist: 'Somebody', genres: [genreOf(random)], issued_on };
  if (type === FILM) return { actors: [...new Set([actorOf(random), actorOf(random)])], issued_on };
  return {};
}

function count(
  product: ProductDocument,
  tree: ReadonlyMap<string, CategoryDocument>,
  counted: Map<string, FacetDocument>,
): void {
  for (const id of product.category_tree_ids) {
    const category = tree.get(id);
    if (category) category.product_count += 1;
  }
  for (const facet of facetsOf(product)) {
    const counter = counted.get(facet._id);
    if (counter) counter.count += 1;
    else counted.set(facet._id, { ...facet, count: 1 });
  }
}
