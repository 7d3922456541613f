/**
 * Storing a row of an import. The id of its node follows from the place to which the file is imported and the path of the row, and the
 * nonce from what the row says: so the same row is stored once, in whatever import it comes.
 */
import { createHash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { InputError, LimitError } from '../../../shared/errors.js';
import { idOfType } from '../../../shared/global-id.js';
import type { AuthorReference } from '../../people/author.js';
import { findUser } from '../../people/user.js';
import { countStored } from '../../system/assets/asset-claim.js';
import { findNode, type NodeDocument, type NodeType, nodes } from '../nodes/node.js';
import { derived, storeVersion } from '../nodes/node-change.js';
import { insertNode, requireNewNode } from '../nodes/node-creation.js';
import { requireDetail, requireExcerpt, requirePublished, requireTitle } from '../nodes/node-input.js';
import { findVersion, versions } from '../nodes/node-version.js';
import { digestOf, type ImportRow, type RejectReason, RowError, TRASH_SLUG } from './import-row.js';

export interface ImportTarget {
  /** The work, which undoes what it created. */
  readonly work: string;
  /** The node below which the rows are stored, or `ROOT`. */
  readonly parentId: string;
  /** The type of nodes whose rows do not say it. */
  readonly type: NodeType;
  /** Of rows that have none. */
  readonly author: AuthorReference;
  readonly asDrafts: boolean;
  readonly at: Date;
}

export type StoredRow = 'IMPORTED' | 'SKIPPED';

/** The id of the node at a path below the target. */
export const importedId = (parentId: string, path: string): string =>
  createHash('sha256').update(`${parentId}\n${path}`).digest('hex').slice(0, 32);

const nonceOf = (id: string, version: number, digest: string): string => `${id}.${version}.${digest}`;

/** Whether a node is as an import has left it. */
export const isAsImported = ({ _id, nonce, version }: NodeDocument): boolean => nonce.startsWith(`${_id}.${version}.`);

/** Stores a row in a transaction. Before it writes anything, it has made sure that the row can be stored. @throws RowError */
export async function storeRow(
  db: Db,
  session: ClientSession,
  target: ImportTarget,
  row: ImportRow,
): Promise<StoredRow> {
  const id = importedId(target.parentId, row.path);
  const nonce = nonceOf(id, row.version, digestOf(row));
  if (await findVersion(db, session, id, nonce)) return 'SKIPPED';
  try {
    if (row.version === 1) await storeNode(db, session, target, row, { id, nonce });
    else await storeNext(db, session, target, row, { id, nonce });
    return 'IMPORTED';
  } catch (error) {
    if (error instanceof InputError) throw new RowError(reasonOf(error));
    if (error instanceof LimitError) throw new RowError('TOO_DEEP');
    throw error;
  }
}

interface Identity {
  readonly id: string;
  readonly nonce: string;
}

async function storeNode(
  db: Db,
  session: ClientSession,
  target: ImportTarget,
  row: ImportRow,
  { id, nonce }: Identity,
): Promise<void> {
  const slugs = row.path.split('/');
  const parentId = await findNodeId(db, session, target.parentId, slugs.slice(0, -1));
  if (parentId === null) throw new RowError('NO_PARENT');
  const author = await findAuthor(db, row, target);
  const at = row.at ?? target.at;
  const input = { ...row, type: row.type ?? target.type, parentId, slug: slugs.at(-1) ?? null };
  const publishedAt = target.asDrafts ? null : row.publishedAt;
  const node = { ...requireNewNode({ ...input, publishedAt }, { call: id, at, author }), nonce, import: target.work };
  const before = await nodes(db).findOne({ _id: id }, { session, projection: { _id: 1 } });
  if (before) throw new RowError('SLUG_TAKEN'); // by another row with the same path
  await requirePictures(db, session, node);
  const stored = await insertNode(db, session, node, { author });
  if (!('__typename' in stored)) return;
  throw new RowError(stored.__typename === 'SlugTaken' ? 'SLUG_TAKEN' : 'NO_PARENT');
}

/** The next version of a node that the same file has brought, and that nobody has changed since. */
async function storeNext(
  db: Db,
  session: ClientSession,
  target: ImportTarget,
  row: ImportRow,
  { id, nonce }: Identity,
): Promise<void> {
  const before = await findNode(db, id, session);
  const isNext = before && !before.trash && before.version === row.version - 1 && isAsImported(before);
  if (!isNext) throw new RowError('NO_PREVIOUS_VERSION');
  const { text = null, description = null, videoUrl, source = null, imageId = null } = row;
  const after: NodeDocument = {
    ...before,
    title: requireTitle('input.title', row.title),
    excerpt: requireExcerpt('input.excerpt', row.excerpt ?? ''),
    published: target.asDrafts ? null : requirePublished('input.publishedAt', row.publishedAt ?? null),
    detail: requireDetail('input', before.type, before.detail, { text, description, videoUrl, source, imageId }),
  };
  const at = row.at ?? target.at;
  await requirePictures(db, session, derived(after, at));
  const author = await findAuthor(db, row, target);
  await storeVersion(db, session, before, after, { call: nonce, at, author });
  if (row.previousPath !== undefined) await placePrevious(db, session, target, before, row.previousPath);
}

/**
 * Says of the version before where it was. A node of an import is at its present place from the beginning, because another one may be
 * at its former place by now; so this is known once the next version is there.
 */
async function placePrevious(
  db: Db,
  session: ClientSession,
  { parentId: from }: ImportTarget,
  { _id, version }: NodeDocument,
  path: string,
): Promise<void> {
  const slugs = path.split('/');
  const last = slugs.at(-1) ?? '';
  // The former parent may come later in the file: then it gets this id.
  const parentId = (await findNodeId(db, session, from, slugs.slice(0, -1))) ?? importedId(from, parentOf(path));
  await versions(db).updateOne(
    { '_id.node': _id, version }, // guard: the transaction has just stored the next one
    { $set: { parent_id: parentId, slug: last === TRASH_SLUG ? `~${_id}` : last } },
    { session },
  );
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** @throws RowError before anything is written */
async function requirePictures(
  db: Db,
  session: ClientSession,
  { asset_ids }: Pick<NodeDocument, 'asset_ids'>,
): Promise<void> {
  if ((await countStored(db, session, asset_ids)) < asset_ids.length) throw new RowError('UNKNOWN_PICTURE');
}

/** Level by level: rows of the same transaction count. @returns null when there is no such node */
export async function findNodeId(
  db: Db,
  session: ClientSession,
  from: string,
  slugs: readonly string[],
): Promise<string | null> {
  let parentId = from;
  for (const slug of slugs) {
    const found = await nodes(db).findOne({ parent_id: parentId, slug }, { session, projection: { _id: 1 } });
    if (!found) return null;
    parentId = found._id;
  }
  return parentId;
}

/** Under the present name of the account, if there is one here. */
async function findAuthor(db: Db, { author, authorId }: ImportRow, target: ImportTarget): Promise<AuthorReference> {
  const id = authorId === undefined ? null : idOfType('User', authorId);
  const account = id === null ? null : await findUser(db, id);
  if (account) return { _id: account._id, name: account.name };
  return author === undefined ? target.author : { name: author };
}

/** By the end of the field's name in the API. */
const REASONS: Readonly<Record<string, RejectReason>> = {
  title: 'INVALID_TITLE',
  slug: 'INVALID_PATH',
  excerpt: 'INVALID_EXCERPT',
  text: 'INVALID_TEXT',
  tags: 'INVALID_TAGS',
  publishedAt: 'INVALID_DATE',
  imageId: 'UNKNOWN_PICTURE',
};

const reasonOf = ({ details }: InputError): RejectReason =>
  REASONS[String(details.field).split('.').at(-1) ?? ''] ?? 'INVALID';

/** What a place groups, if a row does not say what it is. */
export const defaultTypeOf = (parent: Pick<NodeDocument, 'type'> | null): NodeType =>
  parent?.type === 'BLOG' ? 'BLOG_POST' : parent?.type === 'GALLERY' ? 'PHOTO' : 'PAGE';
