/** The stock of some products, followed live. Each product is a part. Products that do not exist are omitted. */
import { type ChangeEvent, defineFeed, type StateFeed } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { products } from '../catalog/product.js';
import { requireSku, STOCK_FIELDS, type Stock, stockOf } from './inventory.js';

export interface StockArgs {
  /** Sorted and distinct. */
  readonly skus: readonly string[];
}

type StockState = Map<string, Stock>;

const SKUS_MAX = 100;
const STOCK_BYTES = 300; // approximate size of one product in memory
const ALL = `${products.collectionName}:all`;
const topicOf = (sku: unknown) => `${products.collectionName}:${sku}`;

/** @throws InputError @throws LimitError */
export function requireStockArgs(skus: readonly string[]): StockArgs {
  const distinct = [...new Set(skus)].sort();
  if (distinct.length === 0) throw new InputError('skus', 'must name at least one product');
  if (distinct.length > SKUS_MAX)
    throw new LimitError(`At most ${SKUS_MAX} products can be followed in one subscription`, SKUS_MAX);
  for (const sku of distinct) requireSku('skus', sku);
  return { skus: distinct };
}

export const stockFeed: StateFeed<StockArgs, StockState, readonly Stock[], readonly Stock[]> = defineFeed({
  kind: 'state',
  name: 'stock',
  collections: [products],
  fields: Object.keys(STOCK_FIELDS),

  key: ({ skus }) => JSON.stringify(skus),
  // A single product has its own topic. A list of products uses the common topic and ignores changes of other products.
  topic: ({ skus }) => (skus.length === 1 ? topicOf(skus[0]) : ALL),
  topics: (event) => (concernsStock(event) ? [topicOf(event.documentKey._id), ALL] : []),

  snapshot: async (db, { skus }, session) => {
    const found = await products(db)
      .find({ _id: { $in: [...skus] } }, { session, projection: STOCK_FIELDS })
      .toArray();
    return new Map(found.map((product) => [product._id, stockOf(product)]));
  },

  touched: (event, { skus }) => {
    const sku = String(event.documentKey._id);
    return skus.includes(sku) ? [sku] : [];
  },
  apply: (state, event, { skus }) => {
    const sku = String(event.documentKey._id);
    if (!skus.includes(sku)) return [];
    const stock = changedStock(sku, state.get(sku), event);
    if (stock) state.set(sku, stock);
    else state.delete(sku);
    return [sku];
  },
  view: (state) => [...state.values()].sort(bySku),
  change: (state, skus) => [...state.values()].filter(({ sku }) => skus.has(sku)).sort(bySku),
  bytes: (state) => state.size * STOCK_BYTES,
});

const concernsStock = ({ updated }: ChangeEvent): boolean =>
  updated === undefined || 'qty' in updated || 'sold' in updated || 'stocked' in updated;

function changedStock(sku: string, before: Stock | undefined, { operation, document, updated }: ChangeEvent) {
  if (operation === 'delete') return null;
  const {
    qty = before?.available,
    sold = before?.sold,
    stocked = before?.stocked,
  } = (document ?? updated ?? {}) as {
    qty?: number;
    sold?: number;
    stocked?: number;
  };
  return stockOf({ _id: sku, qty: qty ?? 0, sold: sold ?? 0, stocked: stocked ?? 0 });
}

const bySku = (left: Stock, right: Stock): number => (left.sku < right.sku ? -1 : 1);
