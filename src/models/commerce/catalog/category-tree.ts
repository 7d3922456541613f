/**
 * A process that changes the category tree holds its lease. A change is one transaction over the source of truth (`parent`, slug, name)
 * and the follow-up work, which is stored in the tree's own document. That work recomputes ancestors, product paths and counts in
 * batches that any process can continue. So a change that was started is always finished, if necessary by another process.
 *
 * The lease only avoids contention. The tree is protected by the token in its document: every batch has it in its filter, so a holder
 * that was paused beyond its lease changes nothing.
 */
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import {
  commitConcernOf,
  defineCollection,
  inTransaction,
  isDuplicateKey,
  updateInTransaction,
  withLease,
} from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { moveCounters } from './catalog-counters.js';
import { type CategoryDocument, type CategoryReference, categories, findTreeIds } from './category.js';
import { COUNTED_VERSION, products } from './product.js';

/** The follow-up work of a change. Every part may be repeated. */
export interface TreeWork {
  /** Ancestors are recomputed from here downwards. Null for all categories. */
  readonly root: string | null;
  /** The category whose products, including descendants, get new paths: an id, `ALL_PRODUCTS`, or null for none. */
  readonly products_of: string | null;
  /** For a removal: products move from one category to the other, then the first one is deleted. */
  readonly replace: { readonly from: string; readonly to: string } | null;
  /** Products up to this SKU are done. */
  readonly after: string;
}

export const ALL_PRODUCTS = '*';

interface TreeDocument {
  _id: 'tree';
  /** The token of the lease's holder. */
  token: number;
  /** Incremented with every change of the source of truth. */
  version: number;
  work: TreeWork | null;
}

export const trees = defineCollection<TreeDocument>('categories.tree', [], { isBookkeeping: true });

/** The right to change the tree. */
export interface HeldTree {
  readonly db: Db;
  readonly token: number;
}

const LEASE = 'category-tree';
const LEASE_MS = 5000; // renewed during the work: a repair of the whole catalog takes longer
const WAIT_MAX_MS = 15_000; // longer than the lease, so that a waiting process takes over from a dead one
const BATCH_MAX = 200;

/**
 * Runs work on the tree exclusively: first finishes work left by others, then does this work and its follow-up.
 * @param holder identifies this process to people who inspect the lease
 * @throws BusyError another process held the tree for 15 s, or took it over
 */
export async function withTree<T>(db: Db, holder: string, work: (tree: HeldTree) => Promise<T>): Promise<T> {
  const terms = { name: LEASE, holder, leaseMs: LEASE_MS, waitMs: WAIT_MAX_MS };
  try {
    const done = await withLease(db, terms, async ({ token }) => ({ value: await workAlone({ db, token }, work) }));
    if (!done) throw new BusyError('Another change of the categories is in progress');
    return done.value;
  } finally {
    failpoint('category.lease-released');
  }
}

async function workAlone<T>(tree: HeldTree, work: (tree: HeldTree) => Promise<T>): Promise<T> {
  failpoint('category.lease-taken');
  try {
    const left = await claimTree(tree);
    failpoint('category.tree-claimed');
    if (left) await doWork(tree, left);
    return await work(tree);
  } finally {
    failpoint('category.tree-left');
  }
}

/** @returns unfinished work of a previous holder @throws BusyError the lease was lost */
async function claimTree({ db, token }: HeldTree): Promise<TreeWork | null> {
  try {
    const tree = await trees(db).findOneAndUpdate(
      { _id: 'tree', token: { $lt: token } }, // guard: a later holder's token is higher, and the upsert then fails on `_id`
      { $set: { token }, $setOnInsert: { version: 0, work: null } },
      { upsert: true, returnDocument: 'after' },
    );
    return tree?.work ?? null;
  } catch (error) {
    if (isDuplicateKey(error)) throw new LostTreeError();
    throw error;
  }
}

class LostTreeError extends BusyError {
  constructor() {
    super('Another process has taken over the change of the categories');
  }
}

/** One transaction of the holder of the tree. @throws BusyError another process holds the tree now */
export async function fencedStep<T>(
  { db, token }: HeldTree,
  change: UpdateFilter<TreeDocument>,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    // Guard: the token. As every step writes this document, the steps of two holders conflict.
    const { matchedCount } = await trees(db).updateOne({ _id: 'tree', token }, change, { session });
    if (matchedCount === 0) throw new LostTreeError();
    return work(session);
  });
  return value;
}

/**
 * Changes the source of truth, then does the follow-up work. If this process is too slow, another one does the rest.
 * @param change writes in the session; its result is returned
 */
export async function changeTree<T>(
  tree: HeldTree,
  work: Omit<TreeWork, 'after'> | null,
  change: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const begun = work && { ...work, after: '' };
  const value = await fencedStep(tree, { $inc: { version: 1 }, $set: { work: begun } }, change);
  failpoint('category.truth-changed');
  try {
    if (begun) await doWork(tree, begun);
  } catch (error) {
    if (!(error instanceof LostTreeError)) throw error; // the process that took over finishes it
  }
  return value;
}

async function doWork(tree: HeldTree, work: TreeWork): Promise<void> {
  await deriveAncestors(tree, work.root);
  let after: string | null = work.after;
  while (after !== null) after = await deriveProducts(tree, work, after);
  await fencedStep(tree, { $set: { work: null } }, async (session) => {
    if (work.replace) await categories(tree.db).deleteOne({ _id: work.replace.from }, { session });
  });
  failpoint('category.work-finished');
}

