/** The design ONE_EACH: a document for each comment. Any number of comments; every order is a range of an index. */
import type { ClientSession, Db, FindCursor, WithId } from 'mongodb';
import {
  below,
  type Comment,
  type CommentDocument,
  commentIdOf,
  comments,
  type StoredComment,
} from '../discussion/comment.js';
import type { Discussion } from '../discussion/discussion.js';
import type { Design, ListPage } from './design.js';

/** The document of a comment in this design. */
const documentOf = (comment: Comment): CommentDocument => ({
  _id: commentIdOf(comment.discussion, comment.number),
  ...comment,
});

/** Of a document of this design, which has all fields. */
const commentOf = ({ _id, page: _, discussion: __, ...comment }: CommentDocument): StoredComment =>
  comment as StoredComment;

function finder(
  db: Db,
  { _id }: Discussion,
  { order, after, limit, below: top }: ListPage,
  session?: ClientSession,
): FindCursor<WithId<CommentDocument>> {
  const shown = { discussion: _id, shown: true };
  const options = session ? { session } : {};
  if (order === 'THREADED') {
    const [above, before] = below(top ?? '');
    const path = { $gt: typeof after === 'string' ? after : above, $lt: before };
    return comments(db)
      .find({ ...shown, path }, options)
      .sort({ path: 1 })
      .limit(limit);
  }
  const direction = order === 'OLDEST_FIRST' ? 1 : -1;
  const number = after === null ? {} : { number: { [direction === 1 ? '$gt' : '$lt']: Number(after) } };
  return comments(db)
    .find({ ...shown, ...number }, options)
    .sort({ number: direction })
    .limit(limit);
}

export const oneEach: Design = {
  find: async (db, { _id }, numbers, session) => {
    const ids = numbers.map((number) => commentIdOf(_id, number));
    const found = await comments(db)
      .find({ _id: { $in: ids } }, { ...(session && { session }) })
      .toArray();
    return found.map(commentOf);
  },

  list: async (db, discussion, page, session) => (await finder(db, discussion, page, session).toArray()).map(commentOf),
  finder,

  write: async (db, session, _discussion, added, changed) => {
    if (added.length > 0) await comments(db).insertMany(added.map(documentOf), { session });
    if (changed.length > 0) {
      // Whole documents, so that the change stream carries them.
      const updates = changed.map(documentOf).map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id }, replacement },
      }));
      await comments(db).bulkWrite(updates, { session });
    }
    return {};
  },

  isFull: () => false,
  isTooLong: () => false,
};
