/** Storing a former path of a node that the same import has brought. */
import type { ClientSession, Db } from 'mongodb';
import { isGroup } from '../nodes/group.js';
import { nodes } from '../nodes/node.js';
import { findRedirectDocument, leaveRedirect } from '../nodes/redirect.js';
import { findNodeId, type ImportTarget, importedId, type StoredRow } from './import-node.js';
import { type RedirectRow, RowError } from './import-row.js';
import { noteFoundRedirect, shareNode } from './undo/import-claims.js';

/**
 * Stores it in a transaction. A node that takes the place at the same time may leave the redirect behind it, which then has no effect:
 * nodes come before redirects, and what leaves a place overwrites its redirect.
 * @throws RowError before anything is written
 */
export async function storeRedirect(
  db: Db,
  session: ClientSession,
  target: Pick<ImportTarget, 'parentId' | 'at' | 'work'>,
  row: RedirectRow,
): Promise<StoredRow> {
  const { parentId: from, at, work } = target;
  if (row.at && row.at > at) throw new RowError('IN_THE_FUTURE', 'at');
  const id = importedId(from, row.path);
  const node = await nodes(db).findOne(
    { _id: id },
    { session, projection: { trash: 1, parent_id: 1, slug: 1, imports: 1 } },
  );
  const isImported = node !== null && !node.trash;
  const ledId = isImported ? id : await findNodeId(db, session, from, row.path.split('/'));
  if (ledId === null) throw new RowError('NO_NODE', 'path');
  const slugs = row.redirect.split('/');
  const [slug = ''] = slugs.slice(-1);
  const parentId = await findNodeId(db, session, from, slugs.slice(0, -1));
  if (parentId === null || !(await groups(db, session, from, parentId))) throw new RowError('NO_PARENT', 'redirect');
  const place = { parent_id: parentId, slug };
  if (await nodes(db).findOne(place, { session, projection: { _id: 1 } })) throw new RowError('SLUG_TAKEN', 'redirect');
  const present = await findRedirectDocument(db, session, place);
  if (present?.node_id === ledId) {
    if (isImported) await noteFoundRedirect(db, session, work, node, present);
    return 'SKIPPED';
  }
  if (present && !present.gone_until) throw new RowError('REDIRECT_TAKEN', 'redirect');
  if (!isImported) throw new RowError('NO_NODE', 'path'); // somebody else's: an undo would not take it back
  await leaveRedirect(db, session, { ...place, _id: id }, row.at ?? at, work);
  await shareNode(db, session, work, node);
  return 'IMPORTED';
}

/** The target of the import is known to. */
async function groups(db: Db, session: ClientSession, from: string, parentId: string): Promise<boolean> {
  if (parentId === from) return true;
  const parent = await nodes(db).findOne({ _id: parentId }, { session, projection: { type: 1 } });
  return parent !== null && isGroup(parent.type);
}
