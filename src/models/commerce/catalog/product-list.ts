/** Lists of products. Each is read from one index, in index order, from where the previous page ended. */
import type { Db, Document, Filter } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import { AUDIO_ALBUM, FILM, type ProductDocument, products } from './product.js';
import { toPresentForm } from './product-form.js';

export type ProductSort = 'SKU' | 'DISCOUNT_DESC' | 'PRICE_ASC' | 'PRICE_DESC';

/** One filter, because each has its own index. A type, genre or property may be combined with a price range. */
export interface ProductFilter {
  /** As a percentage. */
  readonly discountAtLeast?: number | null | undefined;
  /** In minor units, both ends inclusive. */
  readonly price?: { readonly min: number; readonly max: number } | null | undefined;
  readonly property?: { readonly name: string; readonly value: string } | null | undefined;
  readonly type?: string | null | undefined;
  readonly genre?: string | null | undefined;
}

export const FIRST_MAX = 200;

/** A field that a list is sorted by, before `_id`, which has the same direction. */
interface Order {
  readonly field: string;
  readonly direction: 1 | -1;
  /** The value for the cursor: milliseconds for a date. */
  position(product: ProductDocument): number;
  /** The same value as stored. */
  stored(position: number): unknown;
}

const same = (value: number) => value;
const byDiscount: Order = {
  field: 'pricing.pct_savings',
  direction: -1,
  position: ({ pricing }) => pricing.pct_savings,
  stored: same,
};
const byPrice = (direction: 1 | -1): Order => ({
  field: 'pricing.retail',
  direction,
  position: ({ pricing }) => pricing.retail,
  stored: same,
});
const byIssue: Order = {
  field: 'details.issued_on',
  direction: -1,
  position: ({ details }) => details.issued_on?.getTime() ?? 0,
  stored: (ms) => new Date(ms),
};

/** The orders available for each filter. The first one is the default. */
const sortsOf: Readonly<Record<keyof ProductFilter | 'none', readonly ProductSort[]>> = {
  none: ['SKU', 'DISCOUNT_DESC', 'PRICE_ASC', 'PRICE_DESC'],
  discountAtLeast: ['DISCOUNT_DESC'],
  price: ['PRICE_ASC', 'PRICE_DESC'],
  property: ['SKU', 'PRICE_ASC', 'PRICE_DESC'],
  type: ['SKU', 'PRICE_ASC', 'PRICE_DESC'],
  genre: ['SKU', 'PRICE_ASC', 'PRICE_DESC'],
};

const orderOf: Readonly<Record<ProductSort, Order | null>> = {
  SKU: null,
  DISCOUNT_DESC: byDiscount,
  PRICE_ASC: byPrice(1),
  PRICE_DESC: byPrice(-1),
};

/** The product with this SKU. */
export async function findProduct(db: Db, sku: string): Promise<ProductDocument | null> {
  const found = await products(db).findOne({ _id: sku });
  return found && toPresentForm(found);
}

/** The products with these SKUs, in any order. */
export async function findProductsBySku(db: Db, skus: readonly string[]): Promise<ProductDocument[]> {
  const found = await products(db)
    .find({ _id: { $in: [...skus] } })
    .toArray();
  return found.map(toPresentForm);
}

/**
 * Products that match a filter, sorted.
 * @param sort if omitted, the default order of the filter
 * @throws InputError no index supports this combination of filters, or this sort order with them
 * @throws LimitError `first` exceeds 200 @throws CursorError `after` is invalid or belongs to another list
 */
export function findProducts(
  db: Db,
  { filter, sort }: { readonly filter: ProductFilter; readonly sort?: ProductSort | null | undefined },
  page: PageInput,
  freshness: Freshness,
): Promise<Connection<ProductDocument>> {
  const sorts = sortsFor(filter);
  const [usual = 'SKU'] = sorts;
  const chosen = sort ?? usual;
  if (!sorts.includes(chosen))
    throw new InputError(
      'sort',
      `must be ${sorts.join(' or ')} with this filter, because no index supports other orders`,
    );
  return findPage(db, { query: queryOf(filter), order: orderOf[chosen] }, page, freshness);
}

