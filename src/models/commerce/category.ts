/**
 * Categories of products: a tree, one document each. `parent` is the truth; `ancestors` repeats the way to the root, so that a breadcrumb
 * is one read, and is derived again by whoever changes the tree (`category-tree.ts`).
 * Source pattern: category hierarchy with an array of ancestors (commerce, section 2).
 * Invariants, at rest: the categories are a tree; `ancestors` is the way to the root; `product_count` is the number of products that have
 * the category in `category_tree_ids`.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { InputError } from '../../shared/errors.js';
import { requireVisible } from '../../shared/visible-text.js';

export interface CategoryReference {
  _id: string;
  slug: string;
  name: string;
}

export interface CategoryDocument {
  _id: string;
  /** Unique. For addresses: a category may get another one. */
  slug: string;
  name: string;
  /** Null for a root. */
  parent: string | null;
  /** The nearest first. */
  ancestors: CategoryReference[];
  /** Products in it and in all categories below it. */
  product_count: number;
  /** It is being removed, and takes no products any more. */
  removing?: true;
}

export const categories = defineCollection<CategoryDocument>(
  'categories',
  [
    { key: { slug: 1 }, unique: true }, // findCategory
    { key: { parent: 1, name: 1, _id: 1 } }, // findChildren, findRoots, countChildren
    { key: { 'ancestors._id': 1, _id: 1 } }, // all below a category
  ],
  { shardKey: {} }, // never sharded: slugs are unique among all categories
);

/** So that a page of a category is one answer. */
export const CHILDREN_MAX = 500;
/** The longest way to a root: a category has at most 19 ancestors. */
export const DEPTH_MAX = 20;

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const SLUG_LENGTH_MAX = 100;
const NAME_LENGTH_MAX = 200;

/** @throws InputError */
export function requireSlug(field: string, slug: string): string {
  if (SLUG.test(slug) && slug.length <= SLUG_LENGTH_MAX) return slug;
  throw new InputError(
    field,
    `must be lower-case letters, digits and single hyphens between them, at most ${SLUG_LENGTH_MAX}`,
  );
}

/** @returns the name without blanks around it @throws InputError */
export const requireCategoryName = (field: string, text: string): string =>
  requireVisible(field, text, NAME_LENGTH_MAX);

/** With its breadcrumb, in one read. */
export function findCategory(db: Db, slug: string): Promise<CategoryDocument | null> {
  return categories(db).findOne({ slug });
}

export function findCategoryById(db: Db, id: string): Promise<CategoryDocument | null> {
  return categories(db).findOne({ _id: id });
}

export interface CategoryWithChildren extends CategoryDocument {
  readonly children: CategoryDocument[];
}

/** A category's page begins with both: one command in the place of two that must wait for each other. */
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
/** As the index orders: by code units, not by anybody's alphabet. */
const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Those without a parent, by name. At most 500. */
export function findRoots(db: Db): Promise<CategoryDocument[]> {
  return categories(db).find({ parent: null }).sort({ name: 1, _id: 1 }).limit(CHILDREN_MAX).toArray();
}

/** The categories with these ids, in any order. */
export function findCategories(db: Db, ids: readonly string[]): Promise<CategoryDocument[]> {
  return categories(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** The children of all these categories: of each by name. */
export function findChildren(db: Db, parents: readonly string[]): Promise<CategoryDocument[]> {
  return categories(db)
    .find({ parent: { $in: [...parents] } })
    .sort({ parent: 1, name: 1, _id: 1 })
    .toArray();
}

/** How many children each of these categories has. @returns by id; one without children is left out */
export async function countChildren(db: Db, parents: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = await categories(db)
    .aggregate<{ _id: string; count: number }>([
      { $match: { parent: { $in: [...parents] } } },
      { $group: { _id: '$parent', count: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

/** Reads where the categories with these ids stand. @returns gives them and all their ancestors, without repeats; unknown ones are left out */
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
