/**
 * Pages of posts of which a reader sees some: never short. What the reader does not see makes room for more, until the page is full, the
 * list ends, or CANDIDATES_MAX were read.
 */
import type { ClientSession, Db, Filter } from 'mongodb';
import { olderThan, openPosition, sealPosition } from '../../../database/index.js';
import { type Connection, encodePosition, type PageInput, requireFirst, toConnection } from '../../../shared/page.js';
import { type PostDocument, posts } from '../posts/post.js';

export interface Place {
  readonly posted: Date;
  readonly _id: string;
}

/** Some posts of a list, as they lie in it. */
export interface Candidates {
  /** Those of them that the reader sees. */
  readonly seen: readonly PostDocument[];
  /** Of the last one that was looked at, seen or not. Null at the end of the list. */
  readonly last: Place | null;
}

/** @param after null: from the newest on @param limit how many to look at */
export type ReadCandidates = (after: Place | null, limit: number) => Promise<Candidates>;

/** Posts that match, after a place, newest first. The filter is the beginning of an index that continues with this order. */
export function readRange(
  db: Db,
  filter: Filter<PostDocument>,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<PostDocument[]> {
  const range = after ? { ...filter, ...olderThan([after.posted.getTime(), after._id], 'posted', filter) } : filter;
  return posts(db)
    .find(range, session ? { session } : {})
    .sort({ posted: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

const FIRST_MAX = 100;
/** Bounds what one request reads. A page is short only where so many posts in a row are not for the reader. */
const CANDIDATES_MAX = 10_000;
const EXTRA_SHARE = 1.5;
const ROUND_MIN = 10;

/** @param list identifies the list @throws InputError @throws LimitError @throws CursorError */
export async function findPage(
  db: Db,
  list: string,
  { first, after }: PageInput,
  read: ReadCandidates,
): Promise<Connection<PostDocument>> {
  requireFirst(first, FIRST_MAX);
  const [ms, id] = after ? ((await openPosition(db, list, after, ['number', 'string'])) as [number, string]) : [0, ''];
  const from = after ? { posted: new Date(ms), _id: id } : null;
  const { found, last } = await fill(from, first + 1, read);
  const placeOf = ({ posted, _id }: Place) => [posted.getTime(), _id];
  const page = toConnection(found, first, (post) => encodePosition(list, placeOf(post)));
  if (found.length > first || last === null) return page;
  // It is short, because too much was looked at, and continues after the last post that was, which the cursor does not tell.
  return { ...page, pageInfo: { hasNextPage: true, endCursor: await sealPosition(db, list, placeOf(last)) } };
}

/** Reads until so many are found. @returns them, at most, and where to continue; null at the end of the list */
export async function fill(
  from: Place | null,
  wanted: number,
  read: ReadCandidates,
): Promise<{ readonly found: PostDocument[]; readonly last: Place | null }> {
  const found: PostDocument[] = [];
  let last = from;
  for (let looked = 0; looked < CANDIDATES_MAX; ) {
    const limit = Math.max(ROUND_MIN, Math.ceil((wanted - found.length) * EXTRA_SHARE) + looked);
    const some = await read(last, Math.min(limit, CANDIDATES_MAX - looked));
    looked += limit;
    found.push(...some.seen);
    last = some.last;
    if (last === null || found.length >= wanted) break;
  }
  return { found: found.slice(0, wanted), last };
}
