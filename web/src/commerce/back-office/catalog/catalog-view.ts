/** The view of the catalog: all products, or those of a facet, a price or a search. It is kept in the URL. */
import type { ProductFilter, ProductSort } from '../../../../generated/graphql.js';
import { navigate, useLocation } from '../../../kit/base/location.js';

export interface CatalogView {
  /** Words to search for; null: the list. */
  readonly text: string | null;
  readonly filter: ProductFilter;
  readonly sort: ProductSort | null;
  /** The open product. */
  readonly sku: string | null;
}

/** The highest possible price. */
export const PRICE_MAX = 1_000_000_000;

/** The sort orders that an index supports, by filter. The first is the default. */
const sortsOf = {
  price: ['PRICE_ASC', 'PRICE_DESC'],
  other: ['SKU', 'PRICE_ASC', 'PRICE_DESC'],
  none: ['SKU', 'PRICE_ASC', 'PRICE_DESC', 'DISCOUNT_DESC'],
} as const satisfies Record<string, readonly ProductSort[]>;

export const sortWords: Readonly<Record<ProductSort, string>> = {
  SKU: 'By SKU',
  PRICE_ASC: 'Cheapest first',
  PRICE_DESC: 'Most expensive first',
  DISCOUNT_DESC: 'Highest discount first',
};

export function sortsFor(filter: ProductFilter): readonly ProductSort[] {
  if (filter.price) return sortsOf.price;
  return Object.keys(filter).length === 0 ? sortsOf.none : sortsOf.other;
}

function readFilter(query: URLSearchParams): ProductFilter {
  const [type, genre, name, value] = ['type', 'genre', 'property', 'value'].map((key) => query.get(key));
  const price = query.has('from') && {
    price: { min: Number(query.get('from')) || 0, max: Number(query.get('to')) || PRICE_MAX },
  };
  if (genre) return { ...price, genre };
  if (name && value) return { ...price, property: { name, value } };
  return { ...price, ...(type && { type }) };
}

/** The filter after a facet was selected: a price combines with one other facet; the others replace each other. */
export function withFacet(filter: ProductFilter, { price, ...other }: ProductFilter): ProductFilter {
  const { price: before, ...kept } = filter;
  return price ? { ...kept, price } : { ...other, ...(before && { price: before }) };
}

/** The filter after a facet was deselected. */
export function withoutFacet(filter: ProductFilter, facet: ProductFilter): ProductFilter {
  return Object.fromEntries(Object.entries(filter).filter(([field]) => !(field in facet)));
}

/** Whether the filter contains the facet. */
export const hasFacet = (filter: ProductFilter, facet: ProductFilter): boolean =>
  Object.entries(facet).every(
    ([field, value]) => JSON.stringify(filter[field as keyof ProductFilter]) === JSON.stringify(value),
  );

function writeView({ text, filter, sort, sku }: CatalogView): string {
  const query = new URLSearchParams();
  const { type, genre, price, property } = filter;
  if (text) query.set('q', text);
  if (type) query.set('type', type);
  if (genre) query.set('genre', genre);
  if (price) {
    query.set('from', String(price.min));
    if (price.max < PRICE_MAX) query.set('to', String(price.max));
  }
  if (property) {
    query.set('property', property.name);
    query.set('value', property.value);
  }
  if (sort) query.set('sort', sort);
  if (sku) query.set('sku', sku);
  return query.size === 0 ? '/commerce' : `/commerce?${query}`;
}

/** The view in the URL, and a function that changes parts of it. */
export function useCatalogView(): [CatalogView, (change: Partial<CatalogView>) => void] {
  const { query } = useLocation();
  const filter = readFilter(query);
  const asked = query.get('sort') as ProductSort | null;
  const view: CatalogView = {
    text: query.get('q'),
    filter,
    sort: asked && sortsFor(filter).includes(asked) ? asked : null,
    sku: query.get('sku'),
  };
  return [view, (change) => navigate(writeView({ ...view, ...change }))];
}
