/**
 * A subscription that never loses its place: it keeps the cursor of the last event and resumes after it whenever it has
 * to restart (a dropped socket, a restarted server, a slow page). No event is missed and none is delivered twice.
 */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { stringifyDocument } from 'urql';
import { liveSocket, noteEvent, reopenInNewSession } from './socket.js';

interface LiveEvent {
  readonly cursor: string;
}

/** The one field of a subscription's data. */
export type EventOf<Data> = Extract<Data[Exclude<keyof Data, '__typename'>], LiveEvent>;

interface Sink<Event> {
  readonly event: (event: Event) => void;
  /** The server refused the subscription permanently; a retry will not help. */
  readonly refused: (message: string) => void;
}

const RETRY_MS = 1_000;

/** @returns ends the subscription */
export function follow<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  sink: Sink<EventOf<Data>>,
): () => void {
  let cursor: string | null = null;
  let ended = false;
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const query = stringifyDocument(document);

  const begin = () => {
    let isOver = false; // a refusal to begin comes as an answer and then as an end: only the first of them counts
    let end = (): void => undefined;
    const once = (act: () => void) => {
      if (isOver) return;
      isOver = true;
      end(); // an event that failed does not end it on the server
      act();
    };
    const payload = {
      query,
      // A getter: the client serializes the payload again at each reconnect and then reads the current cursor.
      variables: Object.defineProperty<Record<string, unknown>>({ ...variables }, 'after', {
        enumerable: true,
        get: () => cursor,
      }),
    };
    end = liveSocket().subscribe<Data>(payload, {
      next: (result) => {
        if (!isOver && !ended) next(result as FormattedExecutionResult<Data, unknown>, once);
      },
      error: (cause) => once(() => failed(cause)),
      complete: () => once(() => again(RETRY_MS)),
    });
    stop = end;
  };
  const again = (waitMs: number) => {
    if (!ended) timer = setTimeout(begin, waitMs);
  };
  const next = ({ data, errors }: FormattedExecutionResult<Data, unknown>, once: (act: () => void) => void) => {
    const event = data && (Object.values(data).find((value) => typeof value === 'object') as EventOf<Data> | undefined);
    if (event) {
      cursor = event.cursor;
      noteEvent();
      sink.event(event);
    } else if (errors) once(() => failed(errors));
  };
  const failed = (cause: unknown) => {
    if (ended) return;
    const [error] = Array.isArray(cause) ? (cause as GraphQLFormattedError[]) : [];
    switch (error?.extensions?.code) {
      case undefined: // the socket, not the operation
        return again(RETRY_MS);
      case 'BAD_CURSOR':
        cursor = null;
        return again(0);
      case 'SLOW_CONSUMER':
        cursor = (error?.extensions?.cursor as string | undefined) ?? cursor;
        return again(0);
      case 'SERVER_BUSY':
      case 'DATABASE_UNAVAILABLE':
      case 'INTERNAL_SERVER_ERROR':
        return again(Number(error?.extensions?.retryAfterMs ?? RETRY_MS));
      case 'UNAUTHENTICATED':
        void reopenInNewSession();
        return again(RETRY_MS);
      default:
        return sink.refused(error?.message ?? 'The server refused the subscription');
    }
  };

  begin();
  return () => {
    ended = true;
    clearTimeout(timer);
    stop();
  };
}
