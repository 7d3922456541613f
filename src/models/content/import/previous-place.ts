/** Where a version was, before the node came to its present place. */
import type { ClientSession, Db } from 'mongodb';
import type { NodeDocument } from '../nodes/node.js';
import { versions } from '../nodes/node-version.js';
import { importedId } from './import-node.js';
import { TRASH_SLUG } from './import-row.js';
import type { TreeView } from './tree-view.js';

export interface PreviousPlace {
  /** As it was in that version. */
  readonly node: NodeDocument;
  readonly path: string;
}

/**
 * Says of versions where they were. A node of an import is at its present place from the beginning, because another one may be at its
 * former place by now; so this is known once the next version is there. Call it in the transaction that stores that one.
 * @param from the node below which is imported @param view which has the nodes above these places
 */
export async function placePrevious(
  db: Db,
  session: ClientSession,
  from: string,
  view: TreeView,
  previous: readonly PreviousPlace[],
): Promise<void> {
  if (previous.length === 0) return;
  const operations = previous.map(({ node: { _id, version }, path }) => {
    const slugs = path.split('/');
    const last = slugs.at(-1) ?? '';
    // The former parent may come later in the file: then it gets this id.
    const parentId = view.idAt(slugs.slice(0, -1)) ?? importedId(from, parentOf(path));
    const update = { $set: { parent_id: parentId, slug: last === TRASH_SLUG ? `~${_id}` : last } };
    return { updateOne: { filter: { '_id.node': _id, version }, update } }; // guard: the transaction has just stored the next one
  });
  await versions(db).bulkWrite(operations, { session });
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
