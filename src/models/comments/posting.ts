/** Posting comments, and what their authors do with them. */
import type { Db } from 'mongodb';
import type { Brief } from '../../database/index.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import type { AuthorReference } from '../people/author.js';
import { findCommentsById, type HiddenAuthors, isSeen } from './comment-list.js';
import { type Comment, commentIdOf, DEPTH_MAX, depthOf, parentOf, partsOfId } from './discussion/comment.js';
import { requireCommentText } from './discussion/comment-text.js';
import type { Subject } from './discussion/discussion.js';
import type { DiscussionEdit } from './discussion-edit.js';
import type { DiscussionWriter, Work } from './discussion-write.js';
import type { CommentThrottled } from './throttle.js';

export type CommentableNotFound = Refusal<'CommentableNotFound'>;
export type CommentNotFound = Refusal<'CommentNotFound'>;
export type CommentsClosed = Refusal<'CommentsClosed'>;
export type ThreadTooDeep = Refusal<'ThreadTooDeep', { readonly replyTo: string }>;
export type DiscussionFull = Refusal<'DiscussionFull', { readonly commentCount: number }>;

export const commentableNotFound = (): CommentableNotFound =>
  refuse('CommentableNotFound', 'There is nothing with this id that you can comment on');
export const commentNotFound = (): CommentNotFound =>
  refuse('CommentNotFound', 'There is no such comment, it was deleted, or it is not yours');

/** Who writes comments: somebody with an account, or a visitor, whose comment waits for a moderator. */
export interface Commenter {
  readonly author: AuthorReference;
  readonly isMember: boolean;
}

export interface Post extends Commenter {
  readonly text: string;
  /** The id of a comment. */
  readonly replyTo: string | null;
  /** Whose comments the commenter does not see, and so cannot reply to. */
  readonly hiddenAuthors?: HiddenAuthors | undefined;
  /** The id of the call, if it has an idempotency key: then a retry returns what was posted. */
  readonly call?: string | undefined;
  readonly lookAgain?: LookAgain | undefined;
  readonly now: Date;
}

/** Whether the caller may still comment there, as of now: a write may have waited for others. Null if so. */
export type LookAgain = () => Promise<CommentableNotFound | CommentsClosed | null>;

export type PostOutcome =
  | Comment
  | CommentableNotFound
  | CommentNotFound
  | CommentsClosed
  | ThreadTooDeep
  | DiscussionFull;

/** What a key remembers is the comment's id: a retry gets the comment as it is then, and the text of a deleted one is nowhere. */
export const briefOfPosting = (db: Db): Brief<PostOutcome | CommentThrottled> => ({
  keep: (outcome) => ('number' in outcome ? { comment: commentIdOf(outcome.discussion, outcome.number) } : outcome),
  recall: async (kept) => {
    const outcome = kept as { readonly comment: string } | PostOutcome | CommentThrottled;
    if ('comment' in outcome) return recall(db, outcome.comment);
    return 'number' in outcome ? recall(db, commentIdOf(outcome.discussion, outcome.number)) : outcome; // kept by an earlier version
  },
});

/** What it was on may have gone since, with the comment. */
async function recall(db: Db, id: string): Promise<PostOutcome> {
  const [comment] = await findCommentsById(db, [id]);
  return comment ?? commentableNotFound();
}

/** @returns null if this caller may comment there */
export function findClosed(
  { policy, closedBecause }: Subject,
  { isMember }: Pick<Commenter, 'isMember'>,
): CommentsClosed | null {
  if (policy === 'NOBODY') return refuse('CommentsClosed', closedBecause ?? 'The discussion is closed');
  if (policy === 'MEMBERS' && !isMember)
    return refuse('CommentsClosed', 'Only members can comment here: sign in first');
  return null;
}

