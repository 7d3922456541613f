/** Nodes are commented on by whoever sees them. */
import { findNodesById, type NodeDocument } from '../../models/content/nodes/node.js';
import { changeCommentPolicy, subjectOf } from '../../models/content/nodes/node-comments.js';
import { pathOf } from '../../models/content/nodes/node-path.js';
import { publicPathOf } from '../../models/content/nodes/public-path.js';
import type { Context } from '../../server/context/context.js';
import type { Commentables } from '../support/commentable.js';
import { typeOfNode, visible } from './node-type.js';
import { taggingOf } from './write.js';

export const nodeComments: Commentables = {
  find: async (context, ids) => {
    const nodes = (await findNodesById(context.db, ids)).filter((node) => visible(context, node) !== null);
    return new Map(
      nodes.map((node) => [node._id, { subject: subjectOf(node), object: { ...node, __typename: typeOfNode(node) } }]),
    );
  },
  changePolicy: async (context, id, policy) => {
    const changed = await changeCommentPolicy(context.db, await taggingOf(context), id, policy);
    return changed && { ...changed, __typename: typeOfNode(changed) };
  },
  urlOf: async (context, object) => urlOfNode(object as NodeDocument, context),
};

/** On the public site. */
export async function urlOfNode(node: NodeDocument, context: Context): Promise<string> {
  const path = pathOf(node, await context.loaders().lineage.load(node.parent_id));
  return new URL(publicPathOf(path), context.publicUrl()).href;
}
