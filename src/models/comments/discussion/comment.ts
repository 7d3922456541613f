/**
 * Comments: one shape for three storage designs (`designs/`). Everything here is pure, except the declaration of the collection.
 *
 * A comment's number is its place in the order in which its discussion grew, and its path is made of the numbers above it and its own.
 * So the path sorts a thread, a part of a thread is one range of it, and the id and the slug follow from the number: nothing about a
 * comment depends on how it is stored.
 * Source pattern: comments with a full slug (manual, "Storing comments"), with numbers of a fixed width in the place of times and
 * random slugs. A range of fixed-width numbers never matches a sibling whose number begins with the same characters.
 */
import { defineCollection } from '../../../database/index.js';
import type { AuthorReference } from '../../people/author.js';

export type { CommentDesign, CommentPolicy } from '../../commentable.js';
export type CommentOrder = 'OLDEST_FIRST' | 'NEWEST_FIRST' | 'THREADED';
export type CommentState = 'PUBLISHED' | 'HELD' | 'HIDDEN' | 'DELETED';

/** As stored by each design. */
export interface StoredComment {
  /** From 1, in the order of posting: unique in its discussion. */
  number: number;
  /** The numbers from the top of its thread down to its own, each NUMBER_WIDTH digits. */
  path: string;
  author: AuthorReference;
  /** Never earlier than that of a lower number. */
  posted: Date;
  edited?: Date;
  /** Markdown without HTML. Null once it is deleted. */
  text: string | null;
  state: CommentState;
  /** Whether everybody sees it, if only as the place of its replies. */
  shown: boolean;
  /** Whether everybody saw it at any time: then those who follow the discussion must know that it is gone. */
  was_shown: boolean;
  /** Published replies, one level down. */
  replies: number;
  /** Shown replies, one level down: as long as there are some, it keeps its place. */
  children: number;
  /** The discussion's `turn` of the last change. */
  revision: number;
  /** The published comments of the discussion after that change, for those who follow it. */
  count: number;
  /** The id of the keyed call that posted it, or `callOfRow` of the row that an import stored: a repeat finds it. */
  call?: string;
}

/** A comment, wherever it is stored. */
export interface Comment extends StoredComment {
  /** The id of its discussion. */
  discussion: string;
}

/**
 * One document for each comment in every design, so that the comments of a person are one range of an index. In `ONE_EACH` it holds the
 * comment itself. Otherwise it is a reference: it has no path and no text, and `shown` is absent.
 */
export interface CommentDocument extends Partial<Omit<StoredComment, 'number' | 'author' | 'posted' | 'state'>> {
  /** `commentIdOf`. */
  _id: string;
  discussion: string;
  number: number;
  author: AuthorReference;
  posted: Date;
  state: CommentState;
  /** The page that holds it, in `HYBRID`. */
  page?: number;
}

export const comments = defineCollection<CommentDocument>(
  'comments',
  [
    { key: { discussion: 1, number: 1 }, partialFilterExpression: { shown: true } }, // ONE_EACH: by time
    { key: { discussion: 1, path: 1 }, partialFilterExpression: { shown: true } }, // ONE_EACH: threaded, and below a comment
    { key: { 'author._id': 1, state: 1, posted: -1, _id: -1 } }, // findCommentsOfAuthor
    { key: { call: 1 }, partialFilterExpression: { call: { $exists: true } } }, // a retry of a call that posted
  ],
  { shardKey: { _id: 'hashed' } },
);

/** Ten to the power of nine comments of a discussion. */
const NUMBER_WIDTH = 6;
const RADIX = 36;
export const DEPTH_MAX = 20;
/** Sorts behind every digit. */
const BEHIND = '~';

const digitsOf = (number: number): string => number.toString(RADIX).padStart(NUMBER_WIDTH, '0');

/** @param parent the path of the comment that it replies to. Omitted: none */
export const pathOf = (number: number, parent = ''): string => `${parent}${digitsOf(number)}`;

/** From the top of the thread down to the comment itself. */
export const numbersOf = (path: string): number[] =>
  Array.from({ length: path.length / NUMBER_WIDTH }, (_, at) =>
    Number.parseInt(path.slice(at * NUMBER_WIDTH, (at + 1) * NUMBER_WIDTH), RADIX),
  );

/** From 0. */
export const depthOf = (path: string): number => path.length / NUMBER_WIDTH - 1;

/** @returns null for a comment that replies to none */
export const parentOf = (path: string): number | null => numbersOf(path).at(-2) ?? null;

/** The paths below a path: all of them lie between these two. */
export const below = (path: string): readonly [above: string, before: string] => [path, `${path}${BEHIND}`];

/** A place in a thread behind all that comes before this path. */
export function placeBefore(path: string): string {
  const number = numbersOf(path).at(-1) ?? 1;
  return `${pathOf(number - 1, path.slice(0, -NUMBER_WIDTH))}${BEHIND}`;
}

/** For example `2s/31`: the numbers of the path, without leading zeros. */
export const slugOf = (path: string): string =>
  numbersOf(path)
    .map((number) => number.toString(RADIX))
    .join('/');

/** @returns the path with this slug, or null if it is none */
export function pathWithSlug(slug: string): string | null {
  const steps = slug.split('/');
  if (steps.length > DEPTH_MAX || !steps.every((step) => /^[1-9a-z][0-9a-z]{0,5}$/.test(step))) return null;
  return steps.map((step) => step.padStart(NUMBER_WIDTH, '0')).join('');
}

export const commentIdOf = (discussion: string, number: number): string => `${discussion}/${number.toString(RADIX)}`;

/** @returns null for a text that is no id of a comment */
export function partsOfId(id: string): { readonly discussion: string; readonly number: number } | null {
  const [, discussion, digits] = /^(.+)\/([1-9a-z][0-9a-z]{0,5})$/s.exec(id) ?? [];
  return discussion && digits ? { discussion, number: Number.parseInt(digits, RADIX) } : null;
}

/** What a row of an import leaves in its comment. @param id of the row: unique in its discussion */
export const callOfRow = (discussion: string, id: string): string => `${discussion}#${id}`;

/** @returns the id of the row with which a comment was imported, or null */
export function rowIdOf({ discussion, call }: Pick<Comment, 'discussion' | 'call'>): string | null {
  const start = callOfRow(discussion, '');
  return call?.startsWith(start) ? call.slice(start.length) : null;
}

/** Whether everybody sees a comment in this state. */
export const isShown = ({ state, children }: Pick<StoredComment, 'state' | 'children'>): boolean =>
  state === 'PUBLISHED' || (state !== 'HELD' && children > 0);

/** The document of a comment in the designs that store it elsewhere. */
export const referenceOf = (comment: Comment, page?: number): CommentDocument => ({
  _id: commentIdOf(comment.discussion, comment.number),
  discussion: comment.discussion,
  number: comment.number,
  author: comment.author,
  posted: comment.posted,
  state: comment.state,
  ...(comment.call !== undefined && { call: comment.call }),
  ...(page !== undefined && { page }),
});
