/**
 * The design EMBEDDED: all comments in the document of the discussion, in the order of their numbers. One read gives all of them; each
 * write rewrites the document, which is why it is bounded.
 */
import type { ClientSession, Db, Document, FindCursor, WithId } from 'mongodb';
import { below, comments, referenceOf } from '../discussion/comment.js';
import { type Discussion, type DiscussionDocument, discussions } from '../discussion/discussion.js';
import { type Design, type ListPage, replaceIn, storedOf } from './design.js';
import { writeReferences } from './references.js';

export const EMBEDDED_MAX = 2000;
/** Of the texts. With the other fields of 2,000 comments the document stays far below the 16 MB that MongoDB allows. */
export const EMBEDDED_BYTES_MAX = 1024 * 1024;

function isTooLong({ bytes }: Discussion, more: number): boolean {
  return bytes + more > EMBEDDED_BYTES_MAX;
}

/** The server sorts and cuts, so that a page of the discussion is sent, not all of it. */
function finder(
  db: Db,
  { _id }: Discussion,
  page: ListPage,
  session?: ClientSession,
): FindCursor<WithId<DiscussionDocument>> {
  const projection = { comments: pageOf(page) };
  return discussions(db)
    .find({ _id }, { projection, ...(session && { session }) })
    .limit(1);
}

export const embedded: Design = {
  find: async (db, { _id }, numbers, session) => {
    const wanted = { $filter: { input: '$comments', cond: { $in: ['$$this.number', [...numbers]] } } };
    const found = await discussions(db).findOne(
      { _id },
      { projection: { comments: wanted }, ...(session && { session }) },
    );
    return found?.comments ?? [];
  },

  list: async (db, discussion, page, session) => (await finder(db, discussion, page, session).next())?.comments ?? [],
  finder,

  write: async (db, session, { _id }, added, changed) => {
    if (changed.length > 0) {
      const { update, arrayFilters } = replaceIn(changed);
      await discussions(db).updateOne({ _id }, update, { session, arrayFilters });
    }
    if (added.length > 0)
      await discussions(db).updateOne({ _id }, { $push: { comments: { $each: added.map(storedOf) } } }, { session });
    await writeReferences(
      comments(db),
      session,
      added.map((comment) => referenceOf(comment)),
      changed,
    );
    return {};
  },

  isFull: (discussion, bytes) => discussion.issued >= EMBEDDED_MAX || isTooLong(discussion, bytes),
  isTooLong,
};

/** As an expression for the server. */
function pageOf({ order, after, limit, below: top }: ListPage): Document {
  const isThreaded = order === 'THREADED';
  const [above, before] = below(top ?? '');
  const [field, sign] = isThreaded
    ? ['$$this.path', '$gt']
    : ['$$this.number', order === 'NEWEST_FIRST' ? '$lt' : '$gt'];
  const conditions = [
    '$$this.shown',
    ...(after === null ? [] : [{ [sign]: [field, after] }]),
    ...(isThreaded ? [{ $gt: ['$$this.path', above] }, { $lt: ['$$this.path', before] }] : []),
  ];
  const shown = { $filter: { input: '$comments', cond: { $and: conditions } } };
  if (isThreaded) return { $slice: [{ $sortArray: { input: shown, sortBy: { path: 1 } } }, limit] };
  return { $slice: [order === 'NEWEST_FIRST' ? { $reverseArray: shown } : shown, limit] };
}
