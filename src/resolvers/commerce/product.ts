/** The catalog: saving, listing, searching and counting products. */

import type {
  AudioAlbumResolvers,
  FilmResolvers,
  GeneralProductResolvers,
  MutationResolvers,
  ProductFacetsResolvers,
  ProductResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import { saveProducts } from '../../models/commerce/catalog/catalog.js';
import { findFacets, findPriceBands } from '../../models/commerce/catalog/facet.js';
import { findAlbums, findFilms, findProduct, findProducts } from '../../models/commerce/catalog/product-list.js';
import { searchProducts } from '../../models/commerce/catalog/product-search.js';
import { completeTitle } from '../../models/commerce/catalog/product-title.js';
import { stockOf } from '../../models/commerce/orders/inventory.js';
import { toGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { runOnce } from '../support/once.js';
import { typeOfProduct } from './product-type.js';

export const Product: ProductResolvers = {
  __resolveType: typeOfProduct,
};

/** The fields of all product types. An object's id contains its type, so that `node` finds it. */
const common = {
  id: ({ _id }) => toGlobalId('Product', _id),
  sku: ({ _id }) => _id,
  price: ({ pricing: { retail, currency } }) => ({ amount: retail, currency }),
  listPrice: ({ pricing: { list, currency } }) => ({ amount: list, currency }),
  discountPercent: ({ pricing }) => pricing.pct_savings,
  categories: async ({ category_ids }, _args, { loaders }) => {
    const found = await Promise.all(category_ids.map((id) => loaders().category.load(id)));
    return found.filter((category) => category !== null); // removed since the product was read
  },
  stock: stockOf,
} satisfies GeneralProductResolvers;

export const GeneralProduct: GeneralProductResolvers = common;

export const AudioAlbum: AudioAlbumResolvers = {
  ...common,
  artist: ({ details }) => details.artist ?? null,
  genres: ({ details }) => details.genres ?? [],
  issuedOn: ({ details }) => details.issued_on ?? null,
  tracks: ({ details }) => details.tracks ?? [],
};

export const Film: FilmResolvers = {
  ...common,
  directors: ({ details }) => details.directors ?? [],
  writers: ({ details }) => details.writers ?? [],
  actors: ({ details }) => details.actors ?? [],
  genres: ({ details }) => details.genres ?? [],
  issuedOn: ({ details }) => details.issued_on ?? null,
  aspectRatio: ({ details }) => details.aspect_ratio ?? null,
};

export const ProductFacets: ProductFacetsResolvers = {
  types: ({ freshness }, { first }, { db }) => findFacets(db, 'TYPE', { first }, freshness),
  genres: ({ freshness }, { first }, { db }) => findFacets(db, 'GENRE', { first }, freshness),
  priceBands: ({ freshness }, _args, { db }) => findPriceBands(db, freshness),
  properties: ({ freshness }, { first, name }, { db }) => findFacets(db, 'PROPERTY', { first, name }, freshness),
};

export const Query: Pick<
  QueryResolvers,
  'product' | 'products' | 'albums' | 'films' | 'searchProducts' | 'completeTitle' | 'productFacets'
> = {
  product: (_root, { sku }, { db }) => findProduct(db, sku),
  products: (_root, { filter, sort, first, after, freshness }, { db }) =>
    findProducts(db, { filter, sort }, { first, after }, freshness),
  albums: (_root, { genre, first, after, freshness }, { db }) => findAlbums(db, genre, { first, after }, freshness),
  films: (_root, { actor, first, after, freshness }, { db }) => findFilms(db, actor, { first, after }, freshness),
  searchProducts: (_root, { text, type, sort, first, after, freshness }, { db }) =>
    searchProducts(db, { text, type, sort }, { first, after }, freshness),
  completeTitle: (_root, { prefix, first, freshness }, { db }) => completeTitle(db, prefix, first, freshness),
  productFacets: (_root, { freshness }) => ({ freshness }),
};

export const TitleCompletion = {
  sku: ({ _id }: { readonly _id: string }) => _id,
};

export const Mutation: Pick<MutationResolvers, 'saveProducts'> = {
  saveProducts: async (_root, { products, idempotencyKey: key }, context) => {
    const { db, store } = context;
    const act = await actOfViewer(context);
    const keyed = { operation: 'saveProducts', key, input: products } as const;
    return runOnce(context, keyed, (_call, _at, _begunAt, attempt) =>
      saveProducts(db, act, products, store.currency, attempt),
    );
  },
};
