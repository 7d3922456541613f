/** Changes of the category tree. Each is decided and made while holding the tree, so concurrent changes leave a valid tree. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { isDuplicateKey } from '../../../database/index.js';
import { InputError, LimitError, type SextantError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, recordAct } from '../../people/audit.js';
import {
  type CategoryDocument,
  CHILDREN_MAX,
  categories,
  DEPTH_MAX,
  findCategory,
  requireCategoryName,
  requireSlug,
} from './category.js';
import { changeTree, type HeldTree, pathFrom, withTree } from './category-tree.js';
import { products } from './product.js';

const notFound = (slug: string) => refuse('CategoryNotFound', `No category has the slug ${slug}`);
const slugTaken = (slug: string) => refuse('CategorySlugTaken', `Another category has the slug ${slug}`);

export interface AddCategory {
  readonly name: string;
  readonly slug: string;
  /** The slug of the parent. */
  readonly under?: string | null | undefined;
}

/**
 * Adds a category. @param holder of the tree's lease
 * @throws InputError @throws LimitError the parent has 500 children, or 19 ancestors @throws BusyError
 */
export async function addCategory(
  db: Db,
  holder: string,
  input: AddCategory,
): Promise<CategoryDocument | Refusal<'CategoryNotFound' | 'CategorySlugTaken'>> {
  const slug = requireSlug('input.slug', input.slug);
  const name = requireCategoryName('input.name', input.name);
  return withTree(db, holder, (tree) => addToTree(tree, { slug, name, under: input.under }));
}

/**
 * Adds categories in order, under one lease.
 * @returns the result for each category; errors that `addCategory` would throw about a category are returned
 * @throws BusyError
 */
export async function addCategories(
  db: Db,
  holder: string,
  inputs: readonly AddCategory[],
): Promise<(CategoryDocument | Refusal<'CategoryNotFound' | 'CategorySlugTaken'> | SextantError)[]> {
  return withTree(db, holder, async (tree) => {
    const outcomes: (CategoryDocument | Refusal<'CategoryNotFound' | 'CategorySlugTaken'> | SextantError)[] = [];
    for (const { slug, name, under } of inputs) {
      try {
        const checked = { slug: requireSlug('category.slug', slug), name: requireCategoryName('category.name', name) };
        // When a file is imported again, most exist. Looking them up first is cheaper than a failing transaction.
        const taken = await findCategory(db, slug);
        outcomes.push(taken ? slugTaken(slug) : await addToTree(tree, { ...checked, under }));
      } catch (error) {
        if (!(error instanceof InputError || error instanceof LimitError)) throw error;
        outcomes.push(error);
      }
    }
    return outcomes;
  });
}

/** @throws LimitError */
async function addToTree(
  tree: HeldTree,
  { slug, name, under }: AddCategory,
): Promise<CategoryDocument | Refusal<'CategoryNotFound' | 'CategorySlugTaken'>> {
  const { db } = tree;
  const parent = under == null ? null : await findCategory(db, under);
  if (under != null && !parent) return notFound(under);
  await requireRoom(db, parent, 0);
  const category: CategoryDocument = {
    _id: randomUUID(),
    slug,
    name,
    parent: parent?._id ?? null,
    ancestors: parent ? pathFrom(parent) : [],
    product_count: 0,
  };
  return unlessTaken(slug, () =>
    changeTree(tree, null, async (session) => {
      await categories(db).insertOne(category, { session });
      return category;
    }),
  );
}

/** @param below levels under the category @throws LimitError the parent has too many children, or the tree would be too deep */
async function requireRoom(db: Db, parent: CategoryDocument | null, below: number): Promise<void> {
  const depth = (parent ? parent.ancestors.length + 1 : 0) + 1 + below;
  if (depth > DEPTH_MAX) throw new LimitError(`Categories may be nested at most ${DEPTH_MAX} levels deep`, DEPTH_MAX);
  const children = await categories(db).countDocuments({ parent: parent?._id ?? null }, { limit: CHILDREN_MAX });
  if (children === CHILDREN_MAX)
    throw new LimitError(`A category has at most ${CHILDREN_MAX} direct subcategories`, CHILDREN_MAX);
}

async function unlessTaken<T>(slug: string, change: () => Promise<T>): Promise<T | Refusal<'CategorySlugTaken'>> {
  try {
    return await change();
  } catch (error) {
    if (isDuplicateKey(error)) return slugTaken(slug);
    throw error;
  }
}

/**
 * Moves a category with all its descendants. Idempotent.
 * @param under the slug of the new parent; null to make it a root
 * @throws LimitError the parent has 500 children, or the tree would exceed 20 levels @throws BusyError
 */
export async function moveCategory(
  db: Db,
  holder: string,
  slug: string,
  under: string | null,
): Promise<CategoryDocument | Refusal<'CategoryNotFound' | 'CategoryCycle'>> {
  return withTree(db, holder, async (tree) => {
    const category = await findCategory(db, slug);
    if (!category) return notFound(slug);
    const parent = under === null ? null : await findCategory(db, under);
    if (under !== null && !parent) return notFound(under);
    if (parent && isWithin(parent, category))
      return refuse('CategoryCycle', `${parent.name} is ${category.name} itself or one of its descendants`);
    const target = parent?._id ?? null;
    if (category.parent === target) return category;
    await requireRoom(db, parent, await depthBelow(db, category));
    const work = { root: category._id, products_of: category._id, replace: null };
    await changeTree(tree, work, (session) => setParent(db, session, category._id, target));
    return { ...category, parent: target, ancestors: parent ? pathFrom(parent) : [] };
  });
}

/** Guard: the transaction holds the tree, and nothing else writes a parent. */
async function setParent(db: Db, session: ClientSession, _id: string, parent: string | null): Promise<void> {
  await categories(db).updateOne({ _id }, { $set: { parent } }, { session });
}

