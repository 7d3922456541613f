/**
 * Data and request of the category page: the category, the path to its root, and 20 products with their categories.
 */
import { type Db, MongoClient, ObjectId } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { type CategoryDocument, categories } from '../../src/models/commerce/catalog/category.js';
import { PRODUCT_VERSION, type ProductDocument, products } from '../../src/models/commerce/catalog/product.js';
import type { Place } from '../support/contestants.js';

const CATEGORIES = 500;
const ROOTS = 10;
const BRANCHES = 90;
const PRODUCTS = 20_000;
const BATCH = 2000;

const QUERIES = {
  product: `query Page($slug: String!) { category(slug: $slug) { name ancestors { slug name }
    products(includeDescendants: false, first: 20) {
      edges { node { sku title listPrice { amount } price { amount } categories { slug name } } }
    } } }`,
  peer: `query Page($slug: String!) { category(slug: $slug) { name ancestors { slug name }
    products(first: 20) { sku title pricing { list retail } categories { slug name } } } }`,
};

/** For the product's schema, or for that of the peers and the floor. */
export function pageBody(whose: keyof typeof QUERIES, random: Random): object {
  return { operationName: 'Page', query: QUERIES[whose], variables: { slug: slugOf(random.below(CATEGORIES)) } };
}

interface Category {
  readonly number: number;
  /** Nearest first. */
  readonly ancestors: readonly number[];
}

interface Product {
  readonly number: number;
  readonly categories: readonly number[];
  readonly list: number;
  readonly retail: number;
}

/** The stored form: for the product and the floor, and for the peers, whose identifiers are ObjectIds. */
interface Form {
  category(category: Category): object;
  product(product: Product): object;
}

const slugOf = (category: number) => `category-${category}`;
const nameOf = (category: number) => `Category number ${category}`;
const skuOf = (product: number) => `SKU-${String(product).padStart(6, '0')}`;
const descriptionOf = () => 'A good thing to have. '.repeat(12);

const ours: Form = {
  category: ({ number, ancestors }): CategoryDocument => ({
    ...reference(slugOf(number), number),
    parent: ancestors[0] === undefined ? null : slugOf(ancestors[0]),
    ancestors: ancestors.map((ancestor) => reference(slugOf(ancestor), ancestor)),
    product_count: 0,
  }),
  product: ({ number, categories: numbers, list, retail }): ProductDocument => ({
    _id: skuOf(number),
    type: 'THING',
    title: `Product title number ${number}`,
    title_key: `product title number ${number}`,
    title_words: ['product', 'title', 'number', String(number)],
    description: descriptionOf(),
    pricing: { currency: 'EUR', list, retail, savings: list - retail, pct_savings: 0 },
    category_ids: numbers.map(slugOf),
    category_tree_ids: numbers.map(slugOf),
    details: {},
    properties: [],
    qty: 10,
    carted: [],
    sold: 0,
    stocked: 10,
    version: PRODUCT_VERSION,
  }),
};

const peers: Form = {
  category: ({ number, ancestors }) => ({
    ...reference(objectId('ca', number), number),
    ancestors: ancestors.map((ancestor) => reference(objectId('ca', ancestor), ancestor)),
  }),
  product: ({ number, categories: numbers, list, retail }) => ({
    _id: objectId('bb', number),
    sku: skuOf(number),
    type: 'THING',
    title: `Product title number ${number}`,
    pricing: { list, retail },
    category_ids: numbers.map((category) => objectId('ca', category)),
    details: { description: descriptionOf() },
  }),
};

const reference = <Id>(_id: Id, number: number) => ({ _id, slug: slugOf(number), name: nameOf(number) });
const objectId = (kind: string, number: number) => new ObjectId(kind + number.toString(16).padStart(22, '0'));

/** The product has already built its indexes; the peers get the ones that their queries need. */
export async function seedPages({ mongodbUri, database }: Place, whose: keyof typeof QUERIES): Promise<void> {
  const client = await MongoClient.connect(mongodbUri);
  const db = client.db(database);
  if (whose === 'peer') await buildPeerIndexes(db);
  const form = whose === 'peer' ? peers : ours;
  const random = makeRandom(42);
  const tree = makeTree(random);
  await db.collection(categories.collectionName).insertMany(tree.map(form.category));
  for (let start = 0; start < PRODUCTS; start += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, at) => form.product(makeProduct(start + at, random)));
    await db.collection(products.collectionName).insertMany(batch);
  }
  await client.close();
}

async function buildPeerIndexes(db: Db): Promise<void> {
  await db.collection(products.collectionName).createIndex({ category_ids: 1, _id: 1 });
  await db.collection(categories.collectionName).createIndex({ slug: 1 }, { unique: true });
}

/** Three levels: roots, branches, and the rest. */
function makeTree(random: Random): Category[] {
  const tree: Category[] = [];
  for (let number = 0; number < CATEGORIES; number += 1) {
    const isBranch = number < ROOTS + BRANCHES;
    const above = tree[isBranch ? random.below(ROOTS) : ROOTS + random.below(BRANCHES)];
    const ancestors = number < ROOTS || !above ? [] : [above.number, ...above.ancestors];
    tree.push({ number, ancestors });
  }
  return tree;
}

function makeProduct(number: number, random: Random): Product {
  const into = Array.from({ length: 1 + random.below(3) }, () => random.below(CATEGORIES));
  const list = 500 + random.below(9500);
  return { number, categories: [...new Set(into)], list, retail: list - random.below(400) };
}
