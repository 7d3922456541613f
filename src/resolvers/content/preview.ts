/** Texts as readers would see them. */
import type { QueryResolvers } from '../../generated/resolvers.js';
import { previewMarkdown } from '../../models/content/preview.js';
import { sightOf } from './node-type.js';

export const Query: Pick<QueryResolvers, 'previewMarkdown'> = {
  previewMarkdown: (_root, { text }, context) => previewMarkdown(context.db, context.assets, text, sightOf(context)),
};
