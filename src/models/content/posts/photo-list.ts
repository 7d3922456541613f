/** The photos of a gallery in its order: by rank, once an editor has placed one of them, and newest first until then. */
import type { ClientSession, Db, Filter } from 'mongodb';
import { olderThan } from '../../../database/index.js';
import { CursorError } from '../../../shared/errors.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { asNode, LIVE_PHOTO, type NodeDocument, nodes, type StoredNode } from '../nodes/node.js';
import { FIRST_MAX } from '../nodes/node-list.js';
import { HAS_RANK } from '../nodes/photo-rank.js';
import { findRecentPosts } from './post.js';

type Gallery = Pick<NodeDocument, '_id' | 'photo_order'>;

/** What everybody sees. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findPhotos(
  db: Db,
  gallery: Gallery,
  page: PageInput,
  now: Date,
): Promise<Connection<NodeDocument>> {
  requireFirst(page.first, FIRST_MAX);
  return inGivenOrder(
    gallery,
    () => findRanked(db, gallery, page, { published: { $lte: now } }, 'photos'),
    () => findRecentPosts(db, gallery._id, page, now),
  );
}

/** With drafts and scheduled ones: while there are no ranks, first the drafts. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findAllPhotos(db: Db, gallery: Gallery, page: PageInput): Promise<Connection<NodeDocument>> {
  requireFirst(page.first, FIRST_MAX);
  return inGivenOrder(
    gallery,
    () => findRanked(db, gallery, page, {}, 'all photos'),
    () => findUnranked(db, gallery._id, page),
  );
}

/** A list whose first page was read before the gallery had an order goes on as it has begun. */
async function inGivenOrder<T>(
  { photo_order }: Gallery,
  byRank: () => Promise<T>,
  byDate: () => Promise<T>,
): Promise<T> {
  if (photo_order !== 'BY_HAND') return byDate();
  try {
    return await byRank();
  } catch (error) {
    if (error instanceof CursorError) return byDate();
    throw error;
  }
}

/** What is in the trash has no rank. */
async function findRanked(
  db: Db,
  { _id }: Gallery,
  { first, after }: PageInput,
  filter: Filter<StoredNode>,
  name: string,
): Promise<Connection<NodeDocument>> {
  const list = `${name}/${_id}/by rank`;
  const [last] = after ? decodePosition(list, after, ['number']) : [];
  const found = await nodes(db)
    .find({ parent_id: _id, rank: last === undefined ? HAS_RANK : { $gt: Number(last) }, ...filter })
    .sort({ rank: 1 })
    .limit(first + 1)
    .map(asNode)
    .toArray();
  return toConnection(found, first, ({ rank }) => encodePosition(list, [rank ?? 0]));
}

const DRAFT = 'DRAFT';

/** The drafts, most recently edited first, then all others, newest first. */
async function findUnranked(db: Db, parentId: string, { first, after }: PageInput): Promise<Connection<NodeDocument>> {
  const list = `all photos/${parentId}`;
  const [part, last] = after ? decodePosition(list, after, ['string', 'string']).map(String) : [DRAFT];
  const drafts = part === DRAFT ? await findDrafts(db, parentId, first + 1, last) : [];
  const left = first + 1 - drafts.length;
  const others =
    left > 0 ? await findDated(db, parentId, left, part === DRAFT ? undefined : [Number(part), last ?? '']) : [];
  return toConnection([...drafts, ...others], first, ({ _id, edited_order, published }) =>
    encodePosition(list, published === null ? [DRAFT, edited_order] : [String(published.getTime()), _id]),
  );
}

const findDrafts = (
  db: Db,
  parentId: string,
  limit: number,
  last: string | undefined,
  session?: ClientSession,
): Promise<NodeDocument[]> =>
  nodes(db)
    .find(
      { parent_id: parentId, state: 'DRAFT', ...(last !== undefined && { edited_order: { $lt: last } }) },
      { hint: { parent_id: 1, state: 1, edited_order: -1 }, ...(session && { session }) },
    )
    .sort({ edited_order: -1 })
    .limit(limit)
    .map(asNode)
    .toArray();

const AT_ANY_TIME = { published: { $gte: new Date(-8.64e15) } };

const findDated = (
  db: Db,
  parentId: string,
  limit: number,
  last: readonly [ms: number, id: string] | undefined,
  session?: ClientSession,
): Promise<NodeDocument[]> =>
  nodes(db)
    .find(
      { parent_id: parentId, ...(last ? olderThan<StoredNode>(last, 'published', AT_ANY_TIME) : AT_ANY_TIME) },
      { ...(session && { session }) },
    )
    .sort({ published: -1, _id: -1 })
    .limit(limit)
    .map(asNode)
    .toArray();

/** Those of one author, also drafts, most recently edited first. @param authorId null: there are none @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findOwnPhotos(
  db: Db,
  galleryId: string,
  authorId: string | null,
  { first, after }: PageInput,
): Promise<Connection<NodeDocument>> {
  requireFirst(first, FIRST_MAX);
  const list = `own photos/${galleryId}`;
  const [last] = after ? decodePosition(list, after, ['string']) : [];
  const found =
    authorId === null
      ? []
      : await nodes(db)
          .find(
            {
              ...{ parent_id: galleryId, 'author._id': authorId, ...LIVE_PHOTO },
              ...(last !== undefined && { edited_order: { $lt: String(last) } }),
            },
            { hint: { parent_id: 1, 'author._id': 1, edited_order: -1 } },
          )
          .sort({ edited_order: -1 })
          .limit(first + 1)
          .map(asNode)
          .toArray();
  return toConnection(found, first, ({ edited_order }) => encodePosition(list, [edited_order]));
}

/** All of a gallery that has no ranks, in the order of `findAllPhotos`. @param session of a transaction @returns at most `limit` */
export async function findUnorderedPhotos(
  db: Db,
  session: ClientSession,
  galleryId: string,
  limit: number,
): Promise<NodeDocument[]> {
  const drafts = await findDrafts(db, galleryId, limit, undefined, session);
  const left = limit - drafts.length;
  return left > 0 ? [...drafts, ...(await findDated(db, galleryId, left, undefined, session))] : drafts;
}
