/**
 * Placing photos in their gallery. Each placing is one transaction, which gives the photo a rank between those of its neighbors, and
 * writes the gallery: placings in one gallery happen one after the other, so that of two editors at once each gets what they see.
 * The first one ranks all photos in the order in which they were shown until then. Where ranks are used up, a later one ranks the
 * photos around its place again.
 */
import type { ClientSession, Db } from 'mongodb';
import { InputError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { findNode, type NodeDocument, nodes } from '../nodes/node.js';
import { inNodeTransaction, type NodeNotFound, nodeNotFound, replaceNode, touched } from '../nodes/node-change.js';
import { isPhoto } from './photo.js';
import { makeRoom, rankAll, rankUnranked } from './photo-ranking.js';

export type PhotoNotInGallery = Refusal<'PhotoNotInGallery'>;
type Placed = NodeDocument | NodeNotFound | PhotoNotInGallery;

/**
 * Puts a photo behind another one of its gallery. It makes no version. A repeat changes nothing.
 * @param after null: the photo becomes the first one
 * @throws InputError `after` is the photo itself @throws LimitError the gallery has no order yet, and over 2,000 photos
 */
export async function placePhoto(db: Db, id: string, after: string | null, at: Date): Promise<Placed> {
  if (after === id) throw new InputError('after', 'must be another photo');
  return inNodeTransaction(db, (session) => place(db, session, id, after, at));
}

async function place(db: Db, session: ClientSession, id: string, after: string | null, at: Date): Promise<Placed> {
  const photo = await findNode(db, id, session);
  const gallery = photo && (await findNode(db, photo.parent_id, session));
  if (!gallery || !isPhoto(photo)) return nodeNotFound();
  const previous = after === null ? null : await findNode(db, after, session);
  if (after !== null && !(isPhoto(previous) && previous.parent_id === gallery._id))
    return refuse('PhotoNotInGallery', 'The photo behind which it is to be placed is no longer in this gallery');
  const isOrdered = gallery.photo_order === 'BY_HAND';
  if (isOrdered && previous && previous.rank === undefined) {
    // A server that knows no ranks has put it there. Each round ranks some of those, until it has a rank.
    await rankUnranked(db, session, gallery, at);
    return place(db, session, id, after, at);
  }
  const rank = isOrdered ? await rankBehind(db, session, photo, previous) : null;
  if (rank !== null && rank === photo.rank) return photo;
  // Guard: the gallery. A write of ranks, or of its children, at the same time makes one of the two transactions start again. It is
  // replaced, so that whoever follows it learns that its order has changed.
  await replaceNode(db, session, gallery, { ...gallery, photo_order: 'BY_HAND' }, at);
  const free = async () =>
    isOrdered && previous ? makeRoom(db, session, photo, previous) : rankAll(db, session, photo, previous);
  return replaceNode(db, session, photo, touched({ ...photo, rank: rank ?? (await free()) }), at);
}

/** @returns the rank of the photo if it is there already, or null if there is no number left between its neighbors */
async function rankBehind(
  db: Db,
  session: ClientSession,
  photo: NodeDocument,
  previous: NodeDocument | null,
): Promise<number | null> {
  const from = previous?.rank ?? Number.NEGATIVE_INFINITY;
  const next = await nodes(db)
    .find({ parent_id: photo.parent_id, rank: { $gt: from } }, { session, projection: { rank: 1 } })
    .sort({ rank: 1 })
    .limit(1)
    .next();
  if (next?._id === photo._id && photo.rank !== undefined) return photo.rank;
  if (next?.rank === undefined) return previous ? from + 1 : 1; // the last one, or the only one
  if (!previous) return next.rank - 1;
  const middle = (from + next.rank) / 2;
  return from < middle && middle < next.rank ? middle : null;
}
