/** Texts as readers would see them. */
import type { QueryResolvers } from '../../generated/resolvers.js';
import { previewMarkdown } from '../../models/content/preview.js';

export const Query: Pick<QueryResolvers, 'previewMarkdown'> = {
  previewMarkdown: (_root, { text }, { db, assets }) => previewMarkdown(db, assets, text),
};
