/**
 * Versions of nodes: each write of a node's content stores one in its transaction.
 * Invariants: a node has the versions 1 to `version`, without a gap; the last one has its nonce and its content.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import type { AuthorReference } from '../../people/author.js';
import type { NodeContent, NodeDocument } from './node.js';
import { presentFormIfAny, presentFormOf, type Stored, type Synopsis } from './node-form.js';

/** As it reads, in whatever form it is stored. */
export interface VersionDocument extends NodeContent, Synopsis {
  /** The nonce is the id of the call: storing the same version twice fails. */
  _id: { node: string; nonce: string };
  version: number;
  at: Date;
  author: AuthorReference;
  /** The pictures that it shows: they are kept as long as the version. */
  asset_ids: string[];
  /** The import that stored it, unless that one is undone. */
  import?: string;
  /** Other imports that found it as they would have stored it, and are not undone. */
  found_by?: string[];
}

export type StoredVersion = Stored<VersionDocument>;

export const versions = defineCollection<StoredVersion>(
  'cms.versions',
  [
    { key: { '_id.node': 1, version: -1 }, unique: true }, // findVersions
    { key: { 'author._id': 1, 'author.name': 1 } }, // author-name.ts: names that are out of date
    { key: { asset_ids: 1, '_id.node': 1 } }, // which pictures are used, and by which nodes (picture-rights.ts)
  ],
  { shardKey: { '_id.node': 1 }, retiredIndexes: ['asset_ids_1'] }, // the unique index: all versions of a node are read together
);

export const versionOf = (node: NodeDocument, author: AuthorReference): VersionDocument => ({
  _id: { node: node._id, nonce: node.nonce },
  version: node.version,
  at: node.edited,
  author,
  slug: node.slug,
  parent_id: node.parent_id,
  title: node.title,
  excerpt: node.excerpt,
  published: node.published,
  detail: node.detail,
  asset_ids: node.asset_ids,
  form: node.form,
  summary: node.summary,
  words: node.words,
});

/** For cursors: `.map(asVersion)`. */
export const asVersion = (stored: StoredVersion): VersionDocument => presentFormOf<VersionDocument>(stored);

/** @param session of a transaction, or a snapshot */
export const findVersion = async (db: Db, session: ClientSession | undefined, node: string, nonce: string) =>
  presentFormIfAny<VersionDocument>(
    await versions(db).findOne({ _id: { node, nonce }, '_id.node': node }, { ...(session && { session }) }),
  );

export const findVersionByNumber = async (db: Db, session: ClientSession | undefined, node: string, version: number) =>
  presentFormIfAny<VersionDocument>(
    await versions(db).findOne({ '_id.node': node, version }, { ...(session && { session }) }),
  );

export interface VersionWithPrevious extends VersionDocument {
  readonly previous: VersionDocument | null;
}

const FIRST_MAX = 100;

/** Newest first, each with the one before it. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findVersions(
  db: Db,
  node: string,
  { first, after }: PageInput,
): Promise<Connection<VersionWithPrevious>> {
  requireFirst(first, FIRST_MAX);
  const list = `versions/${node}`;
  const [last] = after ? decodePosition(list, after, ['number']) : [Number.MAX_SAFE_INTEGER];
  const found = await versions(db)
    .find({ '_id.node': node, version: { $lt: Number(last) } })
    .sort({ version: -1 })
    .limit(first + 1) // the extra one is the previous version of the last
    .map(asVersion)
    .toArray();
  const paired = found.map((version, at) => ({ ...version, previous: found[at + 1] ?? null }));
  return toConnection(paired, first, ({ version }) => encodePosition(list, [version]));
}
