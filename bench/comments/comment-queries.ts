/** The queries of comments, by the functions of the model, ready to be asked again and again. */
import type { Db } from 'mongodb';
import {
  findCommentBySlug,
  findCommentsById,
  findDiscussionPage,
  findReplies,
} from '../../src/models/comments/comment-list.js';
import { findCommentsOfAuthor } from '../../src/models/comments/comments-of-author.js';
import {
  type Comment,
  type CommentDesign,
  type CommentOrder,
  commentIdOf,
  slugOf,
} from '../../src/models/comments/discussion/comment.js';
import { LimitError } from '../../src/shared/errors.js';
import { regularOf } from './many-comments.js';

/** A discussion that is measured. */
export interface Filled {
  readonly design: CommentDesign;
  readonly size: number;
  /** Its id. */
  readonly discussion: string;
}

export interface CommentQuery {
  readonly name: string;
  /** @returns the question, or null where the design refuses it */
  prepare(db: Db, filled: Filled): Promise<(() => Promise<unknown>) | null>;
}

const PAGE = 50;
const SHORT_PAGE = 20;
const PAGE_MAX = 200;

const first = (order: CommentOrder): CommentQuery => ({
  name: `first page, ${order}`,
  prepare: (db, { discussion }) =>
    allowed(() => findDiscussionPage(db, discussion, { order, first: PAGE, after: null })),
});

const middle = (order: CommentOrder): CommentQuery => ({
  name: `middle page, ${order}`,
  prepare: async (db, { discussion, size }) => {
    const isAllowed = await allowed(() => findDiscussionPage(db, discussion, { order, first: 1, after: null }));
    if (!isAllowed) return null;
    const after = await cursorAt(db, discussion, order, Math.floor((size - PAGE) / 2));
    return () => findDiscussionPage(db, discussion, { order, first: PAGE, after });
  },
});

export const commentQueries: readonly CommentQuery[] = [
  first('OLDEST_FIRST'),
  first('NEWEST_FIRST'),
  first('THREADED'),
  middle('OLDEST_FIRST'),
  middle('NEWEST_FIRST'),
  middle('THREADED'),
  {
    name: 'the first 20 below a comment',
    prepare: async (db, { discussion }) => {
      const top = await commentAt(db, discussion, 1);
      return allowed(() => findReplies(db, top, { first: SHORT_PAGE, after: null }));
    },
  },
  {
    name: 'a comment by its link',
    prepare: async (db, { discussion, size }) => {
      const { path } = await commentAt(db, discussion, Math.floor(size / 2));
      return () => findCommentBySlug(db, discussion, slugOf(path));
    },
  },
  {
    name: 'the latest 20 of an author',
    prepare:
      async (db, { discussion }) =>
      () =>
        findCommentsOfAuthor(db, regularOf(discussion), { first: SHORT_PAGE, after: null }, async (some) => some),
  },
];

/** @returns the question, unless the design does not answer it */
async function allowed(ask: () => Promise<unknown>): Promise<(() => Promise<unknown>) | null> {
  try {
    await ask();
    return ask;
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}

async function commentAt(db: Db, discussion: string, number: number): Promise<Comment> {
  const [comment] = await findCommentsById(db, [commentIdOf(discussion, number)]);
  if (!comment) throw new Error(`${discussion} has no comment ${number}`);
  return comment;
}

/** @returns the cursor behind so many comments */
async function cursorAt(db: Db, discussion: string, order: CommentOrder, count: number): Promise<string | null> {
  let after: string | null = null;
  for (let left = count; left > 0; left -= PAGE_MAX) {
    const { pageInfo }: { pageInfo: { endCursor: string | null } } = await findDiscussionPage(db, discussion, {
      order,
      first: Math.min(left, PAGE_MAX),
      after,
    });
    after = pageInfo.endCursor;
  }
  return after;
}
