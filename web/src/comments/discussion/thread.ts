/** The comments of a discussion that a page shows, and what changes them. Pure. */
import type { CommentOrder, DiscussionCommentFragment } from '../../../generated/graphql.js';

export type DiscussionComment = DiscussionCommentFragment;

export interface Thread {
  readonly order: CommentOrder;
  /** In this order, without a gap from the first one on. */
  readonly shown: readonly DiscussionComment[];
  /** New ones that are not shown yet: showing them would move what somebody reads. */
  readonly waiting: readonly DiscussionComment[];
  /** The last one of the pages that were read. The reader's own comments may come after it. */
  readonly reach: DiscussionComment | null;
  /** The cursor after which the next page begins. Null if everything is shown. */
  readonly end: string | null;
  /** Of the whole discussion. */
  readonly count: number;
}

export const emptyThread = (order: CommentOrder): Thread => ({
  order,
  shown: [],
  waiting: [],
  reach: null,
  end: null,
  count: 0,
});

export interface Branch {
  readonly comment: DiscussionComment;
  readonly replies: readonly Branch[];
}

/** What the server tells of a change. */
export interface Change {
  readonly comments: readonly DiscussionComment[];
  readonly removed: readonly string[];
  readonly commentCount: number;
}

/** The number in the discussion, as addresses have it. */
export const nameOf = ({ slug }: Pick<DiscussionComment, 'slug'>): string => slug.slice(slug.lastIndexOf('/') + 1);

const numbersOf = ({ slug }: DiscussionComment): number[] => slug.split('/').map((part) => Number.parseInt(part, 36));

/** Which of two comes first. */
export function compare(order: CommentOrder, one: DiscussionComment, other: DiscussionComment): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  if (order !== 'THREADED') {
    const byTime = (left.at(-1) ?? 0) - (right.at(-1) ?? 0);
    return order === 'OLDEST_FIRST' ? byTime : -byTime;
  }
  const at = left.findIndex((number, index) => number !== right[index]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

const without = (list: readonly DiscussionComment[], ids: ReadonlySet<string>) => list.filter(({ id }) => !ids.has(id));
const idsOf = (list: readonly DiscussionComment[]) => new Set(list.map(({ id }) => id));

/** Puts comments where they belong; those that are there are replaced. */
function merge(
  order: CommentOrder,
  list: readonly DiscussionComment[],
  added: readonly DiscussionComment[],
): DiscussionComment[] {
  const all = new Map([...list, ...added].map((comment) => [comment.id, comment]));
  return [...all.values()].sort((one, other) => compare(order, one, other));
}

/** Whether a comment is on a page that was not read yet: it comes with that page. */
const isBeyond = ({ order, reach, end }: Thread, comment: DiscussionComment): boolean =>
  end !== null && (reach === null || compare(order, comment, reach) > 0);

/** A change by anybody. What is shown changes in place; what is new waits. */
export function hear(thread: Thread, { comments, removed, commentCount }: Change): Thread {
  const gone = new Set(removed);
  const known = idsOf(thread.shown);
  const changed = comments.filter(({ id }) => known.has(id));
  const added = comments.filter((comment) => !known.has(comment.id) && !isBeyond(thread, comment));
  return {
    ...thread,
    shown: merge(thread.order, without(thread.shown, gone), changed),
    waiting: merge(thread.order, without(thread.waiting, gone), added),
    count: commentCount,
  };
}

/**
 * How many comments the reader is not shown, once everything was read: those of people on the other side of a block are counted, too.
 */
export const countHidden = ({ shown, waiting, end, count }: Thread): number =>
  end === null ? Math.max(0, count - [...shown, ...waiting].filter(({ state }) => state === 'PUBLISHED').length) : 0;

export interface Page {
  readonly comments: readonly DiscussionComment[];
  readonly end: string | null;
  readonly count: number;
}

export const addPage = (thread: Thread, { comments, end, count }: Page): Thread => {
  const shown = merge(thread.order, thread.shown, comments);
  const reach = comments.at(-1) ?? thread.reach;
  return { ...thread, shown, waiting: without(thread.waiting, idsOf(shown)), reach, end, count };
};

/** After a gap in what the server told, everything was read again: what came meanwhile waits like other news. */
export function catchUp(thread: Thread, { comments, end, count }: Page): Thread {
  const known = idsOf(thread.shown);
  const added = without(comments, known);
  const present = comments.filter(({ id }) => known.has(id));
  return { ...thread, shown: present, waiting: added, reach: comments.at(-1) ?? null, end, count };
}

/** The reader's own comment, and all that waits above it. */
export const showOwn = (thread: Thread, own: DiscussionComment): Thread => ({
  ...thread,
  shown: merge(thread.order, thread.shown, [own]),
  waiting: without(thread.waiting, new Set([own.id])),
});

export const showWaiting = (thread: Thread): Thread => ({
  ...thread,
  shown: merge(thread.order, thread.shown, thread.waiting),
  waiting: [],
});

/** Threads for the order that has them, otherwise a plain list. Those whose parent is not shown are at the top. */
export function branchesOf({ order, shown }: Thread): Branch[] {
  const top: Branch[] = [];
  const repliesTo = new Map<string, Branch[]>();
  for (const comment of shown) {
    const replies: Branch[] = [];
    repliesTo.set(comment.id, replies);
    const siblings = (order === 'THREADED' && repliesTo.get(comment.parentId ?? '')) || top;
    siblings.push({ comment, replies });
  }
  return top;
}
