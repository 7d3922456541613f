/**
 * Posts that belong to the news of a reader and are not there yet: their delivery waits, or the reader and the author have become related
 * otherwise a moment ago. They are read from the posts until the courier has been there.
 */
import type { ClientSession, Db } from 'mongodb';
import { findOpenPairs, findOpenPosts } from '../delivery/delivery.js';
import type { Reader } from '../network/relation.js';
import { byAge, findPostsById, type PostDocument } from '../posts/post.js';
import { type Place, readRange } from './list-page.js';

export interface OnTheWay {
  /** Posts that may be for the reader. */
  readonly posts: readonly string[];
  /** Authors whose posts are being compared with the news of the reader. */
  readonly authors: readonly string[];
}

/** More wait only for a moment, on a server that is overloaded: the older ones come first, so it is the latest that are read here. */
const POSTS_MAX = 1000;
const AUTHORS_AT_ONCE = 50;

export async function findOnTheWay(
  db: Db,
  { id, following }: Reader & { readonly id: string },
  session?: ClientSession,
): Promise<OnTheWay> {
  const open = await findOpenPosts(db, POSTS_MAX, session);
  // Whether somebody whom the reader does not follow has the reader in a circle is decided with the rule.
  const some = open.filter((post) => !post.is_public || post.author_id === id || following.has(post.author_id));
  return { posts: some.map(({ _id }) => _id), authors: await findOpenPairs(db, id, session) };
}

/** After a place in the list, newest first, at most `limit`. */
export async function readOnTheWay(
  db: Db,
  { posts: ids, authors }: OnTheWay,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<PostDocument[]> {
  const found = (await findPostsById(db, ids, session)).filter((post) => !after || byAge(after, post) < 0);
  for (let at = 0; at < authors.length; at += AUTHORS_AT_ONCE) {
    const filter = { author_id: { $in: authors.slice(at, at + AUTHORS_AT_ONCE) } };
    // A deleted one keeps its place: whoever counts on `limit` would stop too early without it.
    found.push(...(await readRange(db, filter, after, limit, session)));
  }
  return found.sort(byAge).slice(0, limit);
}
