/** Who may comment on nodes. */
import type { Db } from 'mongodb';
import type { CommentPolicy } from '../../comments/discussion/comment.js';
import { discussionOf, type Subject } from '../../comments/discussion/discussion.js';
import type { NodeDocument } from './node.js';
import { inNodeTransaction, replaceNode, touched } from './node-change.js';
import { findWritable, type Writer } from './rights.js';

/** The id of the discussion of a node. */
export const discussionOfNode = (id: string): string => discussionOf('ContentNode', id);

export const subjectOf = ({ _id, comment_policy, comment_design, author }: NodeDocument): Subject => ({
  discussion: discussionOfNode(_id),
  policy: comment_policy,
  design: comment_design,
  ownerIds: author._id === undefined ? [] : [author._id],
});

/** Without a new version. @returns null if there is no such node, or it is in the trash @throws SextantError FORBIDDEN */
export function changeCommentPolicy(
  db: Db,
  { at, ...writer }: Writer & { readonly at: Date },
  id: string,
  policy: CommentPolicy,
): Promise<NodeDocument | null> {
  return inNodeTransaction(db, async (session) => {
    const node = await findWritable(db, id, { ...writer, at }, session);
    if (!node || node.trash) return null;
    if (node.comment_policy === policy) return node;
    return replaceNode(db, session, node, touched({ ...node, comment_policy: policy }), at);
  });
}
