/** Nodes that group others, and photos. */
import type { BlogResolvers, FolderResolvers, GalleryResolvers, PhotoResolvers } from '../../generated/resolvers.js';
import type { NodeDocument } from '../../models/content/nodes/node.js';
import { findAllPhotos, findOwnPhotos, findPhotos } from '../../models/content/posts/photo-list.js';
import { findRecentPosts } from '../../models/content/posts/post.js';
import { common, withImage } from './node-fields.js';
import { feedsAt } from './site/addresses.js';

const description = ({ detail }: NodeDocument) => detail.description ?? '';

export const Folder: FolderResolvers = common;
export const Blog: BlogResolvers = {
  ...common,
  description,
  posts: ({ _id }, page, { db, now }) => findRecentPosts(db, _id, page, now()),
  feeds: async (node, _args, context) => {
    const { rss, atom, json } = feedsAt(await common.url(node, {}, context));
    return { rss, atom, json };
  },
};
export const Gallery: GalleryResolvers = {
  ...common,
  description,
  photoOrder: ({ photo_order }) => photo_order ?? 'NEWEST_FIRST',
  photos: (gallery, page, { db, now }) => findPhotos(db, gallery, page, now()),
  allPhotos: (gallery, page, { db }) => findAllPhotos(db, gallery, page),
  ownPhotos: ({ _id }, page, { db, viewer }) => findOwnPhotos(db, _id, viewer.id, page),
};
export const Photo: PhotoResolvers = { ...common, ...withImage, description };
