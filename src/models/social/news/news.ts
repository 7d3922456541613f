/**
 * The news of a reader, from three sources that are merged in the order of time: references that were delivered; posts of authors with
 * many followers, which readers fetch; and posts that are still on their way (`news-on-the-way.ts`). The rule of visibility is applied to
 * all. So the news are what the posts and the graph imply at every moment, also while deliveries wait.
 */
import type { ClientSession, Db } from 'mongodb';
import { readTogether } from '../../../database/index.js';
import type { Connection, PageInput } from '../../../shared/page.js';
import { people } from '../network/person.js';
import { findReader, type Reader } from '../network/relation.js';
import { byAge, findPostsById, type PostDocument } from '../posts/post.js';
import { filterSeen } from '../posts/post-sight.js';
import { isNewsFor } from '../posts/visibility.js';
import { type Candidates, findPage, type Place, readRange } from './list-page.js';
import { findOnTheWay, type OnTheWay, readOnTheWay } from './news-on-the-way.js';
import { readReferences } from './news-page.js';

/** Authors in one query, whose ranges the database merges without sorting. */
const AUTHORS_AT_ONCE = 50;

/** Those of whom a reader fetches posts: of the people whom the reader follows, and of the reader. */
async function findPulled(db: Db, { id, following }: Reader, session?: ClientSession): Promise<string[]> {
  const authors = [...following.keys(), ...(id === null ? [] : [id])];
  const found = people(db).find(
    { is_pulled: true, _id: { $in: authors } },
    { projection: { _id: 1 }, hint: { is_pulled: 1, _id: 1 }, ...(session && { session }) },
  );
  return found.map(({ _id }) => _id).toArray();
}

async function findPulledPosts(
  db: Db,
  authors: readonly string[],
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<PostDocument[]> {
  const found: PostDocument[] = [];
  for (let at = 0; at < authors.length; at += AUTHORS_AT_ONCE) {
    const filter = { way: 'READ' as const, author_id: { $in: authors.slice(at, at + AUTHORS_AT_ONCE) } };
    found.push(...(await readRange(db, filter, after, limit, session)));
  }
  return found.sort(byAge).slice(0, limit);
}

/** What is read besides the references. */
export interface FetchedFrom {
  /** Authors of posts that are not delivered. */
  readonly pulled: readonly string[];
  readonly onTheWay: OnTheWay;
}

export async function findFetchedFrom(
  db: Db,
  reader: Reader & { readonly id: string },
  session?: ClientSession,
): Promise<FetchedFrom> {
  const [pulled, onTheWay] = await readTogether(
    session,
    () => findPulled(db, reader, session),
    () => findOnTheWay(db, reader, session),
  );
  return { pulled, onTheWay };
}

/** A post, or a reference to one, in the list. */
interface Candidate extends Place {
  /** Absent for a reference. */
  readonly post?: PostDocument;
}

/** The first ones after a place. */
async function findNextReferences(
  db: Db,
  reader: string,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const { id, at } of readReferences(db, reader, after, session)) {
    found.push({ _id: id, posted: at });
    if (found.length >= limit) break;
  }
  return found;
}

/** The next ones of all sources, newest first. */
async function readCandidates(
  db: Db,
  reader: Reader & { readonly id: string },
  { pulled, onTheWay }: FetchedFrom,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<Candidate[]> {
  const [references, fetched, waiting] = await readTogether(
    session,
    () => findNextReferences(db, reader.id, after, limit, session),
    () => findPulledPosts(db, pulled, after, limit, session),
    () => readOnTheWay(db, onTheWay, after, limit, session),
  );
  const read = [...fetched, ...waiting].map((post) => ({ _id: post._id, posted: post.posted, post }));
  const distinct = new Map<string, Candidate>([...references, ...read].map((one) => [one._id, one]));
  return [...distinct.values()].sort(byAge).slice(0, limit);
}

export async function readNews(
  db: Db,
  reader: Reader & { readonly id: string },
  from: FetchedFrom,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<Candidates> {
  const candidates = await readCandidates(db, reader, from, after, limit, session);
  const missing = candidates.flatMap(({ _id, post }) => (post ? [] : [_id]));
  const byId = new Map((await findPostsById(db, missing, session)).map((post) => [post._id, post]));
  const present = candidates.flatMap(({ _id, post }) => post ?? byId.get(_id) ?? []);
  const seen = await filterSeen(db, reader, present, session);
  return {
    seen: seen.filter(({ post, author }) => isNewsFor(post, reader, author)).map(({ post }) => post),
    last: candidates.length < limit ? null : (candidates.at(-1) ?? null),
  };
}

export async function findNews(db: Db, readerId: string, page: PageInput): Promise<Connection<PostDocument>> {
  const reader = { ...(await findReader(db, readerId)), id: readerId };
  const from = await findFetchedFrom(db, reader);
  return findPage(db, `news/${readerId}`, page, (after, limit) => readNews(db, reader, from, after, limit));
}
