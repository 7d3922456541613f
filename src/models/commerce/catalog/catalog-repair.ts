/** Recomputes all derived data of the catalog from the source of truth: the categories' parents and the products themselves. */
import type { Db } from 'mongodb';
import { addToCategories, addToFacets } from './catalog-counters.js';
import { type Counter, findWrongCounters } from './catalog-invariants.js';
import { ALL_PRODUCTS, changeTree, fencedStep, type HeldTree, withTree } from './category-tree.js';

const CORRECTED_MAX = 10_000; // counters per run, in one transaction; the next run finds the rest

/**
 * Corrects ancestors, product paths and counters. Changes only what is wrong, so it may run at any time and be repeated.
 * Reads all products twice.
 * @param holder of the tree's lease
 * @returns how many counters were wrong
 * @throws BusyError another process held the tree for 15 s
 */
export async function repairCatalog(db: Db, holder: string): Promise<{ readonly wrongCounters: number }> {
  return withTree(db, holder, async (tree) => {
    const everything = { root: null, products_of: ALL_PRODUCTS, replace: null };
    await changeTree(tree, everything, async () => undefined);
    const wrong = await findWrongCounters(db);
    if (wrong.length > 0) await correct(tree, wrong.slice(0, CORRECTED_MAX));
    return { wrongCounters: wrong.length };
  });
}

/** Guard: increments by the difference, so concurrent increments are kept. Only the holder of the tree does so, once. */
function correct(tree: HeldTree, wrong: readonly Counter[]): Promise<void> {
  return fencedStep(tree, { $set: { token: tree.token } }, async (session) => {
    const missing = ({ counted, stored }: Counter) => counted - stored;
    const ofFacets = wrong.flatMap((counter) =>
      counter.facet ? [{ key: counter.facet, count: missing(counter) }] : [],
    );
    const ofCategories = wrong.filter(({ facet }) => !facet);
    await addToFacets(tree.db, session, ofFacets);
    await addToCategories(
      tree.db,
      session,
      ofCategories.map((counter) => ({ id: counter.id, count: missing(counter) })),
    );
  });
}
