/**
 * Facets: how many products there are of each type, genre, price band and property. Each is a counter that is changed in the
 * transaction that changes a product, so reading them costs nothing that grows with the catalog.
 * Invariant, at every instant: a counter is the number of products that have the value.
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { requireFirst } from '../../shared/connection.js';
import { type Freshness, readPreferenceOf } from './freshness.js';
import type { ProductDocument } from './product.js';

export type FacetKind = 'TYPE' | 'GENRE' | 'PRICE_BAND' | 'PROPERTY';

export interface FacetDocument {
  /** Made of what is below: `PROPERTY/colour/red`. */
  _id: string;
  kind: FacetKind;
  /** The property's name; of other kinds empty. */
  name: string;
  /** Of a price band: where it begins, in minor units. */
  value: string;
  /** 0 stays stored when the last product has gone. */
  count: number;
}

export type FacetKey = Omit<FacetDocument, 'count'>;

export const facets = defineCollection<FacetDocument>('catalog.facets', [
  { key: { kind: 1, count: -1, _id: 1 } }, // findFacets
  { key: { kind: 1, name: 1, count: -1, _id: 1 } }, // findFacets of one property
]);

/** Where price bands begin, in minor units. The last one has no end. */
const PRICE_BANDS = [0, 10_00, 25_00, 50_00, 100_00, 250_00, 500_00, 1000_00] as const;

type Faceted = Pick<ProductDocument, 'type' | 'details' | 'pricing' | 'properties'>;

/** What a product counts for, each once. */
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
 * The values of a kind, those with the most products first.
 * @param name of one property alone
 * @throws LimitError `first` is over 200
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

/** The price bands that have products, the lowest first. */
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
