/** What each storage design does. Every function reads and writes one discussion. */
import type { ClientSession, Db, Document, FindCursor } from 'mongodb';
import type { Comment, CommentOrder, StoredComment } from '../discussion/comment.js';
import type { Discussion } from '../discussion/discussion.js';

/** A page of a list, by what the list is ordered by: the number, or the path for THREADED. */
export interface ListPage {
  readonly order: CommentOrder;
  /** The place of the last comment of the page before. */
  readonly after: number | string | null;
  readonly limit: number;
  /** Only comments below this path, in the order THREADED. */
  readonly below?: string | undefined;
}

/** What a write adds to the update of the discussion. */
export interface DiscussionChange {
  readonly page?: NonNullable<Discussion['page']>;
}

export interface Design {
  /** The comments with these numbers, as far as they exist, in any order. */
  find(db: Db, discussion: Discussion, numbers: readonly number[], session?: ClientSession): Promise<StoredComment[]>;
  /** Comments that everybody sees, in order. @throws LimitError the design cannot sort so many */
  list(db: Db, discussion: Discussion, page: ListPage, session?: ClientSession): Promise<StoredComment[]>;
  /** The command by which `list` finds the comments of a page, for its explanation. */
  finder(db: Db, discussion: Discussion, page: ListPage): Pick<FindCursor, 'explain'>;
  /**
   * Stores new comments, which have the highest numbers, and changed ones. Call it in the transaction that has taken the turn.
   * @param added in the order of their numbers
   */
  write(
    db: Db,
    session: ClientSession,
    discussion: Discussion,
    added: readonly Comment[],
    changed: readonly Comment[],
  ): Promise<DiscussionChange>;
  /** Whether one more comment fits in. @param bytes the length of its text */
  isFull(discussion: Discussion, bytes: number): boolean;
  /** Whether a text cannot become longer by so many bytes. */
  isTooLong(discussion: Discussion, bytes: number): boolean;
}

/** An update that replaces comments in an array. They are whole, so that the change stream carries them. */
export function replaceIn(changed: readonly Comment[]): {
  readonly update: Document;
  readonly arrayFilters: Document[];
} {
  const whole = changed.map((comment) => [`comments.$[c${comment.number}]`, storedOf(comment)]);
  const arrayFilters = changed.map(({ number }) => ({ [`c${number}.number`]: number }));
  return { update: { $set: Object.fromEntries(whole) }, arrayFilters };
}

/** Without the fields that follow from where it is stored. */
export function storedOf({ discussion: _, ...stored }: Comment): StoredComment {
  return stored;
}
