/**
 * The queue as a moderator sees it. Nothing moves under the eyes of somebody who reads: new cases come at the end, and one that is
 * decided, here or by somebody else, stays in its place until the moderator tidies up. Pure: `open-queue.ts` feeds it.
 */

import type { ModerationQueueSubscription } from '../../../generated/graphql.js';
import type { Decision, ModeratedComment } from './moderated-comment.js';

/** The first event has at most this many. */
export const FIRST_MAX = 100;

export interface Case {
  readonly comment: ModeratedComment;
  /** What was decided here. Null: nothing yet. */
  readonly decision: Decision | null;
  /** The server has not answered yet; `before` holds if it refuses. */
  readonly sent: { readonly before: Decision | null } | null;
  /** The server has said that nobody has to decide any more. */
  readonly isClosed: boolean;
  /** Why the last decision was refused. */
  readonly refusal: string | null;
}

export interface Queue {
  readonly cases: readonly Case[];
  /** Cases that came while older ones are not loaded: they follow those. */
  readonly later: readonly Case[];
  /** Ids of cases that were closed before they were loaded. */
  readonly closed: ReadonlySet<string>;
  /** As the server counts, at most 1,000. */
  readonly waiting: number;
  /** Whether all are loaded. */
  readonly isComplete: boolean;
}

type Event = Pick<
  ModerationQueueSubscription['commentsToModerateChanged'],
  'reset' | 'comments' | 'removed' | 'waiting'
>;

/** Whether it still waits for a decision. */
export const isOpen = ({ decision, isClosed }: Case): boolean => decision === null && !isClosed;

/** Which cases are shown. */
export type Filter = 'ALL' | 'HELD' | 'REPORTED';

/** Why it came. Nobody can report a comment that is held. */
export const kindOf = ({ comment }: Case): Exclude<Filter, 'ALL'> => (comment.reports.length > 0 ? 'REPORTED' : 'HELD');

const newCase = (comment: ModeratedComment): Case => ({
  comment,
  decision: null,
  sent: null,
  isClosed: false,
  refusal: null,
});

const idsOf = (cases: readonly Case[]): ReadonlySet<string> => new Set(cases.map(({ comment }) => comment.id));

/** @param queue null before the first event */
export function hear(queue: Queue | null, { reset, comments, removed, waiting }: Event): Queue {
  if (queue === null || reset) {
    const isComplete = comments.length < FIRST_MAX;
    return { cases: comments.map(newCase), later: [], closed: new Set(), waiting, isComplete };
  }
  const gone = new Set(removed);
  const told = new Map(comments.map((comment) => [comment.id, comment]));
  const change = (each: Case): Case => {
    if (gone.has(each.comment.id)) return { ...each, isClosed: true };
    const comment = told.get(each.comment.id);
    if (!comment) return each;
    // A case that comes again after it was closed is a new one. Before that it is an older change, or another report.
    return each.isClosed ? newCase(comment) : { ...each, comment };
  };
  const known = idsOf(queue.cases);
  const added = comments.filter(({ id }) => !known.has(id)).map(newCase);
  const isLater = idsOf(added);
  const waitsLater = queue.later.filter(({ comment: { id } }) => !gone.has(id) && !isLater.has(id));
  const closed = new Set([...queue.closed, ...removed.filter((id) => !known.has(id))].filter((id) => !told.has(id)));
  const cases = queue.cases.map(change);
  return queue.isComplete
    ? { ...queue, cases: [...cases, ...added], closed, waiting }
    : { ...queue, cases, later: [...waitsLater, ...added], closed, waiting };
}

/** @returns null if the page has nothing new, and there is another one */
export function addPage(queue: Queue, comments: readonly ModeratedComment[], isLast: boolean): Queue | null {
  const known = idsOf(queue.cases);
  const added = comments.filter(({ id }) => !known.has(id) && !queue.closed.has(id)).map(newCase);
  if (added.length === 0 && !isLast) return null;
  const cases = [...queue.cases, ...added];
  if (!isLast) return { ...queue, cases };
  const all = idsOf(cases);
  const rest = queue.later.filter(({ comment: { id } }) => !all.has(id));
  return { ...queue, cases: [...cases, ...rest], later: [], isComplete: true };
}

const changeSome = (queue: Queue, ids: ReadonlySet<string>, change: (each: Case) => Case): Queue => ({
  ...queue,
  cases: queue.cases.map((each) => (ids.has(each.comment.id) ? change(each) : each)),
});

/** Shows a decision before the server has answered. */
export const send = (queue: Queue, ids: ReadonlySet<string>, decision: Decision): Queue =>
  changeSome(queue, ids, (each) => ({ ...each, decision, sent: { before: each.decision }, refusal: null }));

/** @param refusals why some were refused, by id */
export const settle = (queue: Queue, ids: ReadonlySet<string>, refusals: ReadonlyMap<string, string>): Queue =>
  changeSome(queue, ids, (each) => {
    const refusal = refusals.get(each.comment.id) ?? null;
    if (refusal !== null) return takeBack({ ...each, refusal });
    return { ...each, sent: null, ...(each.decision && { comment: { ...each.comment, state: each.decision } }) };
  });

/** The decision did not arrive, or nobody knows whether it did. If it did, the next event says that the case is closed. */
export const fail = (queue: Queue, ids: ReadonlySet<string>): Queue => changeSome(queue, ids, takeBack);

const takeBack = (each: Case): Case => ({ ...each, decision: each.sent?.before ?? null, sent: null });

/** Removes what is decided. */
export const tidy = (queue: Queue): Queue => ({
  ...queue,
  cases: queue.cases.filter((each) => isOpen(each) || each.sent !== null),
});
