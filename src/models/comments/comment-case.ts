/**
 * Cases for moderators: one document for each comment that was reported or waits to be let through, beside the discussions, so that the
 * queue is one range of an index, whatever the design. Written in the transactions of the comments (`discussion-edit.ts`): a case is
 * there exactly as long as nobody has decided.
 */
import type { Db } from 'mongodb';
import { defineCollection, defineFeed, type EventFeed } from '../../database/index.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../shared/page.js';

export interface CommentReport {
  /** The account. */
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
}

export interface CommentCase {
  /** The id of the comment. */
  _id: string;
  /** When it was posted, or first reported. */
  since: Date;
  /** One for each account, the latest last. */
  reports: CommentReport[];
  /** When the text of the comment was changed last, if that was after the case was opened. */
  edited?: Date;
}

export const REPORTS_MAX = 20;
const FIRST_MAX = 100;
const COUNT_MAX = 1000;
const LIST = 'comment-cases';
const BY_AGE = { since: 1, _id: 1 } as const;

export const commentCases = defineCollection<CommentCase>('comment_cases', [
  { key: BY_AGE }, // findCases, countCases
  { key: { 'reports.by': 1, _id: 1 } }, // eraseCommentsOf, findCasesReportedBy
]);

/** The oldest first. @throws InputError @throws LimitError @throws CursorError */
export async function findCases(db: Db, { first, after }: PageInput): Promise<Connection<CommentCase>> {
  const limit = requireFirst(first, FIRST_MAX) + 1;
  const [ms, id] = after ? decodePosition(LIST, after, ['number', 'string']) : [0, ''];
  const since = new Date(Number(ms));
  const found = await commentCases(db)
    // `$gte` bounds the scan of the index, `$or` excludes what the page before had of the same time.
    .find({ since: { $gte: since }, $or: [{ since: { $gt: since } }, { since, _id: { $gt: String(id) } }] })
    .sort(BY_AGE)
    .limit(limit)
    .toArray();
  return toConnection(found, first, ({ _id, since: at }) => encodePosition(LIST, [at.getTime(), _id]));
}

/** The cases of these comments, in any order. */
export const findCasesById = (db: Db, ids: readonly string[]): Promise<CommentCase[]> =>
  commentCases(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();

/** Those that an account has reported, each with its report only. */
export const findCasesReportedBy = (db: Db, by: string) =>
  commentCases(db)
    .find({ 'reports.by': by }, { projection: { reports: { $elemMatch: { by } } } })
    .sort({ _id: 1 });

/** How many there are, at most 1,000: who follows the queue counts them again with each change. */
export const countCases = (db: Db): Promise<number> =>
  commentCases(db).countDocuments({}, { limit: COUNT_MAX, hint: BY_AGE });

/** The queue, followed live: the oldest cases first, then each that comes, is reported again, has a new text, or is closed. */
export interface CaseChange {
  /** The id of the comment. */
  readonly id: string;
  readonly isClosed: boolean;
}

export const caseFeed: EventFeed<object, readonly CaseChange[], CaseChange> = defineFeed({
  kind: 'events',
  name: 'comment cases',
  collections: [commentCases],

  key: () => '',
  topic: () => commentCases.collectionName,
  topics: () => [commentCases.collectionName],

  snapshot: async (db, _args, session) => {
    const oldest = commentCases(db)
      .find({}, { session, projection: { _id: 1 } })
      .sort(BY_AGE);
    return (await oldest.limit(FIRST_MAX).toArray()).map(({ _id }) => ({ id: _id, isClosed: false }));
  },
  entries: ({ operation, documentKey }) => [{ id: String(documentKey._id), isClosed: operation === 'delete' }],
});