/** @throws InputError no index supports this combination of filters */
function sortsFor(filter: ProductFilter): readonly ProductSort[] {
  const fields = ['discountAtLeast', 'price', 'property', 'type', 'genre'] as const;
  const [one = 'none', other, ...more] = fields.filter((field) => filter[field] != null);
  if (other === undefined) return sortsOf[one];
  if (one === 'price' && more.length === 0) return sortsOf.price;
  throw new InputError(
    'filter',
    'must have one field, or price and one of property, type and genre, because no index supports other combinations',
  );
}

/** @throws InputError */
function queryOf({ discountAtLeast, price, property, type, genre }: ProductFilter): Filter<ProductDocument> {
  if (discountAtLeast != null && !(discountAtLeast >= 0 && discountAtLeast <= 100))
    throw new InputError('filter.discountAtLeast', 'must be from 0 to 100');
  if (price != null && !(price.min >= 0 && price.min <= price.max))
    throw new InputError('filter.price', 'must have `min` of at least 0 and `max` of at least `min`');
  return {
    ...(property != null && { properties: { $elemMatch: { name: property.name, value: property.value } } }),
    ...(type != null && { type }),
    ...(genre != null && { 'details.genres': genre }),
    ...(discountAtLeast != null && { 'pricing.pct_savings': { $gte: discountAtLeast } }),
    ...(price != null && { 'pricing.retail': { $gte: price.min, $lte: price.max } }),
  };
}

/** Albums of a genre, newest first. */
export function findAlbums(
  db: Db,
  genre: string,
  page: PageInput,
  freshness: Freshness,
): Promise<Connection<ProductDocument>> {
  return findPage(db, { query: { type: AUDIO_ALBUM, 'details.genres': genre }, order: byIssue }, page, freshness);
}

/** Films with an actor, newest first. */
export function findFilms(
  db: Db,
  actor: string,
  page: PageInput,
  freshness: Freshness,
): Promise<Connection<ProductDocument>> {
  return findPage(db, { query: { type: FILM, 'details.actors': actor }, order: byIssue }, page, freshness);
}

export interface ProductList {
  readonly query: Filter<ProductDocument>;
  /** Null to sort by SKU alone. */
  readonly order: Order | null;
}

/** @throws LimitError `first` exceeds 200 @throws CursorError `after` is invalid or belongs to another list */
export async function findPage(
  db: Db,
  list: ProductList,
  { first, after }: PageInput,
  freshness: Freshness,
): Promise<Connection<ProductDocument>> {
  requireFirst(first, FIRST_MAX);
  const { query, order } = list;
  const sort: Record<string, 1 | -1> = order ? { [order.field]: order.direction, _id: order.direction } : { _id: 1 };
  const found = await products(db)
    .find(after ? following(list, after) : query, { readPreference: readPreferenceOf[freshness] })
    .sort(sort)
    .limit(first + 1)
    .toArray();
  return toPage(found, first, list);
}

/** @param found in the list's order, up to one more than `first` */
export function toPage(
  found: readonly ProductDocument[],
  first: number,
  list: ProductList,
): Connection<ProductDocument> {
  const name = nameOf(list);
  return toConnection(found.map(toPresentForm), first, (product) =>
    encodePosition(name, list.order ? [list.order.position(product), product._id] : [product._id]),
  );
}

const nameOf = ({ query, order }: ProductList): string =>
  `products ${JSON.stringify([query, order?.field, order?.direction])}`;

/**
 * The filter for everything after a position, as two index ranges that the database merges: the remaining products with an equal value,
 * and the products with a later value. A single range with a condition would scan all equal ones again, and a thousand products may have
 * the same price.
 */
function following({ query, order }: ProductList, after: string): Filter<ProductDocument> {
  const list = nameOf({ query, order });
  if (!order) {
    const [id] = decodePosition(list, after, ['string']);
    return { ...query, _id: { $gt: String(id) } };
  }
  const [position, id] = decodePosition(list, after, ['number', 'string']) as [number, string];
  const value = order.stored(position);
  const beyond = order.direction === 1 ? '$gt' : '$lt';
  const bounds = (query as Document)[order.field] as Document | undefined;
  return {
    $or: [
      { ...query, [order.field]: value, _id: { [beyond]: id } },
      { ...query, [order.field]: { ...bounds, [beyond]: value } },
    ],
  } as Filter<ProductDocument>;
}
