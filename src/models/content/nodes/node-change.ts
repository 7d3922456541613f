/**
 * Writes of nodes. Each is one transaction: the node, its version, the counters of its tags and what else a change needs. The nonce of
 * a version is the id of the call, so a call that is repeated after a lost answer finds its own version and does nothing more.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { idOfType } from '../../../shared/global-id.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { picturesIn } from '../../../shared/rendering/markdown.js';
import type { AuthorReference } from '../../people/author.js';
import { noteAuthor } from './author-name.js';
import { type NodeContent, type NodeDocument, nodes, stateOf } from './node.js';
import { differencesBetween, type FieldDifference } from './node-difference.js';
import { claimPictures } from './node-picture.js';
import { findVersion, versionOf, versions } from './node-version.js';
import { moveTagCounts } from './tag.js';

/** Who writes, when, and by which call. */
export interface Write {
  readonly call: string;
  readonly at: Date;
  readonly author: AuthorReference;
}

export type NodeNotFound = Refusal<'NodeNotFound'>;
export type EditConflict = Refusal<
  'EditConflict',
  { readonly theirs: NodeDocument; readonly differences: FieldDifference[] }
>;

export const nodeNotFound = (): NodeNotFound => refuse('NodeNotFound', 'There is no such node, or it is in the trash');

/** What a call does with a node. `before` is the node as it is; the result becomes its next version. */
export interface NodeChange<R> {
  readonly id: string;
  /** What the editor has loaded. */
  readonly nonce: string;
  /** What the editor wants, based on the version that was loaded: for the differences of a conflict. */
  wanted(base: NodeContent, stored: NodeDocument): NodeContent;
  /** @returns the node with its new content, the same object if nothing changes, or a refusal */
  apply(session: ClientSession, before: NodeDocument): Promise<NodeDocument | R>;
}

export const inNodeTransaction = async <T>(db: Db, work: (session: ClientSession) => Promise<T>): Promise<T> =>
  // Two writers that insert the same slug, tag or author at once: one of them finds it at its next attempt.
  (await inTransaction(db, commitConcernOf.MAJORITY, work, { retryDuplicateKeys: true })).value;

/**
 * Changes a node that still has the nonce that the editor loaded.
 * @returns the node after the change, or a refusal, and then nothing has changed
 * @throws InputError no version of the node has this nonce
 */
export function changeNode<R extends { readonly __typename: string }>(
  db: Db,
  write: Write,
  change: NodeChange<R>,
): Promise<NodeDocument | NodeNotFound | EditConflict | R> {
  return inNodeTransaction(db, async (session) => {
    const before = await nodes(db).findOne({ _id: change.id }, { session });
    if (!before) return nodeNotFound();
    if (await isDone(db, session, before, write.call)) return before;
    if (before.trash) return nodeNotFound();
    const conflict = before.nonce === change.nonce ? null : await conflictWith(db, session, before, change);
    if (conflict) return conflict;
    const after = await change.apply(session, before);
    if (isRefusal(after) || after === before) return after;
    return storeVersion(db, session, before, after, write);
  });
}

const isRefusal = <R extends { readonly __typename: string }>(outcome: NodeDocument | R): outcome is R =>
  '__typename' in outcome;

/** Whether this call has stored its version: an earlier attempt, whose answer was lost. */
async function isDone(db: Db, session: ClientSession, { _id, nonce }: NodeDocument, call: string): Promise<boolean> {
  return nonce === call || (await findVersion(db, session, _id, call)) !== null;
}

/** @returns null if what is stored is what the editor wants: somebody else made the same change, or took one back */
async function conflictWith<R>(
  db: Db,
  session: ClientSession,
  theirs: NodeDocument,
  { nonce, wanted }: NodeChange<R>,
): Promise<EditConflict | null> {
  const base = await findVersion(db, session, theirs._id, nonce);
  if (!base) throw new InputError('nonce', 'is of no version of this node');
  const differences = differencesBetween(base, wanted(base, theirs), theirs);
  if (differences.length === 0) return null;
  const message = 'Somebody else has changed the node since it was loaded';
  return refuse('EditConflict', message, { theirs, differences });
}

/** Stores the next version of a node. Call it in the transaction that has read `before`. */
export async function storeVersion(
  db: Db,
  session: ClientSession,
  before: NodeDocument,
  after: NodeDocument,
  { call, at, author }: Write,
): Promise<NodeDocument> {
  const next = { ...after, nonce: call, version: before.version + 1, edited: at };
  const stored = await replaceNode(db, session, before, next, at);
  await claimPictures(db, session, before, stored, at);
  await noteAuthor(db, session, author);
  await versions(db).insertOne(versionOf(stored, author), { session });
  return stored;
}

/** Replaces a node without a new version. Call it in the transaction that has read `before`. */
export async function replaceNode(
  db: Db,
  session: ClientSession,
  before: NodeDocument,
  { moved_from: _, ...after }: NodeDocument,
  at: Date,
): Promise<NodeDocument> {
  const stored: NodeDocument = {
    ...derived(after, at),
    revision: before.revision + 1,
    ...(after.parent_id !== before.parent_id && { moved_from: before.parent_id }),
  };
  const { _id, parent_id, slug, revision } = before;
  // Guard: `revision`. Whatever has been written since the read would also make the transaction conflict and start again.
  const { matchedCount } = await nodes(db).replaceOne({ _id, parent_id, slug, revision }, stored, { session });
  if (matchedCount !== 1) throw new Error(`The node ${_id} changed within a transaction`);
  await moveTagCounts(db, session, before, stored);
  return stored;
}

type Derived = 'state' | 'asset_ids' | 'edited_order';

/** What follows from the other fields. */
export function derived<N extends Omit<NodeDocument, Derived>>(node: N, at: Date): N & Pick<NodeDocument, Derived> {
  const { text, asset_id } = node.detail;
  const inText = picturesIn(text ?? '').flatMap((globalId) => idOfType('Asset', globalId) ?? []);
  return {
    ...node,
    state: stateOf(node, at),
    edited_order: `${node.edited.toISOString()} ${node._id}`,
    asset_ids: [...new Set([...(asset_id ? [asset_id] : []), ...inText])],
  };
}
