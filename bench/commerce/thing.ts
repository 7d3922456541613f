/** A product for benchmarks in which only its stock matters. */
import { PRODUCT_VERSION, type ProductDocument } from '../../src/models/commerce/catalog/product.js';

/** @param carted the units of it that are in carts; they come on top of the stock */
export function thing(sku: string, stock: number, carted: ProductDocument['carted'] = []): ProductDocument {
  return {
    _id: sku,
    type: 'THING',
    title: 'A thing',
    title_key: 'a thing',
    title_words: ['a', 'thing'],
    pricing: { currency: 'EUR', list: 100, retail: 100, savings: 0, pct_savings: 0 },
    category_ids: [],
    category_tree_ids: [],
    details: {},
    properties: [],
    qty: stock,
    carted,
    sold: 0,
    stocked: stock + carted.length,
    version: PRODUCT_VERSION,
  };
}
