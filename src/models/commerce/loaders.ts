/** Batched loading of the catalog and of accounts, for the fields of lists. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../shared/batched-loader.js';
import type { Connection } from '../../shared/page.js';
import { type CategoryDocument, countChildren, findCategories, findChildren } from './catalog/category.js';
import { type CategoryProducts, findProductsOfCategories } from './catalog/category-products.js';
import type { ProductDocument } from './catalog/product.js';
import { findProductsBySku } from './catalog/product-list.js';
import { type AccountDocument, findAccountsById } from './money/account.js';

export interface CommerceLoaders {
  readonly product: DataLoader<string, ProductDocument | null>;
  readonly category: DataLoader<string, CategoryDocument | null>;
  readonly children: DataLoader<string, readonly CategoryDocument[]>;
  readonly childCount: DataLoader<string, number>;
  readonly account: DataLoader<string, AccountDocument | null>;
  /** Pages of products of categories, for fields with the same arguments. */
  productsOf(args: CategoryProducts): DataLoader<string, Connection<ProductDocument>>;
}

export function makeCommerceLoaders(db: Db): CommerceLoaders {
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
    productsOf: (args) => {
      const key = JSON.stringify([args.first, args.after, args.includeDescendants, args.freshness]);
      const page = pages.get(key) ?? batched((ids) => findProductsOfCategories(db, ids, args));
      pages.set(key, page);
      return page;
    },
  };
}
