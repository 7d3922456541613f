/**
 * Writes of nodes. Each is one transaction: the node, its version, the counters of its tags and what else a change needs. The nonce of
 * a version is the id of the call, so a call that is repeated after a lost answer finds its own version and does nothing more.
 */
import type { ClientSession, Db } from 'mongodb';
import { type Attempt, commitConcernOf, holdCall, inTransaction, StaleSnapshotError } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { idOfType } from '../../../shared/global-id.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { outlineOf } from '../../../shared/rendering/plain-text.js';
import { noteAuthors } from './author-name.js';
import { isPublic, type NodeContent, type NodeDocument, nodes, stateOf } from './node.js';
import { differencesBetween, type FieldDifference } from './node-difference.js';
import { FORM, type Synopsis, synopsisOf } from './node-form.js';
import { claimPictures } from './node-picture.js';
import { findVersion, versionOf, versions } from './node-version.js';
import { findWritable, type Writer } from './rights.js';
import { moveTagCounts } from './tag.js';

/** Who writes, when, and by which call. */
export interface Write extends Writer {
  readonly call: string;
  readonly at: Date;
  /** Of a call that may have a key. */
  readonly attempt?: Attempt;
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

/** @param attempt guard: a worker that stood still writes nothing after another one was answered, perhaps with a refusal */
export async function inNodeTransaction<T>(
  db: Db,
  work: (session: ClientSession) => Promise<T>,
  attempt?: Attempt,
): Promise<T> {
  const held = async (session: ClientSession): Promise<T> => {
    if (attempt) await holdCall(db, session, attempt);
    return work(session);
  };
  // Two writers that insert the same slug, tag or author at once: one of them finds it at its next attempt.
  return (await inTransaction(db, commitConcernOf.MAJORITY, held, { retryDuplicateKeys: true })).value;
}

/**
 * Changes a node that still has the nonce that the editor loaded.
 * @returns the node after the change, or a refusal, and then nothing has changed
 * @throws InputError no version of the node has this nonce @throws SextantError FORBIDDEN
 */
export function changeNode<R extends { readonly __typename: string }>(
  db: Db,
  write: Write,
  change: NodeChange<R>,
): Promise<NodeDocument | NodeNotFound | EditConflict | R> {
  const store = async (session: ClientSession) => {
    const before = await findWritable(db, change.id, write, session);
    if (!before) return nodeNotFound();
    if (await isDone(db, session, before, write.call)) return before;
    if (before.trash) return nodeNotFound();
    const conflict = before.nonce === change.nonce ? null : await conflictWith(db, session, before, change);
    if (conflict) return conflict;
    const after = await change.apply(session, before);
    if (isRefusal(after) || after === before) return after;
    return storeVersion(db, session, before, after, write);
  };
  return inNodeTransaction(db, store, write.attempt);
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
  if (!base) {
    if (await findVersion(db, undefined, theirs._id, nonce)) throw new StaleSnapshotError('The version is newer');
    throw new InputError('nonce', 'is of no version of this node');
  }
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
  write: Write,
): Promise<NodeDocument> {
  const { call, at, author } = write;
  const next = { ...after, nonce: call, version: before.version + 1, edited: at };
  const stored = await replaceNode(db, session, before, next, at);
  await claimPictures(db, session, before, stored, write, { prefix: 'changes', now: at });
  await noteAuthors(db, session, [author]);
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
    ...derived(after, at, before),
    revision: before.revision + 1,
    ...(isPublic(before, at) && { was_public: true }), // a scheduled one may be deleted before it is announced
    ...(after.parent_id !== before.parent_id && { moved_from: before.parent_id }),
  };
  const { _id, parent_id, slug, revision } = before;
  // Guard: `revision`. Whatever has been written since the read would also make the transaction conflict and start again.
  const { matchedCount } = await nodes(db).replaceOne({ _id, parent_id, slug, revision }, stored, { session });
  if (matchedCount !== 1) throw new Error(`The node ${_id} changed within a transaction`);
  await moveTagCounts(db, session, [{ before, after: stored }]);
  return stored;
}

/** A node of which something changes that makes no version. */
export const touched = (node: NodeDocument): NodeDocument => (node.imports ? { ...node, is_touched: true } : node);

type FromText = 'asset_ids' | keyof Synopsis;
type Derived = 'state' | 'edited_order' | FromText;

/** What follows from the other fields. @param before the node as it was: a text that has not changed is not read again */
export function derived<N extends Omit<NodeDocument, Derived>>(
  node: N,
  at: Date,
  before: NodeDocument | null = null,
): N & Pick<NodeDocument, Derived> {
  return {
    ...node,
    ...(before && isReadAlready(before, node) ? kept(before, node) : read(node)),
    state: stateOf(node, at),
    ...(isPublic(node, at) && { was_public: true }),
    edited_order: `${node.edited.toISOString()} ${node._id}`,
  };
}

type Written = Pick<NodeDocument, 'excerpt' | 'detail'>;

/** Reading a text costs as much CPU time as all other work of a write, and 20 times as much if it is as long as it may be. */
function read({ excerpt, detail }: Written): Pick<NodeDocument, FromText> {
  const { text, description, asset_id } = detail;
  const outline = outlineOf(text ?? description ?? '');
  const inText = text === undefined ? [] : outline.pictures.flatMap((id) => idOfType('Asset', id) ?? []);
  return {
    ...synopsisOf({ excerpt, detail }, outline),
    asset_ids: [...new Set([...(asset_id ? [asset_id] : []), ...inText])],
  };
}

/** Whether what follows from the text is known. The beginning of a text is not stored beside an excerpt. */
const isReadAlready = (before: NodeDocument, { excerpt, detail }: Written): boolean =>
  before.form === FORM &&
  before.detail.text === detail.text &&
  before.detail.description === detail.description &&
  before.detail.asset_id === detail.asset_id &&
  (before.excerpt === '' || excerpt !== '');

const kept = (
  { form, summary, words, asset_ids }: NodeDocument,
  { excerpt }: Written,
): Pick<NodeDocument, FromText> => ({
  form,
  summary: excerpt || summary,
  words,
  asset_ids,
});
