/**
 * Products of every kind, one document each, in one collection. What all have is at the top; what a kind has besides is in `details`;
 * what nobody foresaw is in `properties`.
 * Source pattern: product catalog (commerce, section 1).
 *
 * A product's document is also the record of truth of its stock. `saveProducts` sets the catalog's fields alone; `qty`, `carted`, `sold`
 * and `stocked` are changed by the inventory's updates alone.
 */
import { defineCollection, type IndexDeclaration } from '../../database/index.js';

/** Amounts in minor units of the shop's currency. */
export interface Pricing {
  currency: string;
  /** What it costs elsewhere. */
  list: number;
  /** What it costs here: at most `list`. */
  retail: number;
  /** `list - retail`. */
  savings: number;
  /** `savings` in per cent of `list`, with two decimals. */
  pct_savings: number;
}

/** Of an audio album and a film; other kinds have none. */
export interface ProductDetails {
  artist?: string;
  genres?: string[];
  tracks?: { title: string; seconds: number }[];
  directors?: string[];
  writers?: string[];
  actors?: string[];
  aspect_ratio?: string;
  /** The day at 00:00 UTC. */
  issued_on?: Date;
}

export interface ProductProperty {
  name: string;
  value: string;
}

/** Units that a cart holds. */
export interface Hold {
  /** The id of the call that took them: undo and repair remove by it. */
  call: string;
  cart_id: string;
  qty: number;
  timestamp: Date;
}

export interface ProductDocument {
  /** The SKU. */
  _id: string;
  /** `AUDIO_ALBUM`, `FILM`, or any other kind. */
  type: string;
  title: string;
  /** The title for completion: without marks, in lower case (`product-title.ts`). */
  title_key: string;
  /** The title for search: its words, each once (`product-title.ts`). */
  title_words: string[];
  description?: string;
  asin?: string;
  shipping?: { weight?: number; dimensions?: { width: number; height: number; depth: number } };
  pricing: Pricing;
  /** The categories that it was put into. */
  category_ids: string[];
  /** Those and all their ancestors, derived: in no order, without repeats. */
  category_tree_ids: string[];
  details: ProductDetails;
  properties: ProductProperty[];
  /** Units that can be bought. Invariant, at rest: `qty` + held in `carted` + `sold` = `stocked`. */
  qty: number;
  carted: Hold[];
  /** Units that were sold. */
  sold: number;
  /** Units that were ever brought in. */
  stocked: number;
  /** The form of the document. */
  version: number;
}

/** The present form of a product's document (`product-form.ts`). */
export const PRODUCT_VERSION = 3;
/** Products have a whole stock, paths, and count for facets and categories since this form. */
export const COUNTED_VERSION = 2;

export const AUDIO_ALBUM = 'AUDIO_ALBUM';
export const FILM = 'FILM';

/** The order of a list stands after what must be equal; `_id` makes it total, so that pages never overlap. */
const indexes: readonly IndexDeclaration[] = [
  { key: { 'pricing.pct_savings': 1, _id: 1 } }, // findProducts by discount
  { key: { 'pricing.retail': 1, _id: 1 } }, // findProducts by price
  { key: { type: 1, _id: 1 } }, // findProducts of a type
  { key: { 'details.genres': 1, _id: 1 } }, // findProducts of a genre
  { key: { 'properties.name': 1, 'properties.value': 1, _id: 1 } }, // findProducts with a property
  { key: { type: 1, 'pricing.retail': 1, _id: 1 } }, // findProducts of a type by price, as the next two
  { key: { 'details.genres': 1, 'pricing.retail': 1, _id: 1 } },
  { key: { 'properties.name': 1, 'properties.value': 1, 'pricing.retail': 1, _id: 1 } },
  {
    key: { type: 1, 'details.genres': 1, 'details.issued_on': 1, _id: 1 }, // findAlbums
    partialFilterExpression: { type: AUDIO_ALBUM },
  },
  {
    key: { type: 1, 'details.actors': 1, 'details.issued_on': 1, _id: 1 }, // findFilms
    partialFilterExpression: { type: FILM },
  },
  { key: { category_tree_ids: 1, _id: 1 } }, // products of a category and all below it
  { key: { category_ids: 1, _id: 1 } }, // products of a category itself
  { key: { title_key: 1, _id: 1 } }, // completeTitle
  { key: { title_words: 1, _id: 1 } }, // searchProducts
  { key: { version: 1 } }, // migrateProducts
  { key: { 'carted.cart_id': 1 } }, // inventory: what a cart holds
  { key: { 'carted.timestamp': 1 } }, // inventory: holds that are old
];

export const products = defineCollection<ProductDocument>('products', indexes, {
  retiredIndexes: ['title_text'], // it split titles by rules of its own
});
