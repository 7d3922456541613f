/**
 * Which imports have brought what. A version and a redirect name the import that stored them, and the others that found them as they would
 * have stored them; a node names all of these. What an undo may take back is what no other import has.
 */
import type { ClientSession, Db } from 'mongodb';
import { type NodeDocument, nodes } from '../../nodes/node.js';
import { type VersionDocument, versions } from '../../nodes/node-version.js';
import { type RedirectDocument, redirects } from '../../nodes/redirect.js';

/** More imports that have found a node need not be remembered: it stays until all of these are undone. */
export const IMPORTS_MAX = 8;

/** An import has found these versions, which are of nodes that name it. */
export async function noteFound(
  db: Db,
  session: ClientSession,
  work: string,
  found: readonly VersionDocument['_id'][],
): Promise<void> {
  const operations = found.map((_id) => ({
    // Guard: the transaction, which has read that the version is there. An undo that removes it conflicts.
    updateOne: { filter: { _id, '_id.node': _id.node }, update: { $addToSet: { found_by: work } } },
  }));
  await versions(db).bulkWrite(operations, { session });
}

type SharedNode = Pick<NodeDocument, '_id' | 'parent_id' | 'slug' | 'imports'>;

/** An import has found a redirect to a node. */
export async function noteFoundRedirect(
  db: Db,
  session: ClientSession,
  work: string,
  node: SharedNode,
  { _id, import: by, found_by, gone_until }: RedirectDocument,
): Promise<void> {
  if (by === work || found_by?.includes(work) || gone_until) return;
  if (!node.imports?.includes(work) && (node.imports?.length ?? 0) >= IMPORTS_MAX) return;
  await redirects(db).updateOne({ _id }, { $addToSet: { found_by: work } }, { session }); // guard: the transaction
  await shareNode(db, session, work, node);
}

/** An import has brought something of a node: its undo finds it there. */
export async function shareNode(
  db: Db,
  session: ClientSession,
  work: string,
  { _id, parent_id, slug, imports }: SharedNode,
): Promise<void> {
  if (imports?.includes(work)) return;
  // Guard: `revision` rises, so that a write that has read the node before does not remove it again.
  const update = { $addToSet: { imports: work }, $inc: { revision: 1 } };
  await nodes(db).updateOne({ _id, parent_id, slug }, update, { session });
}

/** Whether a node is as an import has left it: it is in the nonce, which `import-node.ts` makes. */
export const isAsImported = ({ _id, nonce, version }: NodeDocument): boolean => nonce.startsWith(`${_id}.${version}.`);

/** A version or a redirect, as an undo sees it. */
export interface Claimed {
  readonly import?: string;
  readonly found_by?: readonly string[];
}

export const isClaimedBy = (work: string, { import: by, found_by }: Claimed): boolean =>
  by === work || (found_by?.includes(work) ?? false);

export const isClaimedByOthers = (work: string, { import: by, found_by }: Claimed): boolean =>
  (by !== undefined && by !== work) || (found_by?.some((id) => id !== work) ?? false);

/** An import gives up what it has brought or found, and others have, too. */
export const releasing = (work: string, { import: by }: Claimed) =>
  by === work ? { $unset: { import: '' as const } } : { $pull: { found_by: work } };
