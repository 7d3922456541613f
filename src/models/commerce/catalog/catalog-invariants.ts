/** The invariants of the catalog at rest. For tests, `sextant doctor`, and the repair. */
import type { ClientSession, Db } from 'mongodb';
import { type Visited, visitOnly } from '../../../database/collections/snapshot-batches.js';
import { inBatches } from '../../../shared/batches.js';
import { type CategoryDocument, type CategoryReference, categories } from './category.js';
import { isSamePath, pathFrom } from './category-tree.js';
import { type FacetKey, facets, facetsOf } from './facet.js';
import { COUNTED_VERSION, type ProductDocument, products } from './product.js';

const BATCH = 500;

export interface CatalogViolation {
  readonly invariant: string;
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** Reads all categories and products once, from one snapshot. Writes may continue meanwhile. */
export async function* findCatalogViolations(db: Db, visited: Visited = visitOnly): AsyncGenerator<CatalogViolation> {
  const session = db.client.startSession({ snapshot: true });
  try {
    const tree = await readTree(db, session);
    yield* findTreeViolations(tree);
    const { counters, strays } = await countCatalog(db, session, tree, visited);
    for (const subject of strays)
      yield { invariant: 'product-path-follows-from-categories', subject, expected: 1, found: 0 };
    for (const { id, counted, stored } of counters) {
      if (counted !== stored)
        yield { invariant: 'catalog-count-is-number-of-products', subject: id, expected: counted, found: stored };
    }
  } finally {
    await session.endSession();
  }
}

/** The wrong counters in one snapshot. Concurrent increments do not change the size of the error. */
export async function findWrongCounters(db: Db): Promise<Counter[]> {
  const session = db.client.startSession({ snapshot: true });
  try {
    const { counters } = await countCatalog(db, session, await readTree(db, session));
    return counters.filter(({ counted, stored }) => counted !== stored);
  } finally {
    await session.endSession();
  }
}

type Tree = ReadonlyMap<string, CategoryDocument>;

async function readTree(db: Db, session: ClientSession): Promise<Tree> {
  const all = await categories(db)
    .find({ _id: { $gt: '' } }, { session })
    .toArray();
  return new Map(all.map((category) => [category._id, category]));
}

function* findTreeViolations(tree: Tree): Generator<CatalogViolation> {
  for (const category of tree.values()) {
    const path = wayToRoot(tree, category);
    if (path === null) {
      yield { invariant: 'categories-are-a-tree', subject: category.slug, expected: 1, found: 0 };
    } else if (!isSamePath(category.ancestors, path)) {
      const [expected, found] = [path.length, category.ancestors.length];
      yield { invariant: 'ancestors-follow-from-parents', subject: category.slug, expected, found };
    }
  }
}

/** @returns null when a parent is missing or the path has a cycle */
function wayToRoot(tree: Tree, category: CategoryDocument): CategoryReference[] | null {
  const path: CategoryReference[] = [];
  for (let { parent } = category; parent !== null; ) {
    const above = tree.get(parent);
    if (!above || path.length > tree.size) return null;
    path.push(pathFrom({ ...above, ancestors: [] })[0] as CategoryReference);
    parent = above.parent;
  }
  return path;
}

export interface Counter {
  /** The id of a facet or a category. */
  readonly id: string;
  /** Null for the counter of a category. */
  readonly facet: FacetKey | null;
  /** The actual number of products. */
  counted: number;
  /** The stored count. */
  stored: number;
}

/** Counts all products, and finds those whose path does not match their categories. */
async function countCatalog(db: Db, session: ClientSession, tree: Tree, visited: Visited = visitOnly) {
  const byId = new Map<string, Counter>();
  const counterOf = (id: string, facet: FacetKey | null): Counter => {
    const counter = byId.get(id) ?? { id, facet, counted: 0, stored: 0 };
    byId.set(id, counter);
    return counter;
  };
  const strays: string[] = [];
  const projection = { type: 1, details: 1, pricing: 1, properties: 1, category_ids: 1, category_tree_ids: 1 };
  const present = { version: { $gte: COUNTED_VERSION } }; // older ones are not counted yet (`product-form.ts`)
  for await (const batch of inBatches(products(db).find(present, { session, projection }), BATCH)) {
    for (const product of batch) {
      for (const facet of facetsOf(product)) counterOf(facet._id, facet).counted += 1;
      for (const id of product.category_tree_ids) counterOf(id, null).counted += 1;
      if (!pathMatches(tree, product)) strays.push(product._id);
    }
    await visited(batch.length);
  }
  for await (const { count, ...facet } of facets(db).find({ _id: { $gt: '' } }, { session })) {
    counterOf(facet._id, facet).stored = count;
  }
  for (const { _id, product_count } of tree.values()) counterOf(_id, null).stored = product_count;
  return { counters: [...byId.values()], strays };
}

function pathMatches(tree: Tree, { category_ids, category_tree_ids }: ProductDocument): boolean {
  const way = new Set<string>();
  for (const id of category_ids) {
    const category = tree.get(id);
    if (!category) return false;
    way.add(id);
    for (const { _id } of category.ancestors) way.add(_id);
  }
  return way.size === category_tree_ids.length && category_tree_ids.every((id) => way.has(id));
}
