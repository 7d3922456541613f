/**
 * Storing a row of an import. The id of its node follows from the place to which the file is imported and the path of the row, and the
 * nonce from what the row says: so the same row is stored once, in whatever import it comes.
 */
import { createHash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { InputError, LimitError } from '../../../shared/errors.js';
import type { AuthorReference } from '../../people/author.js';
import { findNode, type NodeDocument, type NodeType, nodes } from '../nodes/node.js';
import { storeVersion } from '../nodes/node-change.js';
import { insertNode, requireNewNode } from '../nodes/node-creation.js';
import { requireDetail, requireExcerpt, requirePublished, requireTitle } from '../nodes/node-input.js';
import { findVersion } from '../nodes/node-version.js';
import { digestOf, type ImportRow, type RejectReason, RowError } from './import-row.js';

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
  const parentId = await findParentId(db, session, target.parentId, slugs.slice(0, -1));
  if (parentId === null) throw new RowError('NO_PARENT');
  const author = authorOf(row, target);
  const at = row.at ?? target.at;
  const input = { ...row, type: row.type ?? target.type, parentId, slug: slugs.at(-1) ?? null };
  const publishedAt = target.asDrafts ? null : row.publishedAt;
  const node = { ...requireNewNode({ ...input, publishedAt }, { call: id, at, author }), nonce, import: target.work };
  const before = await nodes(db).findOne({ _id: id }, { session, projection: { _id: 1 } });
  if (before) throw new RowError('SLUG_TAKEN'); // by another row with the same path
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
  const { text = null, description = null, videoUrl, source = null } = row;
  const after: NodeDocument = {
    ...before,
    title: requireTitle('input.title', row.title),
    excerpt: requireExcerpt('input.excerpt', row.excerpt ?? ''),
    published: target.asDrafts ? null : requirePublished('input.publishedAt', row.publishedAt ?? null),
    detail: requireDetail('input', before.type, before.detail, { text, description, videoUrl, source }),
  };
  const author = authorOf(row, target);
  await storeVersion(db, session, before, after, { call: nonce, at: row.at ?? target.at, author });
}

/** Level by level: rows of the same transaction count. @returns null when there is no such node */
async function findParentId(
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

const authorOf = ({ author }: ImportRow, target: ImportTarget): AuthorReference =>
  author === undefined ? target.author : { name: author };

/** By the end of the field's name in the API. */
const REASONS: Readonly<Record<string, RejectReason>> = {
  title: 'INVALID_TITLE',
  slug: 'INVALID_PATH',
  excerpt: 'INVALID_EXCERPT',
  text: 'INVALID_TEXT',
  tags: 'INVALID_TAGS',
  publishedAt: 'INVALID_DATE',
};

const reasonOf = ({ details }: InputError): RejectReason =>
  REASONS[String(details.field).split('.').at(-1) ?? ''] ?? 'INVALID';

/** What a place groups, if a row does not say what it is. */
export const defaultTypeOf = (parent: Pick<NodeDocument, 'type'> | null): NodeType =>
  parent?.type === 'BLOG' ? 'BLOG_POST' : parent?.type === 'GALLERY' ? 'PHOTO' : 'PAGE';
