/** Tags. */
import type { MutationResolvers, QueryResolvers, TagCountResolvers } from '../../generated/resolvers.js';
import { findTagged } from '../../models/content/nodes/node-list.js';
import { findTags } from '../../models/content/nodes/tag.js';
import { addTags, removeTags } from '../../models/content/tags/node-tags.js';
import { nodeIdOf } from './node-type.js';
import { taggingOf } from './write.js';

export const TagCount: Pick<TagCountResolvers, 'tag'> = { tag: ({ _id }) => _id };

export const Query: Pick<QueryResolvers, 'tags' | 'tagged'> = {
  tags: (_root, { prefix, first }, { db }) => findTags(db, prefix, first),
  tagged: (_root, { tags, first, after }, { db, now }) => findTagged(db, tags, { first, after }, now()),
};

export const Mutation: Pick<MutationResolvers, 'addTags' | 'removeTags'> = {
  addTags: async (_root, { id, tags }, context) => addTags(context.db, nodeIdOf(id), tags, await taggingOf(context)),
  removeTags: async (_root, { id, tags }, context) =>
    removeTags(context.db, nodeIdOf(id), tags, await taggingOf(context)),
};
