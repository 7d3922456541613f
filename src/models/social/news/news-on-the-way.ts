/**
 * Posts that belong to the news of a reader and are not there yet: their delivery waits, or the reader and the author have become related
 * otherwise a moment ago. They are read from the posts until the courier has been there.
 */
import type { ClientSession, Db } from 'mongodb';
import { readTogether } from '../../../database/index.js';
import { findAuthorsOnTheWay, findOpenPairs, findOpenPosts } from '../delivery/delivery.js';
import { readFollowerPages } from '../network/follower.js';
import { people } from '../network/person.js';
import type { Reader } from '../network/relation.js';
import { byAge, findPostsById, type PostDocument } from '../posts/post.js';
import { type Place, readRange } from './list-page.js';

export interface OnTheWay {
  /** Posts that may be for the reader. */
  readonly posts: readonly string[];
  /** Authors whose posts are read instead of what was delivered of them. */
  readonly authors: readonly string[];
}

/** Usually a few wait. From here on, as after an import, they are not looked through: the authors who matter to the reader are asked for. */
const POSTS_MAX = 1000;
/** Of a thousand followers each. See `docs/social.md` for what this means to people with more followers. */
const FOLLOWER_PAGES_MAX = 10;
const AUTHORS_AT_ONCE = 50;

export async function findOnTheWay(
  db: Db,
  reader: Reader & { readonly id: string },
  session?: ClientSession,
): Promise<OnTheWay> {
  const [open, compared] = await readTogether(
    session,
    () => findOpenPosts(db, POSTS_MAX, session),
    () => findOpenPairs(db, reader.id, session),
  );
  const isFew = open.length < POSTS_MAX;
  const some = isFew ? await concerning(db, reader, open, session) : [];
  const authors = isFew ? [] : await findAuthors(db, reader, session);
  return { posts: some.map(({ _id }) => _id), authors: [...new Set([...compared, ...authors])] };
}

const isFollowed = ({ id, following }: Reader, author: string) => author === id || following.has(author);

/** Those by the reader, by people whom the reader follows, and by people who have the reader in a circle, if they are not public. */
async function concerning(
  db: Db,
  reader: Reader & { readonly id: string },
  open: Awaited<ReturnType<typeof findOpenPosts>>,
  session?: ClientSession,
): Promise<typeof open> {
  const others = open.filter((post) => !post.is_public && !isFollowed(reader, post.author_id));
  const ids = [...new Set(others.map(({ author_id }) => author_id))];
  const known =
    ids.length === 0
      ? []
      : await people(db)
          .find(
            { _id: { $in: ids }, 'following.id': reader.id },
            { projection: { _id: 1 }, ...(session && { session }) },
          )
          .map(({ _id }) => _id)
          .toArray();
  const knowing = new Set(known);
  return open.filter((post) => isFollowed(reader, post.author_id) || (!post.is_public && knowing.has(post.author_id)));
}

/** The authors of such posts, however many others there are. */
async function findAuthors(db: Db, { id, following }: Reader & { readonly id: string }, session?: ClientSession) {
  const pages = await readFollowerPages(db, id, 0, FOLLOWER_PAGES_MAX, session);
  const followers = pages.flatMap((page) => page.followers.map((follower) => follower.id));
  const others = followers.filter((follower) => !following.has(follower));
  return [
    ...(await findAuthorsOnTheWay(db, [id, ...following.keys()], [true, false], session)),
    ...(await findAuthorsOnTheWay(db, others, [false], session)),
  ];
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
  // Each once, also one that waits and is of an author whose posts are all read: fewer than `limit` means the end of the list.
  const distinct = new Map(found.map((post) => [post._id, post]));
  return [...distinct.values()].sort(byAge).slice(0, limit);
}
