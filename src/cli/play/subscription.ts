/**
 * A subscription that keeps its place: it resumes after the last event when the socket was lost, and when it ended with an error that
 * passes. As in the browser (`web/src/api/subscription.ts`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { ServerError } from './server-error.js';

export interface LiveEvent {
  readonly cursor: string;
}

interface Failure {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly cursor?: string; readonly retryAfterMs?: number };
}

interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Watch<Event> {
  readonly onEvent: (event: Event) => void;
  /** It ends for good. */
  readonly onEnd: (error: ServerError) => void;
  /** Aborted by who watches: then it ends without a word. */
  readonly signal: AbortSignal;
}

const RETRY_MS = 1000;
/** The codes of errors after which it begins again. */
const PASSING: readonly string[] = [
  ...['SERVER_BUSY', 'DATABASE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR'],
  ...['BAD_CURSOR', 'SLOW_CONSUMER'],
];

export class Subscription<Event extends LiveEvent> {
  #cursor: string | null = null;
  #isOver = false;

  constructor(
    private readonly client: Client,
    private readonly asked: Asked,
    private readonly watch: Watch<Event>,
  ) {
    this.#begin();
  }

  end(error: ServerError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.watch.onEnd(error);
  }

  #begin(): void {
    const { query, variables } = this.asked;
    let isOpen = true;
    /** Guard: once for each beginning. A subscription that the server refuses gets an answer with the error, and then ends. */
    const close = (failure: Failure | null) => {
      if (!isOpen) return;
      isOpen = false;
      stop();
      this.#goOn(failure);
    };
    const stop = this.client.subscribe<Readonly<Record<string, Event>>>(
      { query, variables: this.#withCursor(variables) },
      {
        next: ({ data, errors: [error] = [] }) => {
          const [event] = Object.values(data ?? {});
          if (event) this.#take(event);
          else if (error) close(error as Failure);
        },
        error: (cause) => close(Array.isArray(cause) ? (cause[0] as Failure) : null),
        complete: () => close(null),
      },
    );
  }

  /** A getter: the client sends the same again after it has lost the socket, and then reads the current cursor. */
  #withCursor(variables: Asked['variables']): Record<string, unknown> {
    return Object.defineProperty({ ...variables }, 'after', { enumerable: true, get: () => this.#cursor });
  }

  #take(event: Event): void {
    this.#cursor = event.cursor;
    this.watch.onEvent(event);
  }

  /** @param failure null: the socket ended, or the server is being stopped */
  #goOn(failure: Failure | null): void {
    const { code = '', cursor, retryAfterMs = RETRY_MS } = failure?.extensions ?? {};
    if (code === 'BAD_CURSOR') this.#cursor = null;
    if (code === 'SLOW_CONSUMER') this.#cursor = cursor ?? this.#cursor;
    if (failure && !PASSING.includes(code)) this.end(new ServerError(failure.message, code));
    else void this.#again(retryAfterMs);
  }

  async #again(waitMs: number): Promise<void> {
    const { signal } = this.watch;
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && !this.#isOver) this.#begin();
  }
}
