/** The pictures of products. */
import type {
  AudioAlbumResolvers,
  ChangeProductImagesResultResolvers,
  FilmResolvers,
  GeneralProductResolvers,
  MutationResolvers,
} from '../../generated/resolvers.js';
import { changeProductImages } from '../../models/commerce/catalog/product-image.js';
import { typeOfProduct } from './product-type.js';

const common = {
  image: async ({ image_ids }, _args, { loaders }) => (image_ids?.[0] ? loaders().asset.load(image_ids[0]) : null),
  images: async ({ image_ids = [] }, _args, { loaders }) =>
    (await Promise.all(image_ids.map((id) => loaders().asset.load(id)))).filter((asset) => asset !== null),
} satisfies GeneralProductResolvers;

export const GeneralProduct: Pick<GeneralProductResolvers, 'image' | 'images'> = common;
export const AudioAlbum: Pick<AudioAlbumResolvers, 'image' | 'images'> = common;
export const Film: Pick<FilmResolvers, 'image' | 'images'> = common;

export const ChangeProductImagesResult: ChangeProductImagesResultResolvers = {
  __resolveType: (outcome) => ('pricing' in outcome ? typeOfProduct(outcome) : 'ProductNotFound'),
};

export const Mutation: Pick<MutationResolvers, 'changeProductImages'> = {
  changeProductImages: (_root, input, { db, now }) => changeProductImages(db, input, now()),
};
