/** Product input, validated field by field. */

import { InputError } from '../../../shared/errors.js';
import { searchKey } from '../../../shared/search-key.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { type Money, requirePrice } from '../money/money.js';
import { requireSlug } from './category.js';
import {
  AUDIO_ALBUM,
  FILM,
  PRODUCT_VERSION,
  type Pricing,
  type ProductDetails,
  type ProductDocument,
  type ProductProperty,
} from './product.js';
import { titleWords } from './product-title.js';

type Maybe<T> = T | null | undefined;

export interface AlbumInput {
  readonly artist: string;
  readonly genres?: Maybe<readonly string[]>;
  readonly issuedOn: Date;
  readonly tracks?: Maybe<readonly { readonly title: string; readonly seconds: number }[]>;
}

export interface FilmInput {
  readonly directors?: Maybe<readonly string[]>;
  readonly writers?: Maybe<readonly string[]>;
  readonly actors?: Maybe<readonly string[]>;
  readonly genres?: Maybe<readonly string[]>;
  readonly issuedOn: Date;
  readonly aspectRatio?: Maybe<string>;
}

/** Optional fields may also be null. */
export interface ProductInput {
  readonly sku: string;
  readonly title: string;
  readonly type: string;
  readonly description?: Maybe<string>;
  readonly asin?: Maybe<string>;
  readonly price: Money;
  readonly listPrice?: Maybe<Money>;
  readonly shipping?: Maybe<{
    readonly weight?: Maybe<number>;
    readonly dimensions?: Maybe<{ readonly width: number; readonly height: number; readonly depth: number }>;
  }>;
  /** Slugs. */
  readonly categories?: Maybe<readonly string[]>;
  readonly properties?: Maybe<readonly ProductProperty[]>;
  readonly album?: Maybe<AlbumInput>;
  readonly film?: Maybe<FilmInput>;
}

/** The fields that `saveProducts` sets. Its categories are still slugs. */
export type CatalogFields = Omit<
  ProductDocument,
  'category_ids' | 'category_tree_ids' | 'qty' | 'carted' | 'sold' | 'stocked'
>;

/** Optional fields. A replaced product loses those that are omitted. */
export const OPTIONAL_FIELDS = ['description', 'asin', 'shipping'] as const;

const SKU = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,63}$/;
const TYPE = /^[A-Z][A-Z0-9_]{0,49}$/;
const ASIN = /^[A-Z0-9]{10}$/;
const UNREADABLE = /[\p{Cc}\p{Cs}]/u;
const TITLE_MAX = 300;
const DESCRIPTION_MAX = 10_000;
const NAME_MAX = 200;
const VALUE_MAX = 500;
const NAMES_MAX = 50;
const TRACKS_MAX = 300;
const PROPERTIES_MAX = 50;
const CATEGORIES_MAX = 20;
const SECONDS_MAX = 86_400;
const MEASURE_MAX = 1_000_000;

/** @throws InputError names the field inside the product, for example `album.tracks.0.seconds` */
export function readProduct(input: ProductInput, currency: string): { fields: CatalogFields; slugs: string[] } {
  const title = requireVisible('title', input.title, TITLE_MAX);
  const fields: CatalogFields = {
    _id: requireMatch(
      'sku',
      input.sku,
      SKU,
      'must start with a letter or digit, followed by letters, digits and ._:+-, at most 64 characters',
    ),
    type: requireMatch(
      'type',
      input.type,
      TYPE,
      'must consist of capital letters, digits and _, such as AUDIO_ALBUM, at most 50 characters',
    ),
    title,
    title_key: searchKey(title),
    title_words: titleWords(title),
    pricing: readPricing(input, currency),
    details: readDetails(input),
    properties: readProperties(input.properties),
    version: PRODUCT_VERSION,
  };
  if (input.description != null) fields.description = requireDescription(input.description);
  if (input.asin != null) fields.asin = requireMatch('asin', input.asin, ASIN, 'must be 10 capital letters and digits');
  if (input.shipping != null) fields.shipping = readShipping(input.shipping);
  const slugs = requireList('categories', input.categories, CATEGORIES_MAX, requireSlug);
  return { fields, slugs: [...new Set(slugs)] };
}

