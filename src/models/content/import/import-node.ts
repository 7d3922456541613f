/**
 * What a row makes of a node. The id of its node follows from the place to which the file is imported and the path of the row, and the
 * nonce from what the row says: so the same row is stored once, in whatever import it comes.
 */
import { createHash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { InputError, LimitError } from '../../../shared/errors.js';
import type { AuthorReference } from '../../people/author.js';
import { type NodeContent, type NodeDocument, type NodeType, nodes } from '../nodes/node.js';
import { requireNewNode } from '../nodes/node-creation.js';
import { requireDetail, requireExcerpt, requirePublished, requireTitle } from '../nodes/node-input.js';
import type { VersionDocument } from '../nodes/node-version.js';
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

export interface PreparedRow {
  readonly row: ImportRow;
  readonly id: string;
  readonly nonce: string;
  readonly at: Date;
  /** The slugs of its path. */
  readonly slugs: readonly string[];
  /** For a first version: the node, except its parent, its author and its import. */
  readonly node: NodeDocument | null;
}

/** Everything about a row that does not depend on what is stored, before the transaction. @throws RowError */
export function prepareRow(row: ImportRow, target: ImportTarget): PreparedRow {
  const id = importedId(target.parentId, row.path);
  const nonce = `${id}.${row.version}.${digestOf(row)}`;
  const at = timeOf(row, target.at);
  const slugs = row.path.split('/');
  if (row.version > 1) return { row, id, nonce, at, slugs, node: null };
  const publishedAt = target.asDrafts ? null : row.publishedAt;
  const input = { ...row, type: row.type ?? target.type, parentId: target.parentId, slug: slugs.at(-1) ?? null };
  const node = checked(() =>
    requireNewNode({ ...input, publishedAt }, { call: id, at, author: target.author, now: target.at }),
  );
  return { row, id, nonce, at, slugs, node: { ...node, ...orderIn(node.type, row), nonce, imports: [target.work] } };
}

/** Where it matters: a gallery has an order, its photos have ranks. */
function orderIn(type: NodeType, { photoOrder, rank }: ImportRow): Pick<NodeDocument, 'photo_order' | 'rank'> {
  if (type === 'GALLERY' && photoOrder) return { photo_order: photoOrder };
  return type === 'PHOTO' && rank !== undefined ? { rank } : {};
}

/** Other programs know only when a post is published, which may be later than now. @throws RowError */
function timeOf({ at, publishedAt, version }: ImportRow, now: Date): Date {
  if (at === undefined) return now;
  if (at <= now) return at;
  if (version === 1 && at.getTime() === publishedAt?.getTime()) return now;
  throw new RowError('IN_THE_FUTURE', 'at');
}

/** What a row says about a node of this type. @throws RowError */
export function contentOf(
  row: ImportRow,
  type: NodeType,
  asDrafts: boolean,
): Pick<NodeContent, 'title' | 'excerpt' | 'published' | 'detail'> {
  const { title, excerpt, publishedAt } = row;
  return checked(() => ({
    title: requireTitle('input.title', title),
    excerpt: requireExcerpt('input.excerpt', excerpt ?? ''),
    published: asDrafts ? null : requirePublished('input.publishedAt', publishedAt ?? null),
    detail: requireDetail('input', type, {}, row),
  }));
}

const isEqual = (one: object, other: object): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** Whether a node has this version already, with this content. Who has stored it when makes no difference. */
export function isPresent(
  { row, node: prepared }: PreparedRow,
  present: NodeDocument,
  version: Pick<VersionDocument, 'title' | 'excerpt' | 'published' | 'detail'>,
  asDrafts: boolean,
): boolean {
  const { title, excerpt, published, detail } = contentOf(row, present.type, asDrafts);
  const isSame =
    title === version.title &&
    excerpt === version.excerpt &&
    (asDrafts || published?.getTime() === version.published?.getTime()) &&
    isEqual(detail, version.detail);
  if (!isSame || !prepared) return isSame;
  const { commentPolicy = present.comment_policy, commentDesign = present.comment_design } = row;
  return (
    prepared.type === present.type &&
    isEqual(prepared.tags, present.tags) &&
    commentPolicy === present.comment_policy &&
    commentDesign === present.comment_design
  );
}

function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof InputError || error instanceof LimitError ? rowErrorOf(error) : error;
  }
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

function rowErrorOf({ details }: InputError | LimitError): RowError {
  // The last name of the path: behind it may be the place in a list.
  const field =
    String(details.field)
      .split('.')
      .findLast((part) => !/^\d+$/.test(part)) ?? '';
  return new RowError(REASONS[field] ?? 'INVALID', field === 'slug' ? 'path' : field);
}

/** What a place groups, if a row does not say what it is. */
export const defaultTypeOf = (parent: Pick<NodeDocument, 'type'> | null): NodeType =>
  parent?.type === 'BLOG' ? 'BLOG_POST' : parent?.type === 'GALLERY' ? 'PHOTO' : 'PAGE';