/** @throws InputError @throws BusyError */
export async function postComment(
  db: Db,
  writer: DiscussionWriter,
  subject: Subject,
  { author, isMember, text, replyTo, hiddenAuthors, call, lookAgain, now }: Post,
): Promise<PostOutcome> {
  const written = requireCommentText(text);
  const parent = replyTo === null ? null : partsOfId(replyTo);
  if (replyTo !== null && parent?.discussion !== subject.discussion) return commentNotFound();
  const add: Work<PostOutcome> = async (edit) => {
    const earlier = call === undefined ? null : await edit.findByCall(call);
    if (earlier) return earlier;
    const above = parent && (await edit.find(parent.number));
    if (parent && !(above?.state === 'PUBLISHED' && isSeen(above, hiddenAuthors))) return commentNotFound();
    if (above && depthOf(above.path) >= DEPTH_MAX - 1) return tooDeep(above);
    if (edit.isFull(written)) return full(edit);
    return edit.add({
      author,
      text: written,
      state: isMember ? 'PUBLISHED' : 'HELD',
      posted: now,
      parent: above,
      call,
    });
  };
  const numbers = parent ? [parent.number] : [];
  return (await writer.write(db, subject, numbers, add, { call, lookAgain })) ?? commentableNotFound();
}

function tooDeep({ discussion, path }: Comment): ThreadTooDeep {
  const replyTo = commentIdOf(discussion, parentOf(path) ?? 0);
  return refuse('ThreadTooDeep', `A discussion is at most ${DEPTH_MAX} deep: reply to a comment above`, { replyTo });
}

const full = ({ commentCount }: DiscussionEdit): DiscussionFull =>
  refuse('DiscussionFull', 'The discussion takes no more comments. An editor can move it to another design', {
    commentCount,
  });

/** Who changes a comment: its author, or somebody who may change any comment of the subject. */
export interface Changer {
  readonly accountId: string | null;
  readonly isModerator: boolean;
}

const isOwn = ({ author }: Comment, { accountId }: Changer): boolean => accountId !== null && author._id === accountId;

interface Change {
  readonly number: number;
  readonly text: string;
  readonly changer: Changer;
  readonly lookAgain?: LookAgain | undefined;
  readonly now: Date;
}

/** Only the author changes the text. @throws InputError */
export async function editComment(
  db: Db,
  writer: DiscussionWriter,
  subject: Subject,
  { number, text, changer, lookAgain, now }: Change,
): Promise<Comment | CommentNotFound | CommentsClosed | DiscussionFull> {
  const written = requireCommentText(text);
  const change: Work<Comment | CommentNotFound | CommentsClosed | DiscussionFull> = async (edit) => {
    const comment = await edit.find(number);
    if (!comment || comment.state === 'DELETED' || !isOwn(comment, changer)) return commentNotFound();
    const closed = findClosed(subject, { isMember: true });
    if (closed) return closed;
    if (comment.text === written) return comment;
    if (edit.isTooLong(comment, written)) return full(edit);
    edit.setText(comment, written, now);
    return comment;
  };
  const mayEdit = async () => {
    const refusal = (await lookAgain?.()) ?? null;
    return refusal?.__typename === 'CommentableNotFound' ? commentNotFound() : refusal;
  };
  return (await writer.write(db, subject, [number], change, { lookAgain: mayEdit })) ?? commentNotFound();
}

/** A comment with replies keeps its place, without its text. Deleting it again changes nothing. */
export async function deleteComment(
  db: Db,
  writer: DiscussionWriter,
  subject: Subject,
  { number, changer }: { number: number; changer: Changer },
): Promise<{ readonly _id: string } | CommentNotFound> {
  const deleted = await writer.write(db, subject, [number], async (edit) => {
    const comment = await edit.find(number);
    if (!comment || !(changer.isModerator || isOwn(comment, changer))) return commentNotFound();
    if (comment.state !== 'DELETED') await edit.setState(comment, 'DELETED');
    return { _id: commentIdOf(comment.discussion, number) };
  });
  return deleted ?? commentNotFound();
}
