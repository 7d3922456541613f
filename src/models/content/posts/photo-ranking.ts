/**
 * Ranks of several photos of a gallery at once: of all of them, of those around a place that has no room, and of those that have none.
 * Each is part of a transaction that writes the gallery.
 */
import type { ClientSession, Db } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';
import { findNode, type NodeDocument, nodes } from '../nodes/node.js';
import { inNodeTransaction, replaceNode } from '../nodes/node-change.js';
import { firstRank, HAS_RANK } from '../nodes/photo-rank.js';
import { findUnorderedPhotos } from './photo-list.js';

/** Ranked in one transaction, which then holds all of them. */
const PHOTOS_MAX = 2000;

type Ranked = Pick<NodeDocument, '_id' | 'parent_id' | 'slug' | 'rank'>;

const RANKED = { parent_id: 1, slug: 1, rank: 1 } as const;

/** Ranks the photos of a gallery 1, 2, 3 … @returns the rank of `photo` behind `previous` @throws LimitError */
export async function rankAll(
  db: Db,
  session: ClientSession,
  photo: NodeDocument,
  previous: NodeDocument | null,
): Promise<number> {
  const found = await findUnorderedPhotos(db, session, photo.parent_id, PHOTOS_MAX + 1);
  if (found.length > PHOTOS_MAX)
    throw new LimitError(`At most ${PHOTOS_MAX} photos of a gallery can be put in order`, PHOTOS_MAX);
  const others = found.filter(({ _id }) => _id !== photo._id);
  const place = previous ? others.findIndex(({ _id }) => _id === previous._id) + 1 : 0;
  await storeRanks(
    db,
    session,
    others.map((other, index) => [other, index < place ? index + 1 : index + 2]),
  );
  return place + 1;
}

/** How many photos on each side of a place without room get other ranks. */
const NEIGHBORS = 32;

/** So much of a rank is precise enough for ten more placings between any two. */
const ROOM = 2 ** -42;

/**
 * Spreads the photos around a place whose neighbors have no number between their ranks. More and more of them, if these are too close
 * to each other as well: placings hardly lead to that, ranks that came from a file may. The first and the last one have endless room.
 * @returns the rank of `photo` behind `previous`
 */
export async function makeRoom(
  db: Db,
  session: ClientSession,
  photo: NodeDocument,
  previous: NodeDocument,
): Promise<number> {
  const rank = previous.rank ?? 0;
  for (let reach = NEIGHBORS; ; reach *= 2) {
    const before = (await findNeighbors(db, session, photo, { $lte: rank }, -1, reach + 1)).toReversed();
    const after = await findNeighbors(db, session, photo, { $gt: rank }, 1, reach + 1);
    const low = before.length > reach ? before.shift()?.rank : undefined;
    const high = after.length > reach ? after.pop()?.rank : undefined;
    const ranks = spread(before.length + 1 + after.length, low, high);
    if (!ranks) continue;
    const rankAt = (index: number): number => ranks[index] as number; // as many as `spread` was asked for
    await storeRanks(db, session, [
      ...before.map((other, index) => [other, rankAt(index)] as const),
      ...after.map((other, index) => [other, rankAt(before.length + 1 + index)] as const),
    ]);
    return rankAt(before.length);
  }
}

const findNeighbors = (
  db: Db,
  session: ClientSession,
  { _id, parent_id }: NodeDocument,
  rank: { readonly $lte: number } | { readonly $gt: number },
  direction: 1 | -1,
  limit: number,
): Promise<Ranked[]> =>
  nodes(db)
    .find({ parent_id, rank, _id: { $ne: _id } }, { session, projection: RANKED })
    .sort({ rank: direction })
    .limit(limit)
    .map(({ _id, parent_id, slug, rank }) => ({ _id, parent_id, slug, ...(rank !== undefined && { rank }) }))
    .toArray();

/** So many ascending numbers between two. Null: they would be too close to each other. @param low omitted: any @param high omitted: any */
export function spread(count: number, low?: number, high?: number): readonly number[] | null {
  const step = low === undefined || high === undefined ? 1 : (high - low) / (count + 1);
  if (step < Math.max(1, Math.abs(low ?? 0), Math.abs(high ?? 0)) * ROOM) return null;
  const start = low ?? (high === undefined ? 0 : high - (count + 1));
  return Array.from({ length: count }, (_, index) => start + step * (index + 1));
}

/**
 * Photos that a server which knows no ranks has put into galleries with an order by hand. Finds nothing unless such a server ran
 * meanwhile: until then nobody sees them there. @returns how many there were
 */
export async function rankMissing(db: Db, at: Date): Promise<number> {
  let missing = 0;
  for await (const gallery of nodes(db).find({ type: 'GALLERY' }, { projection: { photo_order: 1, children: 1 } })) {
    if (gallery.photo_order !== 'BY_HAND') continue;
    const ranked = await nodes(db).countDocuments({ parent_id: gallery._id, rank: HAS_RANK });
    if (ranked === gallery.children) continue;
    for (let found = 1; found > 0; missing += found)
      found = await inNodeTransaction(db, async (session) => {
        const current = await findNode(db, gallery._id, session);
        return current?.photo_order === 'BY_HAND' ? rankUnranked(db, session, current, at) : 0;
      });
  }
  return missing;
}

/** Puts the photos of an ordered gallery that have no rank before the others, newest first. @returns how many, at most 2,000 */
export async function rankUnranked(db: Db, session: ClientSession, gallery: NodeDocument, at: Date): Promise<number> {
  const found = await nodes(db)
    .find(
      { parent_id: gallery._id, rank: { $exists: false }, state: { $ne: 'DELETED' } },
      { session, projection: RANKED },
    )
    .sort({ published: -1, _id: -1 })
    .limit(PHOTOS_MAX)
    .toArray();
  if (found.length === 0) return 0;
  await replaceNode(db, session, gallery, gallery, at);
  const first = await firstRank(db, session, gallery._id);
  await storeRanks(
    db,
    session,
    found.map((photo, index) => [photo, first - found.length + index]),
  );
  return found.length;
}

async function storeRanks(
  db: Db,
  session: ClientSession,
  ranks: readonly (readonly [photo: Ranked, rank: number])[],
): Promise<void> {
  const updates = ranks.flatMap(([{ _id, parent_id, slug, rank: before }, rank]) =>
    // Guard: the transaction.
    rank === before
      ? []
      : [{ updateOne: { filter: { _id, parent_id, slug }, update: { $set: { rank }, $inc: { revision: 1 } } } }],
  );
  if (updates.length > 0) await nodes(db).bulkWrite(updates, { session, ordered: false });
}
