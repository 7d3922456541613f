/**
 * Batched loading for the fields of lists: one query for all items instead of one per item. Nothing is cached between batches, because
 * a context may live as long as a subscription, and a mutation must see its own writes.
 */
import DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import type { Connection } from '../../../shared/page.js';
import { findUsersById } from '../../people/user.js';
import { type AccountDocument, findAccountsById } from '../money/account.js';
import { type CategoryDocument, countChildren, findCategories, findChildren } from './category.js';
import { type CategoryProducts, findProductsOfCategories } from './category-products.js';
import type { ProductDocument } from './product.js';
import { findProductsBySku } from './product-list.js';

export interface CatalogLoaders {
  readonly product: DataLoader<string, ProductDocument | null>;
  readonly category: DataLoader<string, CategoryDocument | null>;
  readonly children: DataLoader<string, readonly CategoryDocument[]>;
  readonly childCount: DataLoader<string, number>;
  readonly account: DataLoader<string, AccountDocument | null>;
  /** The names of users. Empty for deleted users. */
  readonly personName: DataLoader<string, string>;
  /** Pages of products of categories, for fields with the same arguments. */
  productsOf(args: CategoryProducts): DataLoader<string, Connection<ProductDocument>>;
}

export function makeCatalogLoaders(db: Db): CatalogLoaders {
  const pages = new Map<string, DataLoader<string, Connection<ProductDocument>>>();
  return {
    product: batched(async (skus) => {
      const found = new Map((await findProductsBySku(db, skus)).map((product) => [product._id, product]));
      return skus.map((sku) => found.get(sku) ?? null);
    }),
    category: batched(async (ids) => {
      const found = new Map((await findCategories(db, ids)).map((category) => [category._id, category]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    children: batched(async (ids) => {
      const found = await findChildren(db, ids);
      return ids.map((id) => found.filter(({ parent }) => parent === id));
    }),
    childCount: batched(async (ids) => {
      const counts = await countChildren(db, ids);
      return ids.map((id) => counts.get(id) ?? 0);
    }),
    account: batched(async (ids) => {
      const found = new Map((await findAccountsById(db, ids)).map((account) => [account._id, account]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    personName: batched(async (ids) => {
      const names = new Map((await findUsersById(db, ids)).map(({ _id, name }) => [_id, name]));
      return ids.map((id) => names.get(id) ?? '');
    }),
    productsOf: (args) => {
      const key = JSON.stringify([args.first, args.after, args.includeDescendants, args.freshness]);
      const page = pages.get(key) ?? batched((ids) => findProductsOfCategories(db, ids, args));
      pages.set(key, page);
      return page;
    },
  };
}

/** @param find returns results in the order of the ids, which are distinct */
function batched<T>(find: (ids: readonly string[]) => Promise<readonly T[]>): DataLoader<string, T> {
  return new DataLoader<string, T>(
    async (keys) => {
      const ids = [...new Set(keys)];
      const found = await find(ids);
      const at = new Map(ids.map((id, index) => [id, index]));
      return keys.map((key) => found[at.get(key) ?? -1] as T);
    },
    { cache: false },
  );
}
