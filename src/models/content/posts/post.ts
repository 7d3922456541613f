/** Posts of a blog, and photos of a gallery: what is published directly below a node. */
import type { ClientSession, Db } from 'mongodb';
import { findNewestFirst } from '../../../database/index.js';
import { type Connection, mapConnection, type PageInput, requireFirst } from '../../../shared/page.js';
import { asNode, type NodeDocument, nodes, type StoredNode } from '../nodes/node.js';
import { FIRST_MAX } from '../nodes/node-list.js';

/** Newest first. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findRecentPosts(
  db: Db,
  parentId: string,
  page: PageInput,
  now: Date,
): Promise<Connection<NodeDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const found = await findNewestFirst<StoredNode>(
    {
      list: `posts/${parentId}`,
      moment: 'published',
      filter: { parent_id: parentId, published: { $lte: now } },
      read: (where, limit) => nodes(db).find(where).sort({ published: -1, _id: -1 }).limit(limit).toArray(),
    },
    page,
  );
  return mapConnection(found, asNode);
}

/** The newest ones. @param session of a snapshot */
export const findNewestPosts = (
  db: Db,
  parentId: string,
  limit: number,
  now: Date,
  session: ClientSession,
): Promise<NodeDocument[]> =>
  nodes(db)
    .find({ parent_id: parentId, published: { $lte: now } }, { session })
    .sort({ published: -1, _id: -1 })
    .limit(limit)
    .map(asNode)
    .toArray();

/** The ones that were published first, in that order. */
export const findOldestPosts = (db: Db, parentId: string, limit: number, now: Date): Promise<NodeDocument[]> =>
  nodes(db)
    .find({ parent_id: parentId, published: { $lte: now } })
    .sort({ published: 1, _id: 1 })
    .limit(limit)
    .map(asNode)
    .toArray();
