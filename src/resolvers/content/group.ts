/** Nodes that group others, and photos. */
import type { BlogResolvers, FolderResolvers, GalleryResolvers, PhotoResolvers } from '../../generated/resolvers.js';
import type { NodeDocument } from '../../models/content/nodes/node.js';
import { findRecentPosts } from '../../models/content/nodes/post.js';
import type { Context } from '../../server/context/context.js';
import type { PageInput } from '../../shared/page.js';
import { common, withImage } from './node-fields.js';

const description = ({ detail }: NodeDocument) => detail.description ?? '';

const children = ({ _id }: NodeDocument, { first, after }: PageInput, { db, now }: Context) =>
  findRecentPosts(db, _id, { first, after }, now());

export const Folder: FolderResolvers = common;
export const Blog: BlogResolvers = { ...common, description, posts: children };
export const Gallery: GalleryResolvers = { ...common, description, photos: children };
export const Photo: PhotoResolvers = { ...common, ...withImage, description };
