/** The product list of a URL: its filters in words and for the API, and the URLs that add or remove a filter. */
import type { ProductFilter, ProductSort } from '../../../../generated/graphql.js';
import { formatRoundMoney } from '../../../kit/base/money.js';
import { allAddress, listAddress } from '../parts/addresses.js';
import { kindName } from '../parts/shelf.js';

/** The highest price that the API accepts, in minor units. */
const PRICE_MAX = 1_000_000_000;
/** The discount that makes a product a deal, on the home page and in the list of all deals. */
export const DEAL_FROM_PERCENT = 5;

/** One filter of the list. */
export interface Narrowing {
  readonly name: string;
  /** Its query parameters. */
  readonly query: Readonly<Record<string, string>>;
}

export interface Listing {
  readonly title: string;
  readonly filter: ProductFilter;
  readonly sorts: readonly ProductSort[];
  /** The type or the property; null: none. */
  readonly kindred: Narrowing | null;
  readonly price: Narrowing | null;
}

const byAny = ['SKU', 'PRICE_ASC', 'PRICE_DESC', 'DISCOUNT_DESC'] as const;
const byPrice = ['PRICE_ASC', 'PRICE_DESC'] as const;

export function bandName(from: number, below: number | null, currency: string): string {
  const round = (amount: number) => formatRoundMoney({ amount, currency });
  if (below === null) return `${round(from)} and up`;
  return from === 0 ? `Under ${round(below)}` : `${round(from)} to ${round(below)}`;
}

export const bandQuery = (from: number, below: number | null): Narrowing['query'] => ({
  from: String(from),
  ...(below !== null && { below: String(below) }),
});

/** The URL of the list with these filters. */
export function narrowedAddress(...parts: readonly (Narrowing['query'] | undefined)[]): string {
  const query: Record<string, string> = Object.assign({}, ...parts);
  return Object.keys(query).length === 0 ? allAddress : listAddress(query);
}

export function listingOf(query: URLSearchParams, currency: string): Listing {
  if (query.has('deals')) {
    const filter = { discountAtLeast: DEAL_FROM_PERCENT };
    return { title: 'Deals', filter, sorts: ['DISCOUNT_DESC'], kindred: null, price: null };
  }
  const kindred = kindredOf(query);
  const price = priceOf(query, currency);
  const narrowings = [kindred, price].filter((each) => each !== null);
  const sorts = price ? byPrice : kindred ? (['SKU', ...byPrice] as const) : byAny;
  return {
    title: narrowings.map(({ name }) => name).join(', ') || 'All products',
    filter: Object.assign({}, ...narrowings.map(({ filter }) => filter)),
    sorts,
    kindred,
    price,
  };
}

type Filtering = Narrowing & { readonly filter: ProductFilter };

function kindredOf(query: URLSearchParams): Filtering | null {
  const type = query.get('kind');
  if (type !== null) return { name: kindName(type), query: { kind: type }, filter: { type } };
  const name = query.get('property');
  if (name === null) return null;
  const value = query.get('value') ?? '';
  return { name: value, query: { property: name, value }, filter: { property: { name, value } } };
}

function priceOf(query: URLSearchParams, currency: string): Filtering | null {
  if (!query.has('from')) return null;
  const from = wholeOf(query.get('from'));
  const below = query.has('below') ? wholeOf(query.get('below')) : null;
  const max = below === null ? PRICE_MAX : Math.min(PRICE_MAX, Math.max(from, below - 1));
  return {
    name: bandName(from, below, currency),
    query: bandQuery(from, below),
    filter: { price: { min: from, max } },
  };
}

/** Sanitizes a number, since a URL may be edited by hand. */
const wholeOf = (text: string | null) => Math.min(PRICE_MAX, Math.max(0, Math.trunc(Number(text)) || 0));
