/** The connection of a client on the command line to a server: requests that are repeated until there is an answer, and the socket of a subscription. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { HOUR_MS } from '../../shared/time.js';
import { ServerError, TooOldError } from './server-error.js';
import { type LiveEvent, Subscription } from './subscription.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

const SIGN_IN = `mutation ($email: EmailAddress!, $password: String!) { answer: signIn(email: $email, password: $password) {
  __typename ... on SignedIn { accessToken refreshToken } ... on Refusal { message }
} }`;
const REFRESH = `mutation ($token: String!) { answer: refresh(refreshToken: $token) {
  __typename ... on SignedIn { accessToken refreshToken } ... on Refusal { message }
} }`;

const WAITS_MS = [250, 500, 1000, 2000, 5000] as const;
/** The code of a session that does not begin. */
const REFUSED = 'REFUSED';
/** The codes of errors after which no line can be sent. */
const ENDING: readonly string[] = [REFUSED, 'UNAUTHENTICATED', 'FORBIDDEN'];
/** Errors that pass. */
const PASSING: readonly string[] = ['SERVER_BUSY', 'DATABASE_UNAVAILABLE'];
/** The server's code for a socket whose token it does not accept. */
const FORBIDDEN = 4403;
/** The server remembers keys for longer than this, and nobody wants to go north an hour later. */
const KEPT_MS = HOUR_MS;
const KEEP_ALIVE_MS = 10_000;
const ANSWER_MS = 30_000;

/** Whether the error concerns one request only, so that others can follow. */
export const isOfOneRequest = (error: unknown): error is ServerError =>
  error instanceof ServerError && !ENDING.includes(error.code);

export class Connection {
  #tokens: Tokens | null = null;
  #renewing: Promise<void> | null = null;
  #socket: Client | null = null;
  #end: (error: ServerError) => void = () => undefined;
  #isStale = false;
  #isLost = false;
  #closesOnceLost = false;
  readonly #closing = new AbortController();

  /** @param url of the server, without a path @param onLost called when the server is gone, and when it is back */
  constructor(
    private readonly url: string,
    private readonly onLost: (isLost: boolean) => void,
  ) {}

  /** @throws ServerError wrong credentials @throws Error the server cannot be reached */
  async signIn(credentials: Credentials): Promise<void> {
    await this.#begin(SIGN_IN, { ...credentials });
  }

  /**
   * Asks until there is an answer, or an hour has passed: a mutation needs an idempotency key among its variables.
   * @param since by the clock on the wall: that of a timer stands still while the machine sleeps
   * @throws ServerError @throws TooOldError
   */
  async ask<Data>(query: string, variables: Readonly<Record<string, unknown>>, since = Date.now()): Promise<Data> {
    let isRenewed = false;
    let isUnsent = true;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const token = await this.#token();
        if (Date.now() >= since + KEPT_MS) throw new TooOldError(isUnsent); // guard: the server still knows the key
        isUnsent = false;
        const data = await this.#send(query, variables, token);
        this.#setLost(false);
        return data as Data;
      } catch (error) {
        if (this.isClosed || error instanceof TooOldError) throw error;
        if (error instanceof ServerError && error.code === 'UNAUTHENTICATED' && !isRenewed) {
          this.#expire();
          isRenewed = true;
        } else if (error instanceof ServerError && !PASSING.includes(error.code)) throw error;
        else await this.#waitForServer(attempt);
      }
    }
  }

  /** Each event of the subscription, whatever interrupts it. @param onEnd called when it ends for good */
  watch<Event extends LiveEvent>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    onEvent: (event: Event) => void,
    onEnd: (error: ServerError) => void,
  ): void {
    this.#socket ??= this.#open();
    const { signal } = this.#closing;
    const subscription = new Subscription<Event>(this.#socket, { query, variables }, { onEvent, onEnd, signal });
    this.#end = (error) => subscription.end(error);
  }

  /** From now on, a lost connection is closed instead of waiting for the server. */
  async closeOnceLost(): Promise<void> {
    this.#closesOnceLost = true;
    if (this.#isLost) await this.close();
  }

  /** By this side: what is asked for fails. */
  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.resolve(this.#socket?.dispose()).catch(() => undefined); // it was connecting, and that failed
  }

  #open(): Client {
    return createClient({
      url: `${this.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: () => this.#parameters(),
      keepAlive: KEEP_ALIVE_MS,
      connectionAckWaitTimeout: KEEP_ALIVE_MS,
      lazy: false, // it stays open while the subscription pauses
      onNonLazyError: () => undefined, // the subscription sees it as well
      retryAttempts: Number.POSITIVE_INFINITY,
      shouldRetry: () => !this.isClosed,
      retryWait: (attempt) => this.#waitForServer(attempt),
      on: {
        connected: () => this.#setLost(false),
        closed: (event) => {
          if ((event as { code?: number }).code === FORBIDDEN) this.#expire();
          if (!this.isClosed) this.#setLost(true);
        },
      },
    });
  }

  async #parameters(): Promise<{ readonly authorization: string }> {
    try {
      return { authorization: `Bearer ${await this.#token()}` };
    } catch (error) {
      if (error instanceof ServerError) this.#end(error); // the session has ended
      throw error;
    }
  }

  /** The token is not accepted any more: the next request renews it. */
  #expire(): void {
    this.#isStale = true;
  }

  #setLost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.onLost(isLost);
    if (isLost && this.#closesOnceLost) void this.close();
  }

  async #waitForServer(attempt: number): Promise<void> {
    this.#setLost(true);
    const wait = WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)];
    await pause(wait, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  /** Of the session, renewed if the server did not accept it any more. */
  async #token(): Promise<string | null> {
    if (this.#isStale) await this.#renew();
    return this.#tokens?.accessToken ?? null;
  }

  /** Once for all who wait for it. @throws ServerError the session was ended, or not used for too long */
  #renew(): Promise<void> {
    this.#renewing ??= this.#begin(REFRESH, { token: this.#tokens?.refreshToken ?? '' })
      .catch((error: unknown) => {
        if (!(error instanceof ServerError) || error.code !== REFUSED) throw error;
        throw new ServerError('Your session has ended. Start the command again to sign in', REFUSED);
      })
      .finally(() => {
        this.#renewing = null;
      });
    return this.#renewing;
  }

  async #begin(query: string, variables: object): Promise<void> {
    const { answer } = (await this.#send(query, variables, null)) as { answer: Tokens | { message: string } };
    if ('message' in answer) throw new ServerError(answer.message, REFUSED);
    this.#tokens = answer;
    this.#isStale = false;
  }

  /** @throws ServerError @throws Error without an answer */
  async #send(query: string, variables: object, token: string | null): Promise<unknown> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const { data, errors: [error] = [] } = (await response.json()) as Answer;
    if (error) throw new ServerError(error.message, error.extensions?.code ?? '');
    return data;
  }
}
