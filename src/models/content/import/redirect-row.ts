/** Storing a former path of a node that the same import has brought. */
import type { ClientSession, Db } from 'mongodb';
import { isGroup } from '../nodes/group.js';
import { nodes } from '../nodes/node.js';
import { findRedirectDocument, leaveRedirect } from '../nodes/redirect.js';
import { findNodeId, type ImportTarget, importedId, type StoredRow } from './import-node.js';
import { type RedirectRow, RowError } from './import-row.js';

/**
 * Stores it in a transaction. A node that takes the place at the same time may leave the redirect behind it, which then has no effect:
 * nodes come before redirects, and what leaves a place overwrites its redirect.
 * @throws RowError before anything is written
 */
export async function storeRedirect(
  db: Db,
  session: ClientSession,
  { parentId: from, at }: Pick<ImportTarget, 'parentId' | 'at'>,
  row: RedirectRow,
): Promise<StoredRow> {
  const id = importedId(from, row.path);
  const node = await nodes(db).findOne({ _id: id }, { session, projection: { trash: 1 } });
  if (!node || node.trash) throw new RowError('NO_NODE');
  const slugs = row.redirect.split('/');
  const [slug = ''] = slugs.slice(-1);
  const parentId = await findNodeId(db, session, from, slugs.slice(0, -1));
  if (parentId === null || !(await groups(db, session, from, parentId))) throw new RowError('NO_PARENT');
  const place = { parent_id: parentId, slug };
  if (await nodes(db).findOne(place, { session, projection: { _id: 1 } })) throw new RowError('SLUG_TAKEN');
  const present = await findRedirectDocument(db, session, place);
  if (present) {
    if (present.node_id === id) return 'SKIPPED';
    throw new RowError('REDIRECT_TAKEN');
  }
  await leaveRedirect(db, session, { ...place, _id: id }, row.at ?? at);
  return 'IMPORTED';
}

/** The target of the import is known to. */
async function groups(db: Db, session: ClientSession, from: string, parentId: string): Promise<boolean> {
  if (parentId === from) return true;
  const parent = await nodes(db).findOne({ _id: parentId }, { session, projection: { type: 1 } });
  return parent !== null && isGroup(parent.type);
}
