/** The small documents by which the comments of a person are found, in the designs that store comments elsewhere. */
import type { ClientSession, Collection } from 'mongodb';
import { type Comment, type CommentDocument, commentIdOf } from '../discussion/comment.js';

/** In the transaction that writes the comments. Of a changed comment, only the state can differ. */
export async function writeReferences(
  collection: Collection<CommentDocument>,
  session: ClientSession,
  added: readonly CommentDocument[],
  changed: readonly Comment[],
): Promise<void> {
  if (added.length > 0) await collection.insertMany([...added], { session });
  const updates = changed.map(({ discussion, number, state }) => ({
    updateOne: { filter: { _id: commentIdOf(discussion, number), state: { $ne: state } }, update: { $set: { state } } },
  }));
  if (updates.length > 0) await collection.bulkWrite(updates, { session });
}
