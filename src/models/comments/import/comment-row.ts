/** The rows that an import of comments stores, and an export writes: one for each comment. `docs/comments.md` describes them. */
import { InputError } from '../../../shared/errors.js';
import { idOfType } from '../../../shared/global-id.js';
import { markdownOf } from '../../../shared/rendering/html-markdown.js';
import { requireName } from '../../people/user.js';
import { RowError as RowErrorOfAnyReason } from '../../system/work/rows/row-error.js';
import { dateIn, defined, type Fields, oneOf, textIn } from '../../system/work/rows/row-fields.js';
import type { CommentState } from '../discussion/comment.js';
import { requireCommentText } from '../discussion/comment-text.js';

export interface CommentRow {
  /** A path or a global id. Absent: the object to which the file is imported. */
  readonly on?: string;
  /** Unique among the rows of the same object. */
  readonly id: string;
  /** The id of the row of the comment that it replies to. */
  readonly replyTo?: string;
  /** A name. Empty or absent for an author whose account was deleted. */
  readonly author?: string;
  /** The id of an account. */
  readonly authorId?: string;
  readonly postedAt: Date;
  readonly editedAt?: Date;
  /** Markdown. Null if it was deleted. */
  readonly text: string | null;
  readonly state: CommentState;
}

/** Why a row is not stored, in words. */
export const rejectReasons = {
  NOT_JSON: 'The line is not a JSON object',
  NOT_UTF8: 'The line is not UTF-8',
  TOO_LONG: 'The row is too long',
  INVALID_FIELD: 'A field is not of the right type',
  INVALID_ID: 'The id is not a number or a text of 1 to 200 characters without control characters',
  INVALID_DATE: 'A time is missing, or not in RFC 3339 format',
  IN_THE_FUTURE: 'The time is in the future',
  INVALID_AUTHOR: 'The name of the author is too long, or has hidden characters',
  INVALID_TEXT: 'The text is missing, longer than 10,000 characters, or has control characters',
  ID_TAKEN: 'Another comment of the same object has this id, with another time or text',
  NO_COMMENTABLE: 'There is nothing at this path or with this id that can be commented on',
  NO_PARENT: 'The comment that it replies to was not imported',
  PARENT_WAITS: 'The comment that it replies to waits for a moderator',
  REPLIES_IN_CIRCLE: 'It replies to itself, or to a long chain of comments that are later than it',
  OLDER: 'It is older than the latest comment of the discussion, which would have to come after it',
  DISCUSSION_FULL: 'The discussion takes no more comments: move it to another design first',
} as const;

export type RejectReason = keyof typeof rejectReasons;

/** A row that cannot be stored, for one of these reasons. */
export const RowError = RowErrorOfAnyReason as typeof RowErrorOfAnyReason<RejectReason>;
export type RowError = RowErrorOfAnyReason<RejectReason>;

const ID_LENGTH_MAX = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** @throws RowError */
export function readCommentRow(fields: Fields, now: Date): CommentRow {
  const id = idIn(fields, 'id');
  if (id === undefined) throw new RowError('INVALID_ID', 'id');
  const state = oneOf(fields, 'state', ['PUBLISHED', 'HELD', 'HIDDEN', 'DELETED']) ?? 'PUBLISHED';
  return defined({
    on: textIn(fields, 'on'),
    id,
    replyTo: idIn(fields, 'replyTo'),
    author: authorIn(fields),
    authorId: idOfType('User', textIn(fields, 'authorId') ?? '') ?? undefined,
    postedAt: timeIn(fields, now),
    editedAt: dateIn(fields, 'editedAt'),
    text: state === 'DELETED' ? null : commentTextIn(fields),
    state,
  });
}

/** Other programs number their comments. */
function idIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const id = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof id !== 'string' || id.length < 1 || id.length > ID_LENGTH_MAX || CONTROL.test(id))
    throw new RowError('INVALID_ID', name);
  return id;
}

function timeIn(fields: Fields, now: Date): Date {
  const posted = dateIn(fields, 'postedAt');
  if (!posted) throw new RowError('INVALID_DATE', 'postedAt');
  if (posted > now) throw new RowError('IN_THE_FUTURE', 'postedAt');
  return posted;
}

function authorIn(fields: Fields): string | undefined {
  const name = textIn(fields, 'author')?.trim();
  return name ? checked('INVALID_AUTHOR', 'author', () => requireName('author', name)) : undefined;
}

function commentTextIn(fields: Fields): string {
  const text = textIn(fields, 'text');
  if (text !== undefined) return checked('INVALID_TEXT', 'text', () => requireCommentText(text));
  const html = textIn(fields, 'html');
  if (html === undefined) throw new RowError('INVALID_TEXT', 'text');
  return checked('INVALID_TEXT', 'html', () => requireCommentText(markdownOf(html)));
}

function checked<T>(reason: RejectReason, field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof InputError ? new RowError(reason, field) : error;
  }
}
