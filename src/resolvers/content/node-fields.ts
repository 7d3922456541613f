/** The fields that all types of nodes have. */
import type { PageResolvers, PhotoResolvers } from '../../generated/resolvers.js';
import { type NodeDocument, stateOf } from '../../models/content/nodes/node.js';
import { pathOf } from '../../models/content/nodes/node-path.js';
import { findVersions } from '../../models/content/nodes/node-version.js';
import { publicPathOf } from '../../models/content/nodes/public-path.js';
import type { Context } from '../../server/context/context.js';
import { toGlobalId } from '../../shared/global-id.js';
import { readingMinutesOf } from '../../shared/rendering/plain-text.js';
import { htmlOf } from './node-html.js';
import { visible } from './node-type.js';

const lineageOf = ({ parent_id }: NodeDocument, { loaders }: Context) => loaders().lineage.load(parent_id);

/** An object's id contains its type, so that `node` finds it. */
export const common = {
  id: ({ _id }) => toGlobalId('ContentNode', _id),
  path: async (node, _args, context) => pathOf(node, await lineageOf(node, context)),
  url: async (node, _args, context) => {
    const path = pathOf(node, await lineageOf(node, context));
    return new URL(publicPathOf(path), context.publicUrl()).href;
  },
  state: (node, _args, { now }) => stateOf(node, now()),
  readingMinutes: ({ words }) => readingMinutesOf(words),
  createdAt: ({ created }) => created,
  editedAt: ({ edited }) => edited,
  publishedAt: ({ published }) => published,
  parent: async (node, _args, context) => visible(context, (await lineageOf(node, context))[0] ?? null),
  ancestors: async (node, _args, context) =>
    (await lineageOf(node, context)).filter((above) => visible(context, above) !== null),
  versions: ({ _id }, { first, after }, { db }) => findVersions(db, _id, { first, after }),
  commentPolicy: ({ comment_policy }) => comment_policy,
  commentDesign: ({ comment_design }) => comment_design,
  commentCount: () => 0,
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
