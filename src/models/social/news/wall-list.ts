/**
 * Walls, and what others wrote on one's own: ranges of an index of the posts. A post is on exactly one wall, so there is nothing to copy,
 * and nothing that could go stale.
 */
import type { ClientSession, Db } from 'mongodb';
import type { Connection, PageInput } from '../../../shared/page.js';
import { findReader, findRelations, type Reader } from '../network/relation.js';
import type { PostDocument } from '../posts/post.js';
import { filterSeen } from '../posts/post-sight.js';
import { isOnOwnWall } from '../posts/visibility.js';
import { type Candidates, findPage, type Place, readRange } from './list-page.js';

/** Of a wall, as a reader sees it. On the reader's own: of others, only those whom the reader follows. */
export async function readWall(
  db: Db,
  owner: string,
  reader: Reader,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<Candidates> {
  const found = await readRange(db, { wall_id: owner, live: true }, after, limit, session);
  const seen = (await filterSeen(db, reader, found, session)).map(({ post }) => post);
  return {
    seen: reader.id === owner ? seen.filter((post) => isOnOwnWall(post, reader)) : seen,
    last: found.length < limit ? null : (found.at(-1) ?? null),
  };
}

export async function readIncoming(
  db: Db,
  reader: Reader,
  after: Place | null,
  limit: number,
  session?: ClientSession,
): Promise<Candidates> {
  const filter = { guest: true as const, wall_id: reader.id ?? '' };
  const found = await readRange(db, filter, after, limit, session);
  return {
    seen: (await filterSeen(db, reader, found, session)).map(({ post }) => post),
    last: found.length < limit ? null : (found.at(-1) ?? null),
  };
}

/** Empty where there is no such person, or one of the two has blocked the other. */
export async function findWall(
  db: Db,
  readerId: string | null,
  owner: string,
  page: PageInput,
): Promise<Connection<PostDocument>> {
  const reader = await findReader(db, readerId);
  const relation = (await findRelations(db, reader, [owner])).get(owner);
  return findPage(db, `wall/${owner}`, page, async (after, limit) =>
    relation && !relation.isBlocked ? readWall(db, owner, reader, after, limit) : { seen: [], last: null },
  );
}

export async function findIncoming(db: Db, readerId: string, page: PageInput): Promise<Connection<PostDocument>> {
  const reader = await findReader(db, readerId);
  return findPage(db, `incoming/${readerId}`, page, (after, limit) => readIncoming(db, reader, after, limit));
}
