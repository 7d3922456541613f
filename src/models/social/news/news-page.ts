/**
 * The news of readers: references to posts, in documents of at most POSTS_PER_PAGE for each reader and month. Bucket pattern. They say
 * only that a post may belong to the news: what it says, and whether the reader sees it, is read from the posts, so an edit, a vote or a
 * comment changes no news, and a stale reference grants nothing.
 *
 * A page of a month takes whatever arrives while it has room. Posts arrive about in the order of time, so the pages hardly overlap, and
 * reading them by their last post, newest first, needs few.
 */
import { randomBytes } from 'node:crypto';
import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { groupBy } from '../../../shared/group-by.js';
import { byAge } from '../posts/post.js';

/** A post in the news. */
export interface PostReference {
  readonly id: string;
  readonly at: Date;
  /** The author. */
  readonly by: string;
}

export interface NewsPage {
  /** The reader, the month, and a random part. */
  _id: string;
  user_id: string;
  /** For example `2026-11`. */
  month: string;
  count: number;
  /** Of the newest and the oldest post in it. Those that are removed do not change it. */
  last: Date;
  first: Date;
  /** In the order of arrival. */
  posts: PostReference[];
}

/**
 * For each post that arrives, the database rewrites the page and compares the keys of all its posts: with 200, it took a third more of
 * its processor time. An index has this number: another one needs an index with another name.
 */
const POSTS_PER_PAGE = 50;

export const newsPages = defineCollection<NewsPage>(
  'social.news',
  [
    // addReferences: a page with room. The count is no part of the key, so that no arrival changes it.
    { key: { user_id: 1, month: 1 }, partialFilterExpression: { count: { $lt: POSTS_PER_PAGE } } },
    { key: { user_id: 1, last: -1, _id: -1 } }, // readReferences
    { key: { 'posts.id': 1, user_id: 1 } }, // findHolders
  ],
  { shardKey: { user_id: 1 }, retiredIndexes: ['user_id_1_month_1_count_1'] },
);

const MONTH_LENGTH = 7;
const RANDOM_BYTES = 9;

export const monthOf = (at: Date): string => at.toISOString().slice(0, MONTH_LENGTH);

export interface NewReference {
  readonly reader: string;
  readonly post: PostReference;
}

/**
 * Adds references. One that is there already would be there twice, if its page is full: a caller that may repeat itself leaves those out
 * (`findReferences`, `findHolders`). Readers count it once in any case.
 */
export async function addReferences(db: Db, some: readonly NewReference[], session?: ClientSession): Promise<void> {
  if (some.length === 0) return;
  const writes = some.map(({ reader, post }): AnyBulkWriteOperation<NewsPage> => {
    const month = monthOf(post.at);
    return {
      updateOne: {
        // Guard: the page has room, and does not have the post. Two writers at once may make two pages, which is one too many for order
        // only.
        filter: { user_id: reader, month, count: { $lt: POSTS_PER_PAGE }, 'posts.id': { $ne: post.id } },
        update: {
          $push: { posts: post },
          $inc: { count: 1 },
          $max: { last: post.at },
          $min: { first: post.at },
          $setOnInsert: { _id: `${reader}/${month}/${randomBytes(RANDOM_BYTES).toString('base64url')}` },
        },
        upsert: true,
      },
    };
  });
  await newsPages(db).bulkWrite(writes, { ordered: false, ...(session && { session }) });
}

/** Which of these readers have the post. */
export async function findHolders(db: Db, post: string, readers: readonly string[]): Promise<Set<string>> {
  const found = newsPages(db).find(
    { 'posts.id': post, user_id: { $in: [...readers] } },
    // Otherwise the database may look at all that these readers have.
    { projection: { user_id: 1 }, hint: { 'posts.id': 1, user_id: 1 } },
  );
  return new Set(await found.map(({ user_id }) => user_id).toArray());
}

const HOLDERS_AT_ONCE = 500;

