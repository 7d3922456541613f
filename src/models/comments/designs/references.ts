/** The small documents by which the comments of a person are found, in the designs that store comments elsewhere. */
import type { ClientSession, Collection } from 'mongodb';
import { type Comment, type CommentDocument, commentIdOf } from '../discussion/comment.js';

/** In the transaction that writes the comments. Of a changed comment, only the state and the author can differ: mostly neither does. */
export async function writeReferences(
  collection: Collection<CommentDocument>,
  session: ClientSession,
  added: readonly CommentDocument[],
  changed: readonly Comment[],
): Promise<void> {
  if (added.length > 0) await collection.insertMany([...added], { session });
  const updates = changed.map(({ discussion, number, state, author }) => {
    const differs = { $or: [{ state: { $ne: state } }, { 'author._id': { $ne: author._id ?? null } }] };
    const filter = { _id: commentIdOf(discussion, number), ...differs };
    return { updateOne: { filter, update: { $set: { state, author } } } };
  });
  if (updates.length > 0) await collection.bulkWrite(updates, { session });
}
