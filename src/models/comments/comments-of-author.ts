/** The published comments of an account, on everything: as a reader sees them, who does not see everything. */
import type { Db } from 'mongodb';
import { olderThan, openPosition, sealPosition } from '../../database/index.js';
import {
  type Connection,
  encodePosition,
  mapConnection,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../shared/page.js';
import { findCommentsById } from './comment-list.js';
import { type Comment, comments } from './discussion/comment.js';

const FIRST_MAX = 100;
/** A page is read on, at least so many comments at a time, if its reader does not see all. */
const REFILL_MIN = 50;
/** Beyond it, the page has fewer than asked for, and continues after the last comment that was read, which the cursor does not tell. */
const ROUNDS_MAX = 20;

type Position = readonly [ms: number, id: string];

/**
 * Newest first. Neither the page nor its cursors tell of comments that the reader does not see.
 * @param see what the reader sees of some comments: in their order, null for those that the reader does not see
 * @throws InputError @throws LimitError @throws CursorError
 */
export async function findCommentsOfAuthor<T>(
  db: Db,
  authorId: string,
  { first, after }: PageInput,
  see: (some: readonly Comment[]) => Promise<readonly (T | null)[]>,
): Promise<Connection<T>> {
  requireFirst(first, FIRST_MAX);
  const list = `comments-of/${authorId}`;
  let from = after ? ((await openPosition(db, list, after, ['number', 'string'])) as unknown as Position) : null;
  const found: { readonly position: Position; readonly node: T }[] = [];
  let limit = first + 1; // the extra one only indicates that there is more
  let isAtEnd = false;
  for (let round = 1; round <= ROUNDS_MAX && found.length <= first && !isAtEnd; round += 1) {
    const places = await readPlaces(db, authorId, from, limit);
    found.push(...(await seenAt(db, places, see)));
    from = places.at(-1) ?? from;
    isAtEnd = places.length < limit;
    limit = Math.max(first + 1, REFILL_MIN);
  }
  const positioned = toConnection(found, first, ({ position }) => encodePosition(list, position));
  const page = mapConnection(positioned, ({ node }) => node);
  if (found.length > first || isAtEnd || !from) return page;
  return { ...page, pageInfo: { hasNextPage: true, endCursor: await sealPosition(db, list, from) } };
}

async function readPlaces(db: Db, authorId: string, from: Position | null, limit: number): Promise<Position[]> {
  const all = { 'author._id': authorId, state: 'PUBLISHED' as const };
  const found = await comments(db)
    .find(from ? { ...all, ...olderThan(from, 'posted', all) } : all, { projection: { posted: 1 } })
    .sort({ posted: -1, _id: -1 })
    .limit(limit)
    .toArray();
  return found.map(({ posted, _id }) => [posted.getTime(), _id]);
}

async function seenAt<T>(
  db: Db,
  places: readonly Position[],
  see: (some: readonly Comment[]) => Promise<readonly (T | null)[]>,
) {
  const read = await findCommentsById(
    db,
    places.map(([, id]) => id),
  );
  // One that was hidden between the two reads is left out.
  const shown = places.flatMap((position, at) => {
    const comment = read[at];
    return comment?.state === 'PUBLISHED' ? [{ position, comment }] : [];
  });
  const seen = await see(shown.map(({ comment }) => comment));
  return shown.flatMap(({ position }, at) => {
    const node = seen[at];
    return node ? [{ position, node }] : [];
  });
}