/** Removes a post from the news of some of those who have it. @returns from how many */
export async function removePost(db: Db, post: string): Promise<number> {
  const pages = await newsPages(db)
    .find({ 'posts.id': post }, { projection: { user_id: 1 } })
    .limit(HOLDERS_AT_ONCE)
    .toArray();
  if (pages.length === 0) return 0;
  await newsPages(db).bulkWrite(
    pages.map((page) => pullUpdate(page, [post])),
    { ordered: false },
  );
  return pages.length;
}

/** Takes posts out of a page. The same for every worker: what is gone already changes nothing. */
const pullUpdate = ({ _id, user_id }: Pick<NewsPage, '_id' | 'user_id'>, ids: readonly string[]) => ({
  updateOne: {
    filter: { _id, user_id },
    update: [
      { $set: { posts: { $filter: { input: '$posts', cond: { $not: { $in: ['$$this.id', [...ids]] } } } } } },
      { $set: { count: { $size: '$posts' } } },
    ],
  },
});

/** What the news of a reader have by an author between two moments, both included. */
export async function findReferences(
  db: Db,
  reader: string,
  author: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  session: ClientSession,
): Promise<(PostReference & { readonly page: string })[]> {
  const pages = newsPages(db).find({ user_id: reader, last: { $gte: from }, first: { $lte: to } }, { session });
  const found: (PostReference & { readonly page: string })[] = [];
  for await (const { _id, posts } of pages.sort({ last: -1, _id: -1 }))
    for (const post of posts)
      if (post.by === author && post.at >= from && post.at <= to) found.push({ ...post, page: _id });
  return found;
}

export async function removeReferences(
  db: Db,
  reader: string,
  some: readonly { readonly id: string; readonly page: string }[],
  session: ClientSession,
): Promise<void> {
  if (some.length === 0) return;
  const byPage = groupBy(some, ({ page }) => page);
  const writes = [...byPage].map(([_id, references]) =>
    pullUpdate(
      { _id, user_id: reader },
      references.map(({ id }) => id),
    ),
  );
  await newsPages(db).bulkWrite(writes, { ordered: false, session });
}

/** Of a reader who has left the network. @returns how many pages */
export async function removeNews(db: Db, reader: string, session: ClientSession): Promise<number> {
  return (await newsPages(db).deleteMany({ user_id: reader }, { session })).deletedCount;
}

const PAGES_AT_ONCE = 3;

/** References after a place in the list, newest first, each once. @param after null: from the newest on */
export async function* readReferences(
  db: Db,
  reader: string,
  after: { readonly posted: Date; readonly _id: string } | null,
  session?: ClientSession,
): AsyncGenerator<PostReference> {
  const pages = newsPages(db)
    .find(
      { user_id: reader, ...(after && { first: { $lte: after.posted } }) },
      { batchSize: PAGES_AT_ONCE, ...(session && { session }) },
    )
    .sort({ last: -1, _id: -1 });
  let open: PostReference[] = []; // newest first
  const told = new Set<string>();
  const isAfter = (post: PostReference) => !after || byAge(after, asPlace(post)) < 0;
  for await (const page of pages) {
    // All later pages end before this one does: what is newer than its last post is complete.
    while (open[0] && open[0].at > page.last) yield open.shift() as PostReference;
    const more = page.posts.filter((post) => isAfter(post) && !told.has(post.id));
    for (const { id } of more) told.add(id);
    open = [...open, ...more].sort((one, other) => byAge(asPlace(one), asPlace(other)));
  }
  yield* open;
}

const asPlace = ({ at, id }: PostReference) => ({ posted: at, _id: id });

/** Whose posts the news of a reader refer to. */
export async function findReferredAuthors(db: Db, reader: string): Promise<Set<string>> {
  const pages = newsPages(db).find({ user_id: reader }, { projection: { _id: 0, 'posts.by': 1 } });
  const authors = new Set<string>();
  for await (const { posts } of pages) for (const { by } of posts) authors.add(by);
  return authors;
}