type Node = Pick<CategoryDocument, '_id' | 'slug' | 'name' | 'parent' | 'ancestors'>;

/** Walks down the tree by `parent` and corrects wrong ancestors. */
async function deriveAncestors(tree: HeldTree, root: string | null): Promise<void> {
  let parents: ReadonlyMap<string | null, readonly CategoryReference[]> = new Map([[null, []]]);
  let level = await findNodes(tree.db, root === null ? { parent: null } : { _id: root });
  if (root !== null) parents = await findParentPath(tree.db, level[0]?.parent ?? null);
  while (level.length > 0) {
    const paths = new Map<string | null, readonly CategoryReference[]>();
    const wrong: { _id: string; ancestors: readonly CategoryReference[] }[] = [];
    for (const { _id, slug, name, parent, ancestors } of level) {
      const derived = parents.get(parent) ?? [];
      paths.set(_id, [{ _id, slug, name }, ...derived]);
      if (!isSamePath(ancestors, derived)) wrong.push({ _id, ancestors: derived });
    }
    for (let start = 0; start < wrong.length; start += BATCH_MAX) {
      const updates = wrong.slice(start, start + BATCH_MAX).map(({ _id, ancestors }) => ({
        q: { _id },
        u: { $set: { ancestors } },
        upsert: false,
      }));
      await fencedStep(tree, { $set: { token: tree.token } }, (session) =>
        updateInTransaction(tree.db, categories.collectionName, updates, session),
      );
      failpoint('category.ancestors-derived');
    }
    parents = paths;
    level = await findNodes(tree.db, { parent: { $in: level.map(({ _id }) => _id) } });
  }
}

const findNodes = (db: Db, query: object): Promise<Node[]> =>
  categories(db)
    .find(query, { projection: { slug: 1, name: 1, parent: 1, ancestors: 1 } })
    .toArray();

/** @returns the path from the parent to the root, by the parent's id */
async function findParentPath(db: Db, parent: string | null) {
  const [found] = parent === null ? [] : await findNodes(db, { _id: parent });
  return new Map([[parent, found ? pathFrom(found) : []]]);
}

/** A category and its ancestors. */
export const pathFrom = ({ _id, slug, name, ancestors }: Omit<Node, 'parent'>): CategoryReference[] => [
  { _id, slug, name },
  ...ancestors,
];

export const isSamePath = (left: readonly CategoryReference[], right: readonly CategoryReference[]): boolean =>
  left.length === right.length &&
  left.every(({ _id, slug, name }, at) => {
    const other = right[at];
    return other !== undefined && _id === other._id && slug === other.slug && name === other.name;
  });

/** Recomputes the paths of a batch of products and adjusts the counts. @returns the last SKU; null when all are done */
async function deriveProducts(tree: HeldTree, work: TreeWork, after: string): Promise<string | null> {
  const { products_of } = work;
  if (products_of === null) return null;
  const { db } = tree;
  const chosen = products_of === ALL_PRODUCTS ? {} : { category_tree_ids: products_of };
  const batch = await products(db)
    .find({ ...chosen, _id: { $gt: after } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(BATCH_MAX)
    .toArray();
  const last = batch.at(-1)?._id;
  if (last === undefined) return null;
  const skus = batch.map(({ _id }) => _id);
  await fencedStep(tree, { $set: { 'work.after': last } }, (session) => rederive(db, session, skus, work.replace));
  failpoint('category.products-derived');
  return last;
}

/** Reads the products in the transaction. A product saved at the same time causes a conflict and is read again. */
async function rederive(db: Db, session: ClientSession, skus: string[], replace: TreeWork['replace']): Promise<void> {
  const projection = { type: 1, details: 1, pricing: 1, properties: 1, category_ids: 1, category_tree_ids: 1 };
  const found = await products(db)
    .find({ _id: { $in: skus }, version: { $gte: COUNTED_VERSION } }, { session, projection }) // older ones are not counted yet
    .toArray();
  const moved = found.map((before) => ({ before, category_ids: replaced(before.category_ids, replace) }));
  const treeIdsOf = await findTreeIds(db, session, new Set(moved.flatMap(({ category_ids }) => category_ids)));
  const changes = moved
    .map(({ before, category_ids }) => ({
      before,
      after: { ...before, category_ids, category_tree_ids: treeIdsOf(category_ids) },
    }))
    .filter(({ before, after }) => !isSameSet(before.category_tree_ids, after.category_tree_ids));
  const updates = changes.map(({ after: { _id, category_ids, category_tree_ids } }) => ({
    q: { _id },
    u: { $set: { category_ids, category_tree_ids } },
    upsert: false,
  }));
  await updateInTransaction(db, products.collectionName, updates, session);
  await moveCounters(db, session, changes);
}

const replaced = (ids: readonly string[], replace: TreeWork['replace']): string[] =>
  replace ? [...new Set(ids.map((id) => (id === replace.from ? replace.to : id)))] : [...ids];

const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((id) => right.includes(id));

/** Finishes an interrupted change of the tree. Cheap when there is none. @returns the number of changes finished: 0 or 1 */
export async function finishTreeWork(db: Db, holder: string): Promise<number> {
  const tree = await trees(db).findOne({ _id: 'tree' }, { projection: { work: 1 } });
  if (!tree?.work) return 0;
  await withTree(db, holder, async () => undefined);
  return 1;
}
