/** Which posts a reader sees: the rule, with what it needs to know read for many posts at once. */
import type { ClientSession, Db } from 'mongodb';
import { findReader, findRelations, NO_RELATION, type Reader, type Relation } from '../network/relation.js';
import { findPost, findPostsById, type PostDocument } from './post.js';
import { grants, isOverBlock, type VisibilityRule, visibilityRule } from './visibility.js';

/** A post with the rule by which the reader sees it, and how its author is related to the reader. */
export interface SeenPost {
  readonly post: PostDocument;
  readonly reader: Reader;
  readonly rule: VisibilityRule;
  readonly author: Relation;
  readonly isOverBlock: boolean;
}

/** Those that the reader sees, in their order. Two people at most matter to each: all of them are read in one query. */
export async function filterSeen(
  db: Db,
  reader: Reader,
  posts: readonly PostDocument[],
  session?: ClientSession,
): Promise<SeenPost[]> {
  const ids = posts.flatMap(({ author_id, wall_id }) => [author_id, wall_id]);
  return seenAmong(reader, posts, await findRelations(db, reader, ids, session));
}

/** The same with relations that are known. Who is missing there has left the network: nothing of theirs, and nothing on their walls, is seen. */
export function seenAmong(
  reader: Reader,
  posts: readonly PostDocument[],
  relations: ReadonlyMap<string, Relation>,
): SeenPost[] {
  return posts.flatMap((post) => {
    const author = relations.get(post.author_id) ?? null;
    const wall = relations.get(post.wall_id) ?? null;
    const rule = visibilityRule(post, reader.id, author, wall);
    if (!grants(rule)) return [];
    return [{ post, reader, rule, author: author ?? NO_RELATION, isOverBlock: isOverBlock(author, wall) }];
  });
}

/** A post, if the reader sees it. */
export async function findSeenPost(db: Db, readerId: string | null, id: string): Promise<PostDocument | null> {
  return (await findSeenPosts(db, readerId, [id])).get(id)?.post ?? null;
}

/** Those of these posts that the reader sees, by id. */
export async function findSeenPosts(
  db: Db,
  readerId: string | null,
  ids: readonly string[],
): Promise<Map<string, SeenPost>> {
  const found = await findPostsById(db, ids);
  if (found.length === 0) return new Map();
  const seen = await filterSeen(db, await findReader(db, readerId), found);
  return new Map(seen.map((each) => [each.post._id, each]));
}

export interface Explanation {
  readonly isVisible: boolean;
  /** Null where the reader has blocked the asker. */
  readonly rule: VisibilityRule | null;
}

/**
 * Whether a reader sees a post, and why: to its author, who is not told whom others have blocked, or to somebody who may know all. To an
 * author, a block between the reader and the owner of another's wall is as if it were not there: even "not seen" would tell of it.
 * @param asker null for somebody who may know all
 * @returns null if there is no such post, or it is not the asker's
 */
export async function explainVisibility(
  db: Db,
  id: string,
  readerId: string | null,
  asker: string | null,
): Promise<Explanation | null> {
  const post = await findPost(db, id);
  if (!post || (asker !== null && asker !== post.author_id)) return null;
  const reader = await findReader(db, readerId);
  const relations = await findRelations(db, reader, [post.author_id, post.wall_id]);
  const [author = null, wall = null] = [post.author_id, post.wall_id].map((person) => relations.get(person) ?? null);
  const isOthersAffair = asker !== null && post.wall_id !== post.author_id;
  const toldOfWall = isOthersAffair && wall ? NO_RELATION : wall;
  const rule = visibilityRule(post, readerId, author, toldOfWall);
  const isVisible = grants(rule);
  if (rule !== 'BLOCKED' || asker === null || (await hasBlocked(db, asker, readerId))) return { isVisible, rule };
  // What is true without the block may be told: it is as it would be for anybody outside of the circles.
  const without = visibilityRule(post, readerId, { ...NO_RELATION, circles: author?.circles ?? [] }, NO_RELATION);
  return { isVisible, rule: grants(without) ? null : without };
}

const hasBlocked = async (db: Db, person: string, other: string | null): Promise<boolean> =>
  (await findReader(db, person)).blocked.has(other ?? '');
