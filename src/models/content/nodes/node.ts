/**
 * Nodes: content of every kind, one document each, in one collection. They form a tree: each is grouped under a folder, a blog or a
 * gallery, or is a root.
 * Source pattern: metadata and asset management (content, section 1).
 *
 * The parent and the slug are the truth of a path: nothing is copied to the nodes below, so that moving a folder is one update. Every
 * write replaces the whole document in the transaction that stores its version (`node-change.ts`), so that the change stream carries
 * the whole node, also to lists that did not have it before.
 * Invariants: the fields of a node equal those of its latest version; a parent exists, groups nodes of this kind, is not in the trash and
 * counts its children; there is no cycle.
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import type { AuthorReference } from '../../people/author.js';

export const nodeTypes = [
  'PAGE',
  'BLOG_POST',
  'PHOTO',
  'VIDEO',
  'IMAGE',
  'QUOTE',
  'FOLDER',
  'BLOG',
  'GALLERY',
] as const;

/** The kinds that group others (`group.ts`). */
export const groupTypes = ['FOLDER', 'BLOG', 'GALLERY'] as const;

export type NodeType = (typeof nodeTypes)[number];
export type NodeState = 'DRAFT' | 'SCHEDULED' | 'PUBLISHED' | 'DELETED';
export type CommentPolicy = 'NOBODY' | 'MEMBERS' | 'EVERYBODY';
export type CommentDesign = 'ONE_EACH' | 'EMBEDDED' | 'HYBRID';

/** What only some kinds of nodes have (`node-input.ts`). */
export interface NodeDetail {
  /** Markdown. */
  text?: string;
  description?: string;
  /** As entered. */
  video_url?: string;
  source?: string;
  /** The picture of an image post or a photo. */
  asset_id?: string;
}

/** What a version holds besides its number. */
export interface NodeContent {
  slug: string;
  parent_id: string;
  title: string;
  excerpt: string;
  /** From when on everybody can see it. Null for a draft, and in the trash. */
  published: Date | null;
  detail: NodeDetail;
}

export interface NodeDocument extends NodeContent {
  /** The id of the call that created it, so that a retry finds it. */
  _id: string;
  type: NodeType;
  /** The id of the call that stored the current version, so that a retry recognizes its own. */
  nonce: string;
  /** From 1. */
  version: number;
  /** Rises with every write, also with those that make no version. Guards every write. */
  revision: number;
  author: AuthorReference;
  created: Date;
  /** When the current version was stored. */
  edited: Date;
  /** `edited` and `_id` as one text: a page of a list over several states is then one range of the index for each state. */
  edited_order: string;
  /** Distinct, in the order in which they were added. */
  tags: string[];
  /** At the time of the last write: a scheduled node becomes `PUBLISHED` here when its publication is announced (`announcement.ts`). */
  state: NodeState;
  /** The number of nodes below it that are not in the trash. A write that makes or removes a child conflicts with one that removes it. */
  children: number;
  comment_policy: CommentPolicy;
  comment_design: CommentDesign;
  /** The pictures that it shows, in its text, too. */
  asset_ids: string[];
  /** Where it was when it was put into the trash. */
  trash?: { at: Date; slug: string; is_purged?: true };
  /** The import that created it (`src/models/content/import`). */
  import?: string;
  /** The former parent, if the last write moved it: lists of the former parent then remove it. */
  moved_from?: string;
}

/** The parent of root nodes. */
export const ROOT = 'root';

/** `_id` makes each order total, so that pages never overlap. */
export const nodes = defineCollection<NodeDocument>(
  'cms.nodes',
  [
    { key: { parent_id: 1, slug: 1 }, unique: true }, // findChild, findByPath
    { key: { parent_id: 1, published: -1, _id: -1 } }, // findRecentPosts
    { key: { parent_id: 1 }, partialFilterExpression: { type: { $in: [...groupTypes] } } }, // findGroupsBelow: not the posts beside them
    { key: { tags: 1, published: -1, _id: -1 } }, // findTagged
    { key: { state: 1, edited_order: -1 } }, // findNodes, as the next three
    { key: { parent_id: 1, state: 1, edited_order: -1 } },
    { key: { 'author._id': 1, state: 1, edited_order: -1 } },
    { key: { type: 1, state: 1, edited_order: -1 } },
    { key: { state: 1, published: 1 } }, // announcement.ts: scheduled nodes whose time has come
    { key: { 'trash.at': 1 }, partialFilterExpression: { 'trash.at': { $exists: true } } }, // trash.ts: what is to be purged
    { key: { 'author._id': 1, 'author.name': 1 } }, // author-name.ts: names that are out of date
    { key: { import: 1, _id: 1 }, partialFilterExpression: { import: { $exists: true } } }, // import-undo.ts
    { key: { asset_ids: 1, published: 1 } }, // which pictures are used, and which are public
  ],
  { shardKey: { parent_id: 1, slug: 1 } }, // the unique index: a slug is unique within its parent
);

export const findNode = (db: Db, id: string): Promise<NodeDocument | null> => nodes(db).findOne({ _id: id });

/** The nodes with these ids, in any order. */
export const findNodesById = (db: Db, ids: readonly string[]): Promise<NodeDocument[]> =>
  nodes(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();

export const findChild = (db: Db, parentId: string, slug: string): Promise<NodeDocument | null> =>
  nodes(db).findOne({ parent_id: parentId, slug });

/** The state at a time. A read does not depend on whether the publication was announced. */
export function stateOf({ trash, published }: Pick<NodeDocument, 'trash' | 'published'>, now: Date): NodeState {
  if (trash) return 'DELETED';
  if (published === null) return 'DRAFT';
  return published > now ? 'SCHEDULED' : 'PUBLISHED';
}

/** Whether everybody may see it. The nodes above it make no difference. */
export const isPublic = (node: Pick<NodeDocument, 'trash' | 'published'>, now: Date): boolean =>
  stateOf(node, now) === 'PUBLISHED';
