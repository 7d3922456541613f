/** The products of categories, for any number of categories in one query. */
import type { Db } from 'mongodb';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { categories } from './category.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import { type ProductDocument, products } from './product.js';
import { FIRST_MAX, findPage, type ProductList, toPage } from './product-list.js';

export interface CategoryProducts extends PageInput {
  readonly includeDescendants: boolean;
  readonly freshness: Freshness;
}

/**
 * A page of products of each category, sorted by SKU. Without `after`, several categories are read by one join.
 * @returns in the order of the ids
 * @throws LimitError `first` exceeds 200 @throws CursorError `after` is invalid or belongs to another category
 */
export async function findProductsOfCategories(
  db: Db,
  categoryIds: readonly string[],
  { includeDescendants, first, after, freshness }: CategoryProducts,
): Promise<Connection<ProductDocument>[]> {
  requireFirst(first, FIRST_MAX);
  const field = includeDescendants ? 'category_tree_ids' : 'category_ids';
  const listOf = (id: string): ProductList => ({ query: { [field]: id }, order: null });
  // A cursor is valid for one category only. With several, it is rejected for the first one it does not belong to.
  if (after || categoryIds.length === 1) {
    return Promise.all(categoryIds.map((id) => findPage(db, listOf(id), { first, after }, freshness)));
  }
  const found = await categories(db)
    .aggregate<{ _id: string; product: ProductDocument }>(
      [
        { $match: { _id: { $in: [...categoryIds] } } },
        { $project: { _id: 1 } },
        {
          $lookup: {
            from: products.collectionName,
            localField: '_id',
            foreignField: field,
            pipeline: [{ $sort: { _id: 1 } }, { $limit: first + 1 }],
            as: 'product',
          },
        },
        { $unwind: '$product' }, // one document each, because together they could exceed the size limit of a document
      ],
      { readPreference: readPreferenceOf[freshness] },
    )
    .toArray();
  const byCategory = new Map<string, ProductDocument[]>(categoryIds.map((id) => [id, []]));
  for (const { _id, product } of found) byCategory.get(_id)?.push(product);
  return categoryIds.map((id) => toPage(byCategory.get(id) ?? [], first, listOf(id)));
}
