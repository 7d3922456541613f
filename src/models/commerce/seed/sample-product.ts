/** How the sample products are written down. */
import type { FilmInput, ProductInput } from '../catalog/product-input.js';

export interface SampleProduct {
  readonly product: Omit<ProductInput, 'price' | 'listPrice'>;
  /** In minor units of the store's currency. */
  readonly price: number;
  readonly listPrice?: number;
  /** What is in stock. 0: sold out. */
  readonly units: number;
}

/** Price and stock, in this order: price, list price if it is higher, units. */
export type Terms = readonly [price: number, listPrice: number | null, units: number];

const termsOf = ([price, listPrice, units]: Terms) => ({ price, ...(listPrice !== null && { listPrice }), units });

interface Album {
  readonly artist: string;
  readonly issuedOn: string;
  readonly genres: readonly string[];
  readonly about: string;
  /** Title and length in seconds. */
  readonly tracks: Readonly<Record<string, number>>;
}

export const album = (sku: string, title: string, terms: Terms, { about, tracks, ...rest }: Album): SampleProduct => ({
  product: {
    sku,
    title,
    type: 'AUDIO_ALBUM',
    description: about,
    categories: rest.genres.map((genre) => genre.toLowerCase()),
    shipping: { weight: 230, dimensions: { width: 315, height: 315, depth: 4 } },
    properties: [{ name: 'format', value: 'LP' }],
    album: {
      ...rest,
      issuedOn: new Date(rest.issuedOn),
      tracks: Object.entries(tracks).map(([name, seconds]) => ({ title: name, seconds })),
    },
  },
  ...termsOf(terms),
});

interface Film extends Omit<FilmInput, 'issuedOn'> {
  readonly issuedOn: string;
  readonly about: string;
}

export const film = (sku: string, title: string, terms: Terms, { about, ...rest }: Film): SampleProduct => ({
  product: {
    sku,
    title,
    type: 'FILM',
    description: about,
    categories: ['films'],
    shipping: { weight: 90 },
    properties: [{ name: 'format', value: 'DVD' }],
    film: { ...rest, issuedOn: new Date(rest.issuedOn) },
  },
  ...termsOf(terms),
});

interface Goods {
  readonly type: string;
  readonly categories: readonly string[];
  readonly about: string;
  /** In grams. */
  readonly weight: number;
  /** Property values by name. */
  readonly properties: Readonly<Record<string, string>>;
}

export const goods = (sku: string, title: string, terms: Terms, made: Goods): SampleProduct => ({
  product: {
    sku,
    title,
    type: made.type,
    description: made.about,
    categories: made.categories,
    shipping: { weight: made.weight },
    properties: Object.entries(made.properties).map(([name, value]) => ({ name, value })),
  },
  ...termsOf(terms),
});
