/**
 * Products of every type, one document each, in one collection. Common fields are at the top level, fields of a type are in `details`,
 * and anything else is in `properties`.
 * Source pattern: product catalog (commerce, section 1).
 *
 * A product's document is also the source of truth for its stock. `saveProducts` sets only catalog fields. `qty`, `carted`, `sold` and
 * `stocked` are changed only by the inventory's updates.
 */
import { defineCollection, type IndexDeclaration } from '../../../database/index.js';
import type { CommentPolicy } from '../../comments/discussion/comment.js';

/** Amounts in minor units of the shop's currency. */
export interface Pricing {
  currency: string;
  /** The list price. */
  list: number;
  /** The price in this shop, at most `list`. */
  retail: number;
  /** `list - retail`. */
  savings: number;
  /** `savings` as a percentage of `list`, with two decimal places. */
  pct_savings: number;
}

/** Fields of audio albums and films. Other types have none. */
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

/** Units held for a cart. */
export interface Hold {
  /** The id of the call that took them. Undo and repair remove them by it. */
  call: string;
  cart_id: string;
  qty: number;
  timestamp: Date;
}

export interface ProductDocument {
  /** The SKU. */
  _id: string;
  /** `AUDIO_ALBUM`, `FILM`, or any other type. */
  type: string;
  title: string;
  /** The title for completion: in lower case, without accents (`product-title.ts`). */
  title_key: string;
  /** The title for search: its distinct words (`product-title.ts`). */
  title_words: string[];
  description?: string;
  asin?: string;
  shipping?: { weight?: number; dimensions?: { width: number; height: number; depth: number } };
  pricing: Pricing;
  /** The categories that it is assigned to directly. */
  category_ids: string[];
  /** These and all their ancestors, derived, distinct, in no particular order. */
  category_tree_ids: string[];
  details: ProductDetails;
  properties: ProductProperty[];
  /** Its pictures (`system/assets`), in the order in which they are shown. Absent until it gets some. */
  image_ids?: string[];
  /** Who may comment on it. Absent: members. */
  comment_policy?: CommentPolicy;
  /** Units that can be bought. Invariant, at rest: `qty` + held in `carted` + `sold` = `stocked`. */
  qty: number;
  carted: Hold[];
  /** Units sold. */
  sold: number;
  /** All units ever added to stock. */
  stocked: number;
  /** The form of the document. */
  version: number;
}

/** The current form of a product's document (`product-form.ts`). */
export const PRODUCT_VERSION = 3;
/** Since this form, products have complete stock and paths, and count toward facets and categories. */
export const COUNTED_VERSION = 2;

export const AUDIO_ALBUM = 'AUDIO_ALBUM';
export const FILM = 'FILM';

/** Equality fields come first, then the sort field. `_id` makes the order total, so that pages never overlap. */
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
  { key: { category_tree_ids: 1, _id: 1 } }, // products of a category and its descendants
  { key: { category_ids: 1, _id: 1 } }, // products of a category itself
  { key: { title_key: 1, _id: 1 } }, // completeTitle
  { key: { title_words: 1, _id: 1 } }, // searchProducts
  { key: { image_ids: 1 }, sparse: true }, // product-image.ts: which pictures are used
  { key: { version: 1 } }, // migrateProducts
  { key: { 'carted.cart_id': 1 } }, // inventory: holds of a cart
  { key: { 'carted.timestamp': 1 } }, // inventory: old holds
];

export const products = defineCollection<ProductDocument>('products', indexes, {
  retiredIndexes: ['title_text'], // it split titles by its own rules
});
