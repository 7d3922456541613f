/** Nodes that group others, and photos. */
import type { BlogResolvers, FolderResolvers, GalleryResolvers, PhotoResolvers } from '../../generated/resolvers.js';
import type { NodeDocument } from '../../models/content/nodes/node.js';
import { findRecentPosts } from '../../models/content/posts/post.js';
import type { Context } from '../../server/context/context.js';
import type { PageInput } from '../../shared/page.js';
import { common, withImage } from './node-fields.js';
import { feedsAt } from './site/addresses.js';

const description = ({ detail }: NodeDocument) => detail.description ?? '';

const children = ({ _id }: NodeDocument, { first, after }: PageInput, { db, now }: Context) =>
  findRecentPosts(db, _id, { first, after }, now());

export const Folder: FolderResolvers = common;
export const Blog: BlogResolvers = {
  ...common,
  description,
  posts: children,
  feeds: async (node, _args, context) => {
    const { rss, atom, json } = feedsAt(await common.url(node, {}, context));
    return { rss, atom, json };
  },
};
export const Gallery: GalleryResolvers = { ...common, description, photos: children };
export const Photo: PhotoResolvers = { ...common, ...withImage, description };
