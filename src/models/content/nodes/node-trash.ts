/**
 * The trash. A deleted node gives up its slug and its publication, and keeps its versions. After 30 days a job removes it for good:
 * first it is marked, so that nobody restores it any more, then its versions and its comments go, its redirects are closed, and the node
 * itself goes last.
 * A run that dies is continued by the next one, because the marked node is still there. Its pictures are unused from then on, and their
 * own job removes them.
 */
import type { ClientSession, Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { DAY_MS } from '../../../shared/time.js';
import { removeDiscussion } from '../../comments/discussion-removal.js';
import { type Act, recordAct } from '../../people/audit.js';
import { findNode, type NodeDocument, nodes, type StoredNode } from './node.js';
import {
  changeNode,
  type EditConflict,
  inNodeTransaction,
  type NodeNotFound,
  nodeNotFound,
  storeVersion,
  type Write,
} from './node-change.js';
import { discussionOfNode } from './node-comments.js';
import { requireSlug } from './node-input.js';
import { findPath } from './node-path.js';
import { versions } from './node-version.js';
import { countChild, findPlace, NO_HEIGHT, type ParentNotFound, type SlugTaken } from './parent.js';
import { rankedFirst, unranked } from './photo-rank.js';
import { closeRedirects, leaveRedirect, removeRedirectsTo, takePlace } from './redirect.js';
import { findWritable } from './rights.js';

const KEPT_MS = 30 * DAY_MS;

export type NodeInTrash = NodeDocument & Required<Pick<NodeDocument, 'trash'>>;

/** From then on the job may remove it. */
export const restorableUntil = (deletedAt: Date): Date => new Date(deletedAt.getTime() + KEPT_MS);

export interface DeletedNode {
  readonly deletedId: string;
  readonly restorableUntil: Date;
}

export type NodeNotEmpty = Refusal<'NodeNotEmpty'>;

export interface Deletion {
  readonly id: string;
  readonly nonce: string;
}

/** Puts a node into the trash, recorded in the same transaction. */
export async function deleteNode(
  db: Db,
  write: Write,
  act: Act,
  { id, nonce }: Deletion,
): Promise<DeletedNode | NodeNotFound | EditConflict | NodeNotEmpty> {
  const outcome = await changeNode<NodeNotEmpty>(db, write, {
    id,
    nonce,
    wanted: (base) => base,
    apply: async (session, before) => {
      // Guard: whatever adds a child counts it here, and so conflicts with this transaction.
      if (before.children > 0)
        return refuse('NodeNotEmpty', 'There are nodes below this one. Move or delete them first');
      const parent = await findNode(db, before.parent_id, session);
      if (parent) await countChild(db, session, parent, -1);
      await leaveRedirect(db, session, before, write.at);
      const subject = await findPath(db, before, session);
      await recordAct(db, session, act, {
        action: 'NODE_DELETED',
        subject,
        detail: before.title,
        call: write.call,
      });
      const trash = { at: write.at, slug: before.slug };
      return { ...unranked(before), slug: `~${before._id}`, published: null, trash };
    },
  });
  if ('__typename' in outcome) return outcome;
  const deletedAt = outcome.trash?.at ?? write.at; // absent if the node was restored between two attempts of this call
  return { deletedId: outcome._id, restorableUntil: restorableUntil(deletedAt) };
}

/**
 * Takes a node out of the trash, as a draft, to where it was.
 * @param slug another one, in case the former one is taken @throws InputError @throws LimitError @throws SextantError FORBIDDEN
 */
export async function restoreNode(
  db: Db,
  write: Write,
  id: string,
  slug?: string,
): Promise<NodeDocument | NodeNotFound | SlugTaken | ParentNotFound> {
  if (slug !== undefined) requireSlug('slug', slug);
  return inNodeTransaction(db, async (session) => {
    const before = await findWritable(db, id, write, session);
    if (!before || before.trash?.is_purged) return nodeNotFound();
    const { trash, ...kept } = before;
    if (!trash) return before;
    const after: NodeDocument = { ...kept, slug: slug ?? trash.slug };
    const { type, parent_id: parentId } = after;
    const above = await findPlace(db, session, { type, parentId, slug: after.slug, height: NO_HEIGHT }, write);
    if ('__typename' in above) return above;
    const [parent] = above;
    if (parent) await countChild(db, session, parent, 1);
    await takePlace(db, session, after);
    return storeVersion(db, session, before, await rankedFirst(db, session, parent, after), write);
  });
}

/** Removes a node that is marked for good, in a transaction, with its versions and redirects. */
export async function removeMarked(
  db: Db,
  session: ClientSession,
  { _id, parent_id, slug }: Pick<NodeDocument, '_id' | 'parent_id' | 'slug'>,
): Promise<void> {
  // Guard: only what was marked is removed.
  const { deletedCount } = await nodes(db).deleteOne({ _id, parent_id, slug, 'trash.is_purged': true }, { session });
  if (deletedCount === 0) return;
  await versions(db).deleteMany({ '_id.node': _id }, { session });
  await removeRedirectsTo(db, _id, session);
  await removeDiscussion(db, discussionOfNode(_id), session);
}

const BATCH = 100;

/** Removes nodes that have been in the trash for 30 days. @returns how many */
export async function purgeTrash(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  let purged = 0;
  for (;;) {
    const due = await nodes(db)
      .find({ 'trash.at': { $lte: before } })
      .sort({ 'trash.at': 1 })
      .limit(BATCH)
      .toArray();
    for (const node of due) purged += (await purgeNode(db, node, before)) ? 1 : 0;
    if (due.length < BATCH) return purged;
  }
}

async function purgeNode(db: Db, node: StoredNode, before: Date): Promise<boolean> {
  const { _id, parent_id, slug } = node;
  const inTrash = { _id, parent_id, slug, 'trash.at': { $lte: before } };
  failpoint('node.purge-begun');
  const marked = await nodes(db).updateOne(inTrash, { $set: { 'trash.is_purged': true }, $inc: { revision: 1 } }); // guard: still there, not restored
  if (marked.matchedCount === 0) return false;
  failpoint('node.purge-marked');
  await versions(db).deleteMany({ '_id.node': _id });
  failpoint('node.versions-removed');
  await removeDiscussion(db, discussionOfNode(_id));
  await closeRedirects(db, node);
  failpoint('node.redirects-closed');
  // Guard: only what was marked is removed.
  const { deletedCount } = await nodes(db).deleteOne({ _id, parent_id, slug, 'trash.is_purged': true });
  failpoint('node.purged');
  return deletedCount === 1;
}
