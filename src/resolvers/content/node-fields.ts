/** The fields that all types of nodes have. */

import type { PageResolvers, PhotoResolvers } from '../../generated/resolvers.js';
import { type NodeDocument, stateOf } from '../../models/content/nodes/node.js';
import { subjectOf } from '../../models/content/nodes/node-comments.js';
import { pathOf } from '../../models/content/nodes/node-path.js';
import { findVersions } from '../../models/content/nodes/node-version.js';
import { isSeenInEveryState } from '../../models/content/nodes/rights.js';
import type { Context } from '../../server/context/context.js';
import { toGlobalId } from '../../shared/global-id.js';
import { readingMinutesOf } from '../../shared/rendering/plain-text.js';
import { commentable } from '../comments/discussion.js';
import { urlOfNode } from './node-comments.js';
import { htmlOf } from './node-html.js';
import { sightOf, typeOfNode, visible } from './node-type.js';

export const lineageOf = ({ parent_id }: NodeDocument, { loaders }: Context) => loaders().lineage.load(parent_id);

/** An object's id contains its type, so that `node` finds it. */
export const common = {
  id: ({ _id }) => toGlobalId('ContentNode', _id),
  path: async (node, _args, context) => pathOf(node, await lineageOf(node, context)),
  url: (node, _args, context) => urlOfNode(node, context),
  state: (node, _args, { now }) => stateOf(node, now()),
  readingMinutes: ({ words }) => readingMinutesOf(words),
  createdAt: ({ created }) => created,
  editedAt: ({ edited }) => edited,
  publishedAt: ({ published }) => published,
  trash: (node) => (node.trash ? { ...node, trash: node.trash } : null),
  parent: async (node, _args, context) => visible(context, (await lineageOf(node, context))[0] ?? null),
  ancestors: async (node, _args, context) =>
    (await lineageOf(node, context)).filter((above) => visible(context, above) !== null),
  // Null, so that the other nodes of a list are answered.
  versions: (node, page, context) =>
    isSeenInEveryState(node, sightOf(context)) ? findVersions(context.db, node._id, page) : null,
  ...commentable(subjectOf, typeOfNode),
} satisfies PageResolvers;

/** Of the types that have a text. */
export const withText = {
  ...common,
  text: ({ detail }) => detail.text ?? '',
  html: (node, _args, context) => htmlOf(node, context),
} satisfies PageResolvers;

/** Of the types that show one picture. */
export const withImage = {
  image: ({ detail }, _args, { loaders }) => (detail.asset_id ? loaders().asset.load(detail.asset_id) : null),
} satisfies Pick<PhotoResolvers, 'image'>;
