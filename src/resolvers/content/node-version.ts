/** Versions of nodes. */
import type {
  FieldDifferenceResolvers,
  MutationResolvers,
  NodeVersionResolvers,
  RestoreVersionResultResolvers,
} from '../../generated/resolvers.js';
import { ROOT } from '../../models/content/nodes/node.js';
import { changesOf, type FieldDifference as Difference } from '../../models/content/nodes/node-difference.js';
import { restoreVersion } from '../../models/content/nodes/node-edit.js';
import { toGlobalId } from '../../shared/global-id.js';
import { nodeIdOf, typeOfOutcome } from './node-type.js';
import { writeOnce } from './write.js';

export const NodeVersion: NodeVersionResolvers = {
  nonce: ({ _id }) => _id.nonce,
  text: ({ detail }) => detail.text ?? null,
  description: ({ detail }) => detail.description ?? null,
  videoUrl: ({ detail }) => detail.video_url ?? null,
  source: ({ detail }) => detail.source ?? null,
  imageId: ({ detail }) => (detail.asset_id ? toGlobalId('Asset', detail.asset_id) : null),
  publishedAt: ({ published }) => published,
  changes: (version) => (version.previous ? changesOf(version.previous, version) : []),
};

/** Stored ids that a difference holds, as the API names them. */
const ID_TYPES: Readonly<Record<string, string>> = { parentId: 'ContentNode', imageId: 'Asset' };

const shown = ({ field }: Difference, value: string | null): string | null => {
  const type = ID_TYPES[field];
  if (value === null || type === undefined) return value;
  return value === ROOT ? null : toGlobalId(type, value);
};

export const FieldDifference: FieldDifferenceResolvers = {
  base: (difference) => shown(difference, difference.base),
  yours: (difference) => shown(difference, difference.yours),
  theirs: (difference) => shown(difference, difference.theirs),
  merged: (difference) => shown(difference, difference.merged),
};

export const RestoreVersionResult: RestoreVersionResultResolvers = { __resolveType: typeOfOutcome };

export const Mutation: Pick<MutationResolvers, 'restoreVersion'> = {
  restoreVersion: (_root, { id, version, nonce, idempotencyKey: key }, context) => {
    const call = { operation: 'restoreVersion', key, input: { id, version, nonce } } as const;
    const restoration = { id: nodeIdOf(id), version, nonce };
    return writeOnce(context, call, (write) => restoreVersion(context.db, write, restoration));
  },
};
