/** The queue, live: follows the server, loads more on request, and sends decisions. */
import { explainError, mutate, uncachedClient } from '../../api/client.js';
import { follow } from '../../api/subscription.js';
import { createStore, type Store } from '../../kit/base/store.js';
import { ModerateDocument, QueueChangedDocument, QueuePageDocument } from './documents.js';
import type { Decision } from './moderated-comment.js';
import { addPage, FIRST_MAX, fail, hear, type Queue, send, settle, tidy } from './queue.js';

/** The server takes no more at once. */
const TOGETHER_MAX = 200;

export interface QueueState {
  /** Null until the server has told. */
  readonly queue: Queue | null;
  /** Why the queue cannot be followed. */
  readonly refused: string | null;
  /** Why the last request failed. */
  readonly failure: string | null;
  readonly isLoading: boolean;
}

/** What became of some decisions. */
export interface Outcome {
  readonly decision: Decision;
  /** The ids of the comments that are in the state now. */
  readonly done: readonly string[];
  readonly refused: number;
}

export interface OpenQueue {
  readonly state: Store<QueueState>;
  /** Follows the server. @returns stops */
  start(): () => void;
  more(): Promise<void>;
  decide(ids: readonly string[], decision: Decision): Promise<Outcome>;
  tidy(): void;
}

export function openQueue(): OpenQueue {
  const state = createStore<QueueState>({ queue: null, refused: null, failure: null, isLoading: false });
  let queue: Queue | null = null;
  let frame = 0;
  let end: string | null = null;

  const draw = () => {
    frame = 0;
    state.set({ ...state.get(), queue });
  };
  const change = (next: (queue: Queue) => Queue | null) => {
    if (queue === null) return;
    queue = next(queue) ?? queue;
    frame ||= requestAnimationFrame(draw);
  };
  /** With the queue as it is now: what is said of it, for example that something was not done, never differs from what is shown. */
  const note = (some: Partial<QueueState>) => state.set({ ...state.get(), queue, ...some });

  const sendSome = async (ids: readonly string[], decision: Decision): Promise<Outcome> => {
    const some = new Set(ids);
    const answer = await mutate(ModerateDocument, { ids: [...ids], state: decision });
    if (typeof answer === 'string') {
      change((known) => fail(known, some));
      note({ failure: answer });
      return { decision, done: [], refused: ids.length };
    }
    const { rejected } = answer.moderateComments;
    const refusals = new Map(rejected.map(({ index, message }) => [ids[index] ?? '', message]));
    change((known) => settle(known, some, refusals));
    return { decision, done: ids.filter((id) => !refusals.has(id)), refused: refusals.size };
  };

  return {
    state,
    start: () => {
      const stop = follow(
        QueueChangedDocument,
        {},
        {
          event: (event) => {
            if (event.reset) end = null;
            queue = hear(queue, event);
            frame ||= requestAnimationFrame(draw);
          },
          refused: (message) => note({ refused: message }),
        },
      );
      return () => {
        stop();
        cancelAnimationFrame(frame);
      };
    },
    more: async () => {
      note({ isLoading: true, failure: null });
      let found = false;
      while (!found && queue) {
        const { data, error } = await uncachedClient
          .query(QueuePageDocument, { first: FIRST_MAX, after: end })
          .toPromise();
        if (!data) {
          note({ failure: error ? explainError(error) : 'The server did not respond.' });
          break;
        }
        const { edges, pageInfo } = data.commentsToModerate;
        const isLast = !pageInfo.hasNextPage;
        change((known) => {
          const next = addPage(
            known,
            edges.map(({ node }) => node),
            isLast,
          );
          found = next !== null;
          return next;
        });
        end = pageInfo.endCursor ?? end;
      }
      note({ isLoading: false });
    },
    decide: async (ids, decision) => {
      note({ failure: null });
      change((known) => send(known, new Set(ids), decision));
      const outcome = { decision, done: [] as string[], refused: 0 };
      for (let from = 0; from < ids.length; from += TOGETHER_MAX) {
        const { done, refused } = await sendSome(ids.slice(from, from + TOGETHER_MAX), decision);
        outcome.done.push(...done);
        outcome.refused += refused;
      }
      return outcome;
    },
    tidy: () => change(tidy),
  };
}
