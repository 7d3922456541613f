/**
 * Nodes: content of every kind, one document each, in one collection. They form a tree: each is grouped under a folder, a blog or a
 * gallery, or is a root.
 * Source pattern: metadata and asset management (content, section 1).
 *
 * The parent and the slug are the truth of a path: nothing is copied to the nodes below, so that moving a folder is one update. Every
 * write replaces the whole document in the transaction that stores its version (`node-change.ts`), so that the change stream carries
 * the whole node, also to lists that did not have it before.
 * Invariants: the fields of a node equal those of its latest version; a parent exists, groups nodes of this kind, is not in the trash and
 * counts its children; there is no cycle; the photos of a gallery with an order by hand have ranks, no two the same.
 */
import type { ClientSession, Db, Filter } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import type { CommentDesign, CommentPolicy } from '../../comments/discussion/comment.js';
import type { AuthorReference } from '../../people/author.js';
import { presentFormIfAny, presentFormOf, type Stored, type Synopsis } from './node-form.js';

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

/** As it reads, in whatever form it is stored (`node-form.ts`). */
export interface NodeDocument extends NodeContent, Synopsis {
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
  /** Whether everybody could see it at any time: then its addresses say that it is gone once it is deleted. */
  was_public?: true;
  /** Where it was when it was put into the trash. */
  trash?: { at: Date; slug: string; is_purged?: true };
  /** How a gallery shows its photos. Absent: newest first. */
  photo_order?: 'BY_HAND';
  /** Of a photo in a gallery with an order by hand: its place, ascending (`photo-rank.ts`). */
  rank?: number;
  /** The imports that brought it or found it as they would have brought it, and are not undone (`src/models/content/import`). */
  imports?: string[];
  /**
   * Somebody has changed what makes no version since an import has brought it: its tags, or its place in a gallery. The undo of the import
   * leaves it.
   */
  is_touched?: true;
  /** The former parent, if the last write moved it: lists of the former parent then remove it. */
  moved_from?: string;
}

/** The parent of root nodes. */
export const ROOT = 'root';

export type StoredNode = Stored<NodeDocument>;

/** A photo that is not in the trash: names the partial index. */
export const LIVE_PHOTO = {
  type: 'PHOTO',
  state: { $in: ['DRAFT', 'SCHEDULED', 'PUBLISHED'] },
} as const satisfies Filter<NodeDocument>;

/** `_id` makes each order total, so that pages never overlap. */
export const nodes = defineCollection<StoredNode>(
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
    { key: { parent_id: 1, rank: 1, published: 1 }, partialFilterExpression: { rank: { $exists: true } } }, // findPhotos, findAllPhotos
    { key: { parent_id: 1, 'author._id': 1, edited_order: -1 }, partialFilterExpression: LIVE_PHOTO }, // findOwnPhotos
    { key: { imports: 1, _id: 1 }, partialFilterExpression: { imports: { $exists: true } } }, // import/undo
    { key: { asset_ids: 1, published: 1 } }, // which pictures are used, and which are public
    { key: { form: 1, _id: 1 } }, // node-migration.ts: what has an old form, and how many have the present one
  ],
  { shardKey: { parent_id: 1, slug: 1 } }, // the unique index: a slug is unique within its parent
);

/** For cursors: `.map(asNode)`. */
export const asNode = (stored: StoredNode): NodeDocument => presentFormOf<NodeDocument>(stored);

/** @param session of a transaction, or a snapshot */
export const findNode = async (db: Db, id: string, session?: ClientSession): Promise<NodeDocument | null> =>
  presentFormIfAny<NodeDocument>(await nodes(db).findOne({ _id: id }, { ...(session && { session }) }));

/** The nodes with these ids, in any order. */
export const findNodesById = (db: Db, ids: readonly string[]): Promise<NodeDocument[]> =>
  nodes(db)
    .find({ _id: { $in: [...ids] } })
    .map(asNode)
    .toArray();

export const findChild = async (db: Db, parentId: string, slug: string): Promise<NodeDocument | null> =>
  presentFormIfAny<NodeDocument>(await nodes(db).findOne({ parent_id: parentId, slug }));

/** The state at a time. A read does not depend on whether the publication was announced. */
export function stateOf({ trash, published }: Pick<NodeDocument, 'trash' | 'published'>, now: Date): NodeState {
  if (trash) return 'DELETED';
  if (published === null) return 'DRAFT';
  return published > now ? 'SCHEDULED' : 'PUBLISHED';
}

/** Whether everybody may see it. The nodes above it make no difference. */
export const isPublic = (node: Pick<NodeDocument, 'trash' | 'published'>, now: Date): boolean =>
  stateOf(node, now) === 'PUBLISHED';
