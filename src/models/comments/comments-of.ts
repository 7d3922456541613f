/** All that an account has written, for an export of its data and for its erasure. What it reads at once is bounded. */
import type { Db, Filter, WithId } from 'mongodb';
import { findCommentsById } from './comment-list.js';
import { type CommentDocument, type CommentState, comments } from './discussion/comment.js';

const AT_ONCE = 100;

/** Held ones first, and deleted ones last: so one that is decided about or deleted meanwhile is not missed. */
const STATES: readonly CommentState[] = ['HELD', 'PUBLISHED', 'HIDDEN', 'DELETED'];

type Reference = Pick<WithId<CommentDocument>, '_id' | 'posted' | 'discussion' | 'number'>;

/** The comments of an account in a state, the oldest first. */
export async function* referencesOf(
  db: Db,
  accountId: string,
  state: CommentState,
): AsyncGenerator<readonly Reference[], undefined> {
  // No cursor stays open: a caller may write between two reads.
  for (let after: Reference | undefined; ; ) {
    const behind: Filter<CommentDocument> = after
      ? {
          posted: { $gte: after.posted },
          $or: [{ posted: { $gt: after.posted } }, { posted: after.posted, _id: { $gt: after._id } }],
        }
      : {};
    const found = await comments(db)
      .find({ 'author._id': accountId, state, ...behind }, { projection: { posted: 1, discussion: 1, number: 1 } })
      .sort({ posted: 1, _id: 1 })
      .limit(AT_ONCE)
      .toArray();
    if (found.length > 0) yield found;
    after = found.at(-1);
    if (found.length < AT_ONCE) return;
  }
}

/** A comment in an export of an account's data. */
export interface WrittenComment {
  /** The id of the discussion. */
  readonly on: string;
  readonly number: number;
  readonly posted: Date;
  readonly edited: Date | null;
  /** Null if it was deleted. */
  readonly text: string | null;
  readonly state: CommentState;
}

/** The comments of an account, in every state, on everything. */
export async function* readCommentsOf(db: Db, accountId: string): AsyncGenerator<WrittenComment, undefined> {
  for (const state of STATES) {
    for await (const some of referencesOf(db, accountId, state)) {
      const found = await findCommentsById(
        db,
        some.map(({ _id }) => _id),
      );
      for (const comment of found) {
        // One that has another state by now comes with those of that state, unless it was shown again.
        if (comment?.state !== state) continue;
        const { discussion, number, posted, edited = null, text } = comment;
        yield { on: discussion, number, posted, edited, text, state };
      }
    }
  }
}
