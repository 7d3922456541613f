/**
 * The ranks of photos. A gallery shows its photos newest first, until an editor places one of them: from then on each photo has a rank
 * among those of its gallery, ascending. The ranks are of one transaction with the gallery, which every write of them writes, too: so two
 * of them never happen at once, and no two photos of a gallery have the same rank.
 * Source pattern: none.
 */
import type { ClientSession, Db } from 'mongodb';
import { type NodeDocument, nodes } from './node.js';

/** A photo that has a rank: names the partial index. */
export const HAS_RANK = { $gt: Number.NEGATIVE_INFINITY } as const;

/** Ranks that come from a file are at most this far from 0, so that there is room between any two of them. */
export const RANK_MAX = 1_000_000_000;

export const unranked = <N extends Pick<NodeDocument, 'rank'>>({ rank: _, ...node }: N): Omit<N, 'rank'> => node;

/** The lowest rank in a gallery, or 1 if there is none. */
export async function firstRank(db: Db, session: ClientSession, galleryId: string): Promise<number> {
  const first = await nodes(db)
    .find({ parent_id: galleryId, rank: HAS_RANK }, { session, projection: { rank: 1 } })
    .sort({ rank: 1 })
    .limit(1)
    .next();
  return first?.rank ?? 1;
}

/**
 * A node that becomes a child of `parent`: the first one, if its photos are placed by editors. Call it in the transaction that counts it
 * in, which conflicts with every other write of these ranks.
 */
export async function rankedFirst(
  db: Db,
  session: ClientSession,
  parent: NodeDocument | undefined,
  node: NodeDocument,
): Promise<NodeDocument> {
  if (parent?.photo_order !== 'BY_HAND') return unranked(node);
  return { ...node, rank: (await firstRank(db, session, parent._id)) - 1 };
}

/** The same, but it keeps a rank that it has already unless another photo has it. Imports do the same for many (`batch-ranks.ts`). */
export async function rankedAsGiven(
  db: Db,
  session: ClientSession,
  parent: NodeDocument | undefined,
  node: NodeDocument,
): Promise<NodeDocument> {
  const { rank } = node;
  if (rank === undefined || parent?.photo_order !== 'BY_HAND') return rankedFirst(db, session, parent, node);
  const other = await nodes(db).findOne({ parent_id: parent._id, rank }, { session, projection: { _id: 1 } });
  return other ? rankedFirst(db, session, parent, node) : node;
}
