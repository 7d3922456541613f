/**
 * Facets: the number of products of each type, genre, price band and property. Each is a counter, updated in the transaction that
 * changes a product, so the cost of reading them does not grow with the catalog.
 * Invariant, at every moment: a counter equals the number of products that have the value.
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { requireFirst } from '../../../shared/page.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import type { ProductDocument } from './product.js';

export type FacetKind = 'TYPE' | 'GENRE' | 'PRICE_BAND' | 'PROPERTY';

export interface FacetDocument {
  /** Composed of the fields below, for example `PROPERTY/color/red`. */
  _id: string;
  kind: FacetKind;
  /** The property's name. Empty for other kinds. */
  name: string;
  /** For a price band: its lower bound in minor units. */
  value: string;
  /** Stays stored as 0 when the last product is gone. */
  count: number;
}

export type FacetKey = Omit<FacetDocument, 'count'>;

export const facets = defineCollection<FacetDocument>('catalog.facets', [
  { key: { kind: 1, count: -1, _id: 1 } }, // findFacets
  { key: { kind: 1, name: 1, count: -1, _id: 1 } }, // findFacets of one property
]);

/** The lower bounds of the price bands in minor units. The last band is open-ended. */
const PRICE_BANDS = [0, 10_00, 25_00, 50_00, 100_00, 250_00, 500_00, 1000_00] as const;

type Faceted = Pick<ProductDocument, 'type' | 'details' | 'pricing' | 'properties'>;

/** The facets that a product counts toward, each once. */
export function facetsOf({ type, details, pricing, properties }: Faceted): FacetKey[] {
  const band = PRICE_BANDS.findLast((from) => from <= pricing.retail) ?? 0;
  const found = [
    facet('TYPE', '', type),
    facet('PRICE_BAND', '', String(band)),
    ...(details.genres ?? []).map((genre) => facet('GENRE', '', genre)),
    ...properties.map(({ name, value }) => facet('PROPERTY', name, value)),
  ];
  return [...new Map(found.map((each) => [each._id, each])).values()];
}

const facet = (kind: FacetKind, name: string, value: string) => ({
  _id: [kind, name, value].map(encodeURIComponent).join('/'),
  kind,
  name,
  value,
});

const FIRST_MAX = 200;

/**
 * The values of a kind, highest count first.
 * @param name restricts the values to this property
 * @throws LimitError `first` exceeds 200
 */
export function findFacets(
  db: Db,
  kind: FacetKind,
  { first, name }: { readonly first: number; readonly name?: string | null | undefined },
  freshness: Freshness,
): Promise<FacetDocument[]> {
  requireFirst(first, FIRST_MAX);
  return facets(db)
    .find({ kind, ...(name != null && { name }), count: { $gt: 0 } }, { readPreference: readPreferenceOf[freshness] })
    .sort({ count: -1, _id: 1 })
    .limit(first)
    .toArray();
}

/** The price bands that have products, lowest first. */
export async function findPriceBands(
  db: Db,
  freshness: Freshness,
): Promise<{ readonly from: number; readonly below: number | null; readonly count: number }[]> {
  const found = await findFacets(db, 'PRICE_BAND', { first: PRICE_BANDS.length }, freshness);
  return found
    .map(({ value, count }) => ({
      from: Number(value),
      below: PRICE_BANDS.find((from) => from > Number(value)) ?? null,
      count,
    }))
    .sort((left, right) => left.from - right.from);
}