const isWithin = (candidate: CategoryDocument, category: CategoryDocument): boolean =>
  candidate._id === category._id || candidate.ancestors.some(({ _id }) => _id === category._id);

/** The number of levels below a category. */
async function depthBelow(db: Db, { _id, ancestors }: CategoryDocument): Promise<number> {
  let depth = 0;
  const below = categories(db).find({ 'ancestors._id': _id }, { projection: { 'ancestors._id': 1 } });
  for await (const category of below) depth = Math.max(depth, category.ancestors.length - ancestors.length);
  return depth;
}

/**
 * Changes a category's name, slug or both.
 * @throws InputError neither is given, or one is invalid @throws BusyError
 */
export async function renameCategory(
  db: Db,
  holder: string,
  slug: string,
  { name, newSlug }: { readonly name?: string | null | undefined; readonly newSlug?: string | null | undefined },
): Promise<CategoryDocument | Refusal<'CategoryNotFound' | 'CategorySlugTaken'>> {
  if (name == null && newSlug == null) throw new InputError('name', 'or `newSlug` must be given');
  const change = {
    ...(name != null && { name: requireCategoryName('name', name) }),
    ...(newSlug != null && { slug: requireSlug('newSlug', newSlug) }),
  };
  return withTree(db, holder, async (tree) => {
    const category = await findCategory(db, slug);
    if (!category) return notFound(slug);
    const { _id } = category;
    return unlessTaken(newSlug ?? slug, () =>
      changeTree(tree, { root: _id, products_of: null, replace: null }, async (session) => {
        await categories(db).updateOne({ _id }, { $set: change }, { session }); // guard: the transaction holds the tree
        return { ...category, ...change };
      }),
    );
  });
}

export interface CategoryRemoval {
  readonly removedSlug: string;
}

/**
 * Removes a category that is empty, or whose contents move to another one. Recorded in the audit trail.
 * @param moveContentsTo the slug of the category that receives the contents
 * @throws LimitError the receiving category would have more than 500 children or be too deep @throws BusyError
 */
export async function removeCategory(
  db: Db,
  holder: string,
  act: Act,
  slug: string,
  moveContentsTo: string | null,
): Promise<CategoryRemoval | Refusal<'CategoryNotFound' | 'CategoryNotEmpty' | 'CategoryCycle'>> {
  return withTree(db, holder, async (tree) => {
    const category = await findCategory(db, slug);
    if (!category) return notFound(slug);
    if (moveContentsTo === null) return removeEmpty(tree, act, category);
    const target = await findCategory(db, moveContentsTo);
    if (!target) return notFound(moveContentsTo);
    if (isWithin(target, category))
      return refuse('CategoryCycle', `${target.name} is ${category.name} itself or one of its descendants`);
    await moveContents(tree, act, category, target);
    return { removedSlug: slug };
  });
}

/**
 * Removes those of these categories that are empty and have neither been renamed nor moved, the last one first. Idempotent. Recorded in
 * the audit trail.
 * @returns how many stay
 * @throws BusyError
 */
export async function removeUnchanged(
  db: Db,
  holder: string,
  act: Act,
  inputs: readonly AddCategory[],
): Promise<number> {
  return withTree(db, holder, async (tree) => {
    let kept = 0;
    for (const { slug, name, under } of inputs.toReversed()) {
      const category = await findCategory(db, slug);
      if (!category) continue;
      const isUnchanged = category.name === name && (category.ancestors[0]?.slug ?? null) === (under ?? null);
      const outcome = isUnchanged ? await removeEmpty(tree, act, category) : null;
      if (!outcome || 'message' in outcome) kept += 1;
    }
    return kept;
  });
}

async function removeEmpty({ db, ...tree }: HeldTree, act: Act, { _id, slug, name }: CategoryDocument) {
  // A product added to it at the same time writes the category's count: one of the two transactions is retried.
  const isEmpty = await changeTree({ db, ...tree }, null, async (session) => {
    const child = await categories(db).findOne({ parent: _id }, { session, projection: { _id: 1 } });
    const product = await products(db).findOne({ category_ids: _id }, { session, projection: { _id: 1 } });
    if (child || product) return false;
    await categories(db).deleteOne({ _id }, { session });
    await recordAct(db, session, act, { action: 'CATEGORY_REMOVED', subject: slug });
    return true;
  });
  return isEmpty
    ? { removedSlug: slug }
    : refuse('CategoryNotEmpty', `${name} contains products or subcategories. Choose a category to move them to`);
}

async function moveContents(
  tree: HeldTree,
  act: Act,
  category: CategoryDocument,
  target: CategoryDocument,
): Promise<void> {
  const { db } = tree;
  const children = await categories(db)
    .find({ parent: category._id }, { projection: { _id: 1 } })
    .toArray();
  if (children.length > 0) {
    await requireRoom(db, target, (await depthBelow(db, category)) - 1);
    const held = await categories(db).countDocuments({ parent: target._id });
    if (held + children.length > CHILDREN_MAX)
      throw new LimitError(`A category has at most ${CHILDREN_MAX} direct subcategories`, CHILDREN_MAX);
  }
  const replace = { from: category._id, to: target._id };
  await changeTree(tree, { root: target._id, products_of: category._id, replace }, async (session) => {
    // Marked: products saved from now on are not added to it. A product being saved right now conflicts with this.
    await categories(db).updateOne({ _id: category._id }, { $set: { removing: true } }, { session });
    for (const { _id } of children) await setParent(db, session, _id, target._id);
    // From here on the removal is certain, no matter which process finishes it.
    await recordAct(db, session, act, { action: 'CATEGORY_REMOVED', subject: category.slug, detail: target.slug });
  });
}
