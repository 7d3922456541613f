/** A discussion, live: follows the server, reads more on request, and sends what the reader writes. */
import type { CommentOrder, CommentPolicy } from '../../../generated/graphql.js';
import { explainError, mutate, mutateOnce, uncachedClient } from '../../api/client.js';
import { follow } from '../../api/subscription.js';
import { createStore, type Store } from '../../kit/base/store.js';
import {
  DeleteCommentDocument,
  DiscussionChangedDocument,
  DiscussionPageDocument,
  EditCommentDocument,
  PostCommentDocument,
  ReportCommentDocument,
} from './documents.js';
import {
  addPage,
  type Change,
  catchUp,
  type DiscussionComment,
  emptyThread,
  hear,
  type Page,
  showOwn,
  showWaiting,
  type Thread,
} from './thread.js';

const FIRST = 50;
/** What the server returns at most. */
const FIRST_MAX = 200;
/** Changes that are kept during a read. If there are more, everything is read again. */
const MEANWHILE_MAX = 500;

export interface DiscussionState {
  /** Null until the server has told. */
  readonly thread: Thread | null;
  readonly policy: CommentPolicy | null;
  /** Why the last read failed. */
  readonly failure: string | null;
  readonly isLoading: boolean;
}

export interface OpenDiscussion {
  /** The global id of what it is about. */
  readonly on: string;
  readonly state: Store<DiscussionState>;
  /** Follows the server. @returns stops */
  start(): () => void;
  /** Reads the next page, or the first one again after a failure. */
  more(): Promise<void>;
  sort(order: CommentOrder): Promise<void>;
  showWaiting(): void;
  /** @returns the comment, or why it was not posted */
  post(input: { text: string; replyTo: string | null; authorName: string | null }): Promise<DiscussionComment | string>;
  /** @returns why it failed, or null */
  edit(id: string, text: string): Promise<string | null>;
  remove(id: string): Promise<string | null>;
  report(id: string, reason: string): Promise<string | null>;
}

export function openDiscussion(on: string): OpenDiscussion {
  const state = createStore<DiscussionState>({ thread: null, policy: null, failure: null, isLoading: true });
  const note = (some: Partial<DiscussionState>) => state.set({ ...state.get(), ...some });
  const change = (next: (thread: Thread) => Thread) => {
    const { thread } = state.get();
    if (thread) note({ thread: next(thread) });
  };
  /** Reads that were started before another order was chosen, or the list was read again, are not shown. */
  let round = 0;
  let order: CommentOrder = 'THREADED';

  const readPage = async (first: number, after: string | null): Promise<Page | null> => {
    const variables = { on, order, first, after };
    const { data, error } = await uncachedClient.query(DiscussionPageDocument, variables).toPromise();
    if (!data) {
      note({ failure: error ? explainError(error) : 'The server did not respond.' });
      return null;
    }
    const { edges, pageInfo } = data.discussion;
    const about = data.node && 'commentPolicy' in data.node ? data.node : null;
    note({ failure: null, policy: about?.commentPolicy ?? 'NOBODY' });
    return {
      comments: edges.map(({ node }) => node),
      end: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
      count: about?.commentCount ?? 0,
    };
  };

  /** What the server tells during a read, which may be older: it is applied again to what was read. */
  let meanwhile: Change[] = [];
  let reads = 0;
  const reading = async (read: () => Promise<void>): Promise<void> => {
    reads += 1;
    note({ isLoading: true });
    await read();
    reads -= 1;
    for (const each of meanwhile) change((thread) => hear(thread, each));
    if (reads > 0) return;
    const isTooMuch = meanwhile.length >= MEANWHILE_MAX;
    meanwhile = [];
    note({ isLoading: false });
    if (isTooMuch) await readAgain();
  };
  const listen = (heard: Change) => {
    if (reads > 0 && meanwhile.length < MEANWHILE_MAX) meanwhile.push(heard);
    change((thread) => hear(thread, heard));
  };

  /** As many as are shown, and the first page at least. */
  const readAgain = (): Promise<void> =>
    reading(async () => {
      round += 1;
      const mine = round;
      const wanted = Math.max(FIRST, state.get().thread?.shown.length ?? 0);
      let page = await readPage(Math.min(FIRST_MAX, wanted), null);
      while (page && mine === round && page.end !== null && page.comments.length < wanted) {
        const next = await readPage(FIRST_MAX, page.end);
        page = next && { ...next, comments: [...page.comments, ...next.comments] };
      }
      if (mine !== round || !page) return;
      const { thread } = state.get();
      const isSame = thread?.order === order;
      note({ thread: isSame ? catchUp(thread, page) : addPage(emptyThread(order), page) });
    });

  return {
    on,
    state,
    start: () => {
      let isFirst = true;
      return follow(
        DiscussionChangedDocument,
        { on },
        {
          event: (event) => {
            // Read after the first event: so every change that the read does not have comes as an event.
            if (isFirst || event.reset) void readAgain();
            else listen(event);
            isFirst = false;
          },
          refused: (failure) => note({ failure, isLoading: false }),
        },
      );
    },
    more: async () => {
      const { thread } = state.get();
      if (!thread) return readAgain();
      if (thread.end === null) return;
      const { end } = thread;
      await reading(async () => {
        const mine = round;
        const page = await readPage(FIRST, end);
        if (page && mine === round) change((known) => addPage(known, page));
      });
    },
    sort: (chosen) => {
      order = chosen;
      return readAgain();
    },
    showWaiting: () => change(showWaiting),
    post: async ({ text, replyTo, authorName }) => {
      const answer = await mutateOnce(PostCommentDocument, { on, text, replyTo, authorName });
      if (typeof answer === 'string') return answer;
      const posted = answer.postComment;
      if (posted.__typename === 'CommentThrottled')
        return `${posted.message}: in ${Math.ceil(posted.retryAfterMs / 60_000)} minutes.`;
      if (posted.__typename !== 'Comment') return `${posted.message}.`;
      if (posted.state === 'PUBLISHED') change((thread) => showOwn(thread, posted));
      return posted;
    },
    edit: async (id, text) => {
      const answer = await mutate(EditCommentDocument, { id, text });
      if (typeof answer === 'string') return answer;
      const edited = answer.editComment;
      if (edited.__typename !== 'Comment') return `${edited.message}.`;
      change((thread) => showOwn(thread, edited));
      return null;
    },
    remove: async (id) => {
      const answer = await mutate(DeleteCommentDocument, { id });
      if (typeof answer === 'string') return answer;
      return answer.deleteComment.__typename === 'DeletedComment' ? null : `${answer.deleteComment.message}.`;
    },
    report: async (id, reason) => {
      const answer = await mutate(ReportCommentDocument, { id, reason });
      if (typeof answer === 'string') return answer;
      return answer.reportComment.reported ? null : 'This comment is no longer there.';
    },
  };
}