function readPricing({ price, listPrice }: ProductInput, currency: string): Pricing {
  const retail = requirePrice('price', price, currency);
  const list = listPrice == null ? retail : requirePrice('listPrice', listPrice, currency);
  if (list < retail) throw new InputError('listPrice.amount', 'must not be less than the price');
  const savings = list - retail;
  const pct_savings = list === 0 ? 0 : Math.round((savings / list) * 10_000) / 100;
  return { currency, list, retail, savings, pct_savings };
}

function readDetails({ type, album, film }: ProductInput): ProductDetails {
  if ((type === AUDIO_ALBUM) !== (album != null))
    throw new InputError('album', `is required for the type ${AUDIO_ALBUM} and not allowed for others`);
  if ((type === FILM) !== (film != null))
    throw new InputError('film', `is required for the type ${FILM} and not allowed for others`);
  if (album) {
    return {
      artist: requireVisible('album.artist', album.artist, NAME_MAX),
      genres: readNames('album.genres', album.genres),
      issued_on: requireDay('album.issuedOn', album.issuedOn),
      tracks: requireList('album.tracks', album.tracks, TRACKS_MAX, (field, track) => ({
        title: requireVisible(`${field}.title`, track.title, TITLE_MAX),
        seconds: requireNumber(`${field}.seconds`, track.seconds, SECONDS_MAX),
      })),
    };
  }
  if (!film) return {};
  return {
    directors: readNames('film.directors', film.directors),
    writers: readNames('film.writers', film.writers),
    actors: readNames('film.actors', film.actors),
    genres: readNames('film.genres', film.genres),
    issued_on: requireDay('film.issuedOn', film.issuedOn),
    ...(film.aspectRatio != null && { aspect_ratio: requireVisible('film.aspectRatio', film.aspectRatio, NAME_MAX) }),
  };
}

const readNames = (field: string, names: Maybe<readonly string[]>): string[] => [
  ...new Set(requireList(field, names, NAMES_MAX, (at, name) => requireVisible(at, name, NAME_MAX))),
];

const readProperties = (properties: ProductInput['properties']): ProductProperty[] =>
  requireList('properties', properties, PROPERTIES_MAX, (field, { name, value }) => ({
    name: requireVisible(`${field}.name`, name, NAME_MAX),
    value: requireValue(`${field}.value`, value),
  }));

function readShipping({
  weight,
  dimensions,
}: NonNullable<ProductInput['shipping']>): NonNullable<ProductDocument['shipping']> {
  const shipping: NonNullable<ProductDocument['shipping']> = {};
  if (weight != null) shipping.weight = requireNumber('shipping.weight', weight, MEASURE_MAX);
  if (dimensions != null) {
    const { width, height, depth } = dimensions;
    shipping.dimensions = {
      width: requireNumber('shipping.dimensions.width', width, MEASURE_MAX),
      height: requireNumber('shipping.dimensions.height', height, MEASURE_MAX),
      depth: requireNumber('shipping.dimensions.depth', depth, MEASURE_MAX),
    };
  }
  return shipping;
}

/** Less strict than for names: some languages need directional marks in numbers. */
function requireValue(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length >= 1 && trimmed.length <= VALUE_MAX && !UNREADABLE.test(trimmed)) return trimmed;
  throw new InputError(field, `must have 1 to ${VALUE_MAX} characters and no control characters`);
}

/** Unlike other texts, a description may have several lines. */
function requireDescription(text: string): string {
  if (text.length <= DESCRIPTION_MAX && !UNREADABLE.test(text.replace(/[\t\r\n]/g, ''))) return text;
  throw new InputError(
    'description',
    `must have at most ${DESCRIPTION_MAX} characters and no control characters except tabs and line breaks`,
  );
}

function requireMatch(field: string, text: string, pattern: RegExp, rule: string): string {
  if (pattern.test(text)) return text;
  throw new InputError(field, rule);
}

function requireNumber(field: string, value: number, max: number): number {
  if (Number.isFinite(value) && value >= 0 && value <= max) return value;
  throw new InputError(field, `must be a number from 0 to ${max}`);
}

function requireDay(field: string, day: Date): Date {
  if (!Number.isNaN(day.getTime())) return day;
  throw new InputError(field, 'must be a date');
}

function requireList<T, R>(
  field: string,
  list: Maybe<readonly T[]>,
  lengthMax: number,
  read: (field: string, item: T) => R,
): R[] {
  if (list == null) return [];
  if (list.length > lengthMax) throw new InputError(field, `must have at most ${lengthMax} items`);
  return list.map((item, index) => read(`${field}.${index}`, item));
}
