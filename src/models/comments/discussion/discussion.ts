/**
 * Discussions: one document for each node or product that was commented on. It says how the comments are stored and counts them, and
 * holds them itself in the design `EMBEDDED`.
 *
 * Every write of a comment is one transaction that begins with an update of this document (`discussion-write.ts`). So writes to a
 * discussion happen one after the other, its counts are exact, and no write is under way when it changes its design.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../../database/index.js';
import type { CommentDesign, CommentHost, Subject } from '../../commentable.js';
import type { StoredComment } from './comment.js';

export type { Subject } from '../../commentable.js';

export interface DiscussionDocument {
  /** The type and the id of what is commented on, for example `ContentNode:5b…`. */
  _id: string;
  design: CommentDesign;
  /** Rises with every change of the design. Its pages have it in their ids, so those of another generation are never read. */
  generation: number;
  /** Rises with every transaction. */
  turn: number;
  /** The highest number that a comment has. */
  issued: number;
  /** Published comments. */
  count: number;
  /** When the latest comment was posted. */
  last_posted: Date;
  /** The length of all texts, in UTF-8. */
  bytes: number;
  /** In `HYBRID`: the last page. */
  page?: { number: number; count: number };
  /** The work that moves it into another design, until what that leaves behind is removed. */
  move?: string;
  /** It has half of what EMBEDDED holds, and is to be moved (`growing.ts`). */
  outgrown?: true;
  /** While its comments are copied: the numbers of those that were changed meanwhile, to be copied again. */
  changed?: number[];
  /** In `EMBEDDED`: the comments, in the order of their numbers. Comments are never removed, so their places stay. */
  comments?: StoredComment[];
}

/** Without the comments. */
export type Discussion = Omit<DiscussionDocument, 'comments'>;

/** A subject whose discussion exists: only its id is used. */
export const existing = (discussion: string): Subject => ({
  discussion,
  policy: 'NOBODY',
  design: 'ONE_EACH',
  ownerIds: [],
});

export const discussions = defineCollection<DiscussionDocument>('comment_discussions', [
  { key: { move: 1 }, partialFilterExpression: { move: { $exists: true } } }, // endFailedMoves
  { key: { outgrown: 1 }, partialFilterExpression: { outgrown: true } }, // moveOutgrown
]);

/** The first part of a page's id, and of the ids of comments. */
export const discussionOf = (type: string, id: string): string => `${type}:${id}`;

export function subjectOfDiscussion(discussion: string): { readonly type: string; readonly id: string } {
  const at = discussion.indexOf(':');
  return { type: discussion.slice(0, at), id: discussion.slice(at + 1) };
}

/** The host of what a discussion is about. None if its domain is off. */
export function hostOf(hosts: readonly CommentHost[], discussion: string): CommentHost | undefined {
  const { type } = subjectOfDiscussion(discussion);
  return hosts.find((host) => host.type === type);
}

/** How often a transaction competes for a turn, some four seconds in all, before the server is overloaded. */
export const TURN_ATTEMPTS_MAX = 40;

const WITHOUT_COMMENTS = { comments: 0 } as const;

export const findDiscussion = (db: Db, id: string, session?: ClientSession): Promise<Discussion | null> =>
  discussions(db).findOne({ _id: id }, { projection: WITHOUT_COMMENTS, ...(session && { session }) });

/** The discussions with these ids, in any order. */
export const findDiscussions = (db: Db, ids: readonly string[], session?: ClientSession): Promise<Discussion[]> =>
  discussions(db)
    .find({ _id: { $in: [...ids] } }, { projection: WITHOUT_COMMENTS, ...(session && { session }) })
    .toArray();

/** Whether what is commented on is still there, in what the session sees. Otherwise nothing must be written (`takeTurn`). */
export async function isThere(
  db: Db,
  session: ClientSession,
  hosts: readonly CommentHost[],
  discussion: string,
): Promise<boolean> {
  const host = hostOf(hosts, discussion);
  return (await host?.isThere?.(db, session, subjectOfDiscussion(discussion).id)) ?? true;
}

/**
 * Before a discussion is removed, whose object is gone: waits for the transactions that have taken its turn, and makes those begin again
 * that have read before, as for any other turn. They find that the object is gone.
 */
export async function takeLastTurn(db: Db, discussion: string): Promise<void> {
  await inTransaction(db, commitConcernOf.MAJORITY, (session) => takeTurn(db, session, existing(discussion)), {
    attemptsMax: TURN_ATTEMPTS_MAX,
    retryDuplicateKeys: true,
  });
}

/**
 * Begins a write: reads the discussion, and creates it if there is none. The update makes every other transaction that writes to the
 * discussion conflict with this one.
 */
export async function takeTurn(db: Db, session: ClientSession, { discussion, design }: Subject): Promise<Discussion> {
  const created = { design, generation: 1, issued: 0, count: 0, bytes: 0, last_posted: new Date(0) };
  const found = await discussions(db).findOneAndUpdate(
    { _id: discussion },
    { $inc: { turn: 1 }, $setOnInsert: { ...created, ...(design === 'EMBEDDED' && { comments: [] }) } },
    { session, upsert: true, returnDocument: 'after', projection: WITHOUT_COMMENTS },
  );
  if (!found) throw new Error(`The discussion ${discussion} was not created`);
  return found;
}
