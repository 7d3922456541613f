/**
 * Product categories: a tree, one document each. `parent` is the source of truth. `ancestors` repeats the path to the root, so that a
 * breadcrumb is one read. It is recomputed whenever the tree changes (`category-tree.ts`).
 * Source pattern: category hierarchy with an array of ancestors (commerce, section 2).
 * Invariants, at rest: the categories form a tree; `ancestors` is the path to the root; `product_count` is the number of products that
 * have the category in `category_tree_ids`.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { requireVisible } from '../../../shared/visible-text.js';

export interface CategoryReference {
  _id: string;
  slug: string;
  name: string;
}

export interface CategoryDocument {
  _id: string;
  /** Unique. Used in URLs. It may be changed. */
  slug: string;
  name: string;
  /** Null for a root. */
  parent: string | null;
  /** Nearest first. */
  ancestors: CategoryReference[];
  /** Products in it and in all its descendants. */
  product_count: number;
  /** Set while it is being removed and accepts no more products. */
  removing?: true;
}

export const categories = defineCollection<CategoryDocument>(
  'categories',
  [
    { key: { slug: 1 }, unique: true }, // findCategory
    { key: { parent: 1, name: 1, _id: 1 } }, // findChildren, findRoots, countChildren
    { key: { 'ancestors._id': 1, _id: 1 } }, // all descendants of a category
  ],
  { shardKey: {} }, // never sharded: slugs are unique among all categories
);

/** So that a category page fits into one response. */
export const CHILDREN_MAX = 500;
/** The longest path to a root: a category has at most 19 ancestors. */
export const DEPTH_MAX = 20;

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const SLUG_LENGTH_MAX = 100;
const NAME_LENGTH_MAX = 200;

/** @throws InputError */
export function requireSlug(field: string, slug: string): string {
  if (SLUG.test(slug) && slug.length <= SLUG_LENGTH_MAX) return slug;
  throw new InputError(
    field,
    `must consist of lower-case letters, digits and single hyphens between them, at most ${SLUG_LENGTH_MAX} characters`,
  );
}

/** @returns the trimmed name @throws InputError */
export const requireCategoryName = (field: string, text: string): string =>
  requireVisible(field, text, NAME_LENGTH_MAX);

/** The category with this slug, including its breadcrumb, in one read. */
export function findCategory(db: Db, slug: string): Promise<CategoryDocument | null> {
  return categories(db).findOne({ slug });
}

export function findCategoryById(db: Db, id: string): Promise<CategoryDocument | null> {
  return categories(db).findOne({ _id: id });
}

export interface CategoryWithChildren extends CategoryDocument {
  readonly children: CategoryDocument[];
}

/** The category with this slug and its children, for a category page: one command instead of two sequential ones. */
export async function findCategoryWithChildren(db: Db, slug: string): Promise<CategoryWithChildren | null> {
  const [found] = await categories(db)
    .aggregate<CategoryWithChildren>([
      { $match: { slug } },
      { $lookup: { from: categories.collectionName, localField: '_id', foreignField: 'parent', as: 'children' } },
    ])
    .toArray();
  found?.children.sort(byName);
  return found ?? null;
}

const byName = (left: CategoryDocument, right: CategoryDocument) =>
  compare(left.name, right.name) || compare(left._id, right._id);
/** The order of the index: by code units, regardless of language. */
const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** The root categories, sorted by name. At most 500. */
export function findRoots(db: Db): Promise<CategoryDocument[]> {
  return categories(db).find({ parent: null }).sort({ name: 1, _id: 1 }).limit(CHILDREN_MAX).toArray();
}

/** The categories with these ids, in any order. */
export function findCategories(db: Db, ids: readonly string[]): Promise<CategoryDocument[]> {
  return categories(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** The children of all these categories, sorted by name within each. */
export function findChildren(db: Db, parents: readonly string[]): Promise<CategoryDocument[]> {
  return categories(db)
    .find({ parent: { $in: [...parents] } })
    .sort({ parent: 1, name: 1, _id: 1 })
    .toArray();
}

/** The number of children of each of these categories. @returns by id; categories without children are omitted */
export async function countChildren(db: Db, parents: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = await categories(db)
    .aggregate<{ _id: string; count: number }>([
      { $match: { parent: { $in: [...parents] } } },
      { $group: { _id: '$parent', count: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

/**
 * Reads the paths of the categories with these ids.
 * @returns a function from ids to these and all their ancestors, deduplicated; unknown ids are omitted
 */
export async function findTreeIds(
  db: Db,
  session: ClientSession,
  ids: ReadonlySet<string>,
): Promise<(categoryIds: readonly string[]) => string[]> {
  const found =
    ids.size === 0
      ? []
      : await categories(db)
          .find({ _id: { $in: [...ids] } }, { session, projection: { 'ancestors._id': 1 } })
          .toArray();
  const pathOf = new Map(found.map(({ _id, ancestors }) => [_id, [_id, ...ancestors.map((each) => each._id)]]));
  return (categoryIds) => [...new Set(categoryIds.flatMap((id) => pathOf.get(id) ?? []))];
}
