/** Nodes: their fields, and the writes that editors make. */
import type {
  ContentNodeResolvers,
  CreateNodeResultResolvers,
  DeletedNodeResolvers,
  DeleteNodeResultResolvers,
  EditNodeResultResolvers,
  MoveNodeResultResolvers,
  MutationResolvers,
  NodeTrashResolvers,
  PageResolvers,
  QueryResolvers,
  RestoreNodeResultResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { findChild, type NodeDocument, ROOT } from '../../models/content/nodes/node.js';
import { createNode } from '../../models/content/nodes/node-creation.js';
import { editNode } from '../../models/content/nodes/node-edit.js';
import { nodeFeed } from '../../models/content/nodes/node-feed.js';
import { filterFor, findNodes } from '../../models/content/nodes/node-list.js';
import { moveNode } from '../../models/content/nodes/node-move.js';
import { findByPath, pathOf } from '../../models/content/nodes/node-path.js';
import { deleteNode, restorableUntil, restoreNode } from '../../models/content/nodes/node-trash.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { resultType } from '../support/result-type.js';
import { lineageOf, withText } from './node-fields.js';
import { nodeIdOf, sightOf, typeOfNode, typeOfOutcome, visible } from './node-type.js';
import { writeOnce } from './write.js';

export const ContentNode: Pick<ContentNodeResolvers, '__resolveType'> = { __resolveType: typeOfNode };

export const Page: PageResolvers = withText;

export const NodeTrash: NodeTrashResolvers = {
  deletedAt: ({ trash }) => trash.at,
  restorableUntil: ({ trash }) => restorableUntil(trash.at),
  formerPath: async (node, _args, context) => pathOf(node.trash, await lineageOf(node, context)),
};

export const CreateNodeResult: CreateNodeResultResolvers = { __resolveType: typeOfOutcome };
export const EditNodeResult: EditNodeResultResolvers = { __resolveType: typeOfOutcome };
export const MoveNodeResult: MoveNodeResultResolvers = { __resolveType: typeOfOutcome };
export const RestoreNodeResult: RestoreNodeResultResolvers = { __resolveType: typeOfOutcome };
export const DeleteNodeResult: DeleteNodeResultResolvers = { __resolveType: resultType('DeletedNode') };

export const DeletedNode: Pick<DeletedNodeResolvers, 'id'> = {
  id: ({ deletedId }) => toGlobalId('ContentNode', deletedId),
};

/** The stored id of a filter. @throws InputError */
function requireId(field: string, type: string, globalId: string | null | undefined): string | null {
  if (globalId === null || globalId === undefined) return null;
  const id = idOfType(type, globalId);
  if (id === null) throw new InputError(field, `must be the id of a ${type}`);
  return id;
}

export const Query: Pick<QueryResolvers, 'nodeByPath' | 'nodeBySlug' | 'nodes'> = {
  nodeByPath: async (_root, { path }, context) => visible(context, (await findByPath(context.db, path))?.node ?? null),
  nodeBySlug: async (_root, { parentId, slug }, context) =>
    visible(context, await findChild(context.db, parentId ? nodeIdOf(parentId) : ROOT, slug)),
  nodes: (_root, { filter: { type, state, ...ids }, first, after }, context) => {
    const parentId = requireId('filter.parentId', 'ContentNode', ids.parentId);
    const authorId = requireId('filter.authorId', 'User', ids.authorId);
    const filter = filterFor(sightOf(context), { type, state, parentId, authorId });
    return findNodes(context.db, filter, { first, after });
  },
};

/** Undefined stays, null is the root. */
const newParentOf = (parentId: string | null | undefined): string | undefined =>
  parentId === undefined ? undefined : parentId === null ? ROOT : nodeIdOf(parentId);

export const Mutation: Pick<MutationResolvers, 'createNode' | 'editNode' | 'moveNode' | 'deleteNode' | 'restoreNode'> =
  {
    createNode: (_root, { input, idempotencyKey: key }, context) => {
      const parentId = input.parentId ? nodeIdOf(input.parentId) : null;
      const call = { operation: 'createNode', key, input } as const;
      return writeOnce(context, call, (write) => createNode(context.db, write, { ...input, parentId }));
    },
    editNode: (_root, { id, nonce, changes, idempotencyKey: key }, context) => {
      const call = { operation: 'editNode', key, input: { id, nonce, changes } } as const;
      const edit = { id: nodeIdOf(id), nonce, changes };
      return writeOnce(context, call, (write) => editNode(context.db, write, edit));
    },
    moveNode: (_root, { id, nonce, slug, parentId, idempotencyKey: key }, context) => {
      const call = { operation: 'moveNode', key, input: { id, nonce, slug, parentId } } as const;
      const move = { id: nodeIdOf(id), nonce, slug: slug ?? undefined, parentId: newParentOf(parentId) };
      return writeOnce(context, call, (write) => moveNode(context.db, write, move));
    },
    deleteNode: (_root, { id, nonce, idempotencyKey: key }, context) => {
      const call = { operation: 'deleteNode', key, input: { id, nonce } } as const;
      const deletion = { id: nodeIdOf(id), nonce };
      return writeOnce(context, call, (write, act) => deleteNode(context.db, write, act, deletion));
    },
    restoreNode: (_root, { id, slug }, context) => {
      const call = { operation: 'restoreNode', input: { id, slug } } as const;
      return writeOnce(context, call, (write) => restoreNode(context.db, write, nodeIdOf(id), slug ?? undefined));
    },
  };

export const Subscription: Pick<SubscriptionResolvers, 'nodeChanged'> = {
  nodeChanged: {
    subscribe: (_root, { id: globalId, after }, context) => {
      const id = idOfType('ContentNode', globalId);
      if (id === null) throw new SextantError('NOT_FOUND', 'There is no such node');
      return context.hub.follow(nodeFeed, { id, sight: sightOf(context) }, { after });
    },
    resolve: (event: FollowedEvent<NodeDocument | null>) => followedAs('node', event),
  },
};
