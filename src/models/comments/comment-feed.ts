/**
 * A discussion, followed live: the latest comments, then each one that comes, changes or goes, whatever the design.
 *
 * Every change stores whole comments, with the count of the discussion after it, so an event tells all that its subscribers need.
 */
import type { ClientSession, Db } from 'mongodb';
import { type ChangeEvent, defineFeed, type EventFeed } from '../../database/index.js';
import { InputError } from '../../shared/errors.js';
import { requireFirst } from '../../shared/page.js';
import { type CommentPageDocument, commentPages } from './designs/comment-page.js';
import { type Comment, comments, type StoredComment } from './discussion/comment.js';
import { discussions, findDiscussion } from './discussion/discussion.js';
import { findLatestShown } from './latest.js';

export interface CommentsArgs {
  readonly discussion: string;
  /** How many come first. */
  readonly last: number;
}

export interface CommentsView {
  /** As they were posted. */
  readonly comments: readonly Comment[];
  readonly count: number;
}

const LAST_MAX = 200;

/** @throws InputError @throws LimitError */
export function requireLast(last: number): number {
  if (last < 0) throw new InputError('last', 'must be at least 0');
  return last === 0 ? 0 : requireFirst(last, LAST_MAX);
}

const topicOf = (discussion: string) => `comments:${discussion}`;

export const commentFeed: EventFeed<CommentsArgs, CommentsView, Comment> = defineFeed({
  kind: 'events',
  name: 'comments',
  collections: [comments, commentPages, discussions],

  key: ({ discussion, last }) => JSON.stringify([discussion, last]),
  topic: ({ discussion }) => topicOf(discussion),
  topics: (event) => {
    const id = String(event.documentKey._id);
    return [topicOf(discussionOfId(event.collection, id))];
  },

  snapshot: (db, args, session) => findLatest(db, args, session),
  entries: (event, { discussion }) => changedComments(event).map((comment) => ({ ...comment, discussion })),
});

async function findLatest(
  db: Db,
  { discussion: id, last }: CommentsArgs,
  session: ClientSession,
): Promise<CommentsView> {
  const discussion = await findDiscussion(db, id, session);
  if (!discussion) return { comments: [], count: 0 };
  const { count } = discussion;
  return { comments: last === 0 ? [] : await findLatestShown(db, session, discussion, last), count };
}

/** The ids of pages and comments begin with that of their discussion. */
function discussionOfId(collection: string, id: string): string {
  if (collection === discussions.collectionName) return id;
  const parts = id.split('/');
  return parts.slice(0, collection === commentPages.collectionName ? -2 : -1).join('/');
}

function changedComments(event: ChangeEvent): readonly StoredComment[] {
  const found = event.collection === comments.collectionName ? ofDocument(event) : ofArray(event);
  return found.filter(({ was_shown }) => was_shown); // of what waits for a moderator, nobody knows
}

/** A comment of the design ONE_EACH. References have no path. */
function ofDocument({ document }: ChangeEvent): readonly StoredComment[] {
  const comment = document as StoredComment | undefined;
  return comment?.path === undefined ? [] : [comment];
}

/** Comments in a page, or in a discussion. Copies that a move makes are in pages so marked, or come with the new design. */
function ofArray({ operation, document, updated = {} }: ChangeEvent): readonly StoredComment[] {
  if (operation === 'insert') {
    const { comments: all = [], copied } = (document as Partial<CommentPageDocument> | undefined) ?? {};
    return copied ? [] : all;
  }
  if (updated.design !== undefined) return [];
  if (Array.isArray(updated.comments)) return ofLatestTurn(updated.comments);
  return Object.entries(updated)
    .filter(([path]) => /^comments\.\d+$/.test(path))
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([, comment]) => comment as StoredComment);
}

/** The server tells the whole array if that is shorter than what has changed in it. */
function ofLatestTurn(all: readonly StoredComment[]): readonly StoredComment[] {
  const latest = all.reduce((most, { revision }) => Math.max(most, revision), 0);
  return all.filter(({ revision }) => revision === latest);
}

const placeOf = (path: string): number => Number(path.slice(path.indexOf('.') + 1));
