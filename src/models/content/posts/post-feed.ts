/**
 * The newest posts of a blog, followed live. Each post is a part. A scheduled post arrives with its announcement.
 * Some more posts than are followed are kept, so that one that is taken back is replaced by the next older one. If more than these are
 * taken back while the list is followed, it stays shorter until the client subscribes again.
 */
import { type ChangeEvent, defineFeed, documentBytes, type StateFeed } from '../../../database/index.js';
import { requireFirst } from '../../../shared/page.js';
import { asNode, type NodeDocument, nodes, type StoredNode } from '../nodes/node.js';
import { FIRST_MAX } from '../nodes/node-list.js';
import { findNewestPosts } from './post.js';

export interface PostsArgs {
  readonly blogId: string;
  readonly first: number;
}

/** The followed posts that changed, and the ids of those that are no longer among them. */
export interface PostsChange {
  readonly posts: readonly NodeDocument[];
  readonly removed: readonly string[];
}

interface Posts {
  /** Newest first: the followed ones, then the reserve. */
  kept: NodeDocument[];
  /** Whether these are all posts of the blog. */
  isComplete: boolean;
}

const RESERVE = 20;
/** A post moves others into or out of the followed ones: for clients that resume, all of these may have changed. */
const ALL = '*';
const topicOf = (parentId: string) => `${nodes.collectionName} below:${parentId}`;

/** @throws InputError @throws LimitError */
export const requirePostsArgs = (blogId: string, first: number): PostsArgs => ({
  blogId,
  first: requireFirst(first, FIRST_MAX),
});

const followed = ({ kept }: Posts, first: number): NodeDocument[] => kept.slice(0, first);

export const postFeed: StateFeed<PostsArgs, Posts, PostsChange, PostsChange> = defineFeed({
  kind: 'state',
  name: 'recent posts',
  collections: [nodes],

  key: ({ blogId, first }) => JSON.stringify([blogId, first]),
  topic: ({ blogId }) => topicOf(blogId),
  // Every visible change replaces the document, which names its parent, and its former one after a move (`node-change.ts`).
  topics: ({ document }) => {
    const node = document as StoredNode | undefined;
    return node ? [node.parent_id, ...(node.moved_from ? [node.moved_from] : [])].map(topicOf) : [];
  },

  snapshot: async (db, { blogId, first }, session, now) => {
    const limit = first + RESERVE;
    const found = await findNewestPosts(db, blogId, limit + 1, now, session);
    return { kept: found.slice(0, limit), isComplete: found.length <= limit };
  },

  touched: ({ documentKey, document }, { blogId }) =>
    concerns(document as StoredNode | undefined, blogId) ? [String(documentKey._id), ALL] : [],
  apply: (state, event, args) => applyPost(state, event, args),
  view: (state, { first }) => ({ posts: followed(state, first), removed: [] }),
  change: (state, keys, { first }) => {
    const posts = followed(state, first);
    const ids = new Set(posts.map(({ _id }) => _id));
    const reserve = keys.has(ALL) ? state.kept.slice(first).map(({ _id }) => _id) : [];
    return {
      posts: keys.has(ALL) ? posts : posts.filter(({ _id }) => keys.has(_id)),
      removed: [...new Set([...keys, ...reserve])].filter((id) => id !== ALL && !ids.has(id)),
    };
  },
  bytes: ({ kept }) => kept.reduce((sum, post) => sum + documentBytes(post), 0),
});

const concerns = (node: Pick<NodeDocument, 'parent_id' | 'moved_from'> | undefined, blogId: string): boolean =>
  node !== undefined && (node.parent_id === blogId || node.moved_from === blogId);

function applyPost(state: Posts, { document }: ChangeEvent, { blogId, first }: PostsArgs): string[] {
  const post = document && asNode(document as StoredNode);
  if (!post || !concerns(post, blogId)) return [];
  const before = followed(state, first);
  state.kept = state.kept.filter(({ _id }) => _id !== post._id);
  if (post.parent_id === blogId && post.state === 'PUBLISHED') insertPost(state, post, first + RESERVE);
  const after = followed(state, first);
  const [left, entered] = [new Set(before.map(({ _id }) => _id)), new Set(after.map(({ _id }) => _id))];
  const moved = [...left, ...entered].filter((id) => left.has(id) !== entered.has(id));
  return left.has(post._id) && entered.has(post._id) ? [post._id, ...moved] : moved;
}

/** At its place in the order. Older than all kept ones, it is kept only if no other post is between them. */
function insertPost(state: Posts, post: NodeDocument, keptMax: number): void {
  const at = state.kept.findIndex((other) => isNewer(post, other));
  if (at >= 0) state.kept.splice(at, 0, post);
  else if (state.isComplete) state.kept.push(post);
  if (state.kept.length <= keptMax) return;
  state.kept.length = keptMax;
  state.isComplete = false;
}

function isNewer(one: NodeDocument, other: NodeDocument): boolean {
  const [left, right] = [one.published?.getTime() ?? 0, other.published?.getTime() ?? 0];
  return left === right ? one._id > other._id : left > right;
}
