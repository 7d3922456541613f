/** The page's single WebSocket and its state. It is opened after sign-in and reconnects automatically. */
import { type Client, createClient } from 'graphql-ws';
import { createStore } from '../kit/base/store.js';
import { replaceRefusedSession } from './session.js';

export type Phase = 'connecting' | 'live' | 'catching-up' | 'offline';

export interface Connection {
  readonly phase: Phase;
  /** When this phase started. */
  readonly since: number;
}

export const connectionStore = createStore<Connection>({ phase: 'connecting', since: Date.now() });
/** When the last event arrived. Null before the first. */
export const lastEventStore = createStore<number | null>(null);

/** How far the server is behind its database, in milliseconds; 0 while it is up to date. */
export const lagStore = createStore(0);

const KEEP_ALIVE_MS = 10_000;
const PONG_WAIT_MS = 5_000;
const RETRY_MAX_MS = 8_000;
/** After a reconnect, this long without an event means that all missed events have arrived. */
const QUIET_MS = 600;
/** A busy site is never quiet: after this long, events are assumed to be current. */
const CATCH_UP_MAX_MS = 4_000;

const FORBIDDEN = 4403;

let socket: Client | undefined;
let quietTimer: ReturnType<typeof setTimeout> | undefined;
/** Pending while the session is renewed, after the server closed the socket because the access token had expired. */
let renewing: Promise<unknown> = Promise.resolve();

function enter(phase: Phase): void {
  if (connectionStore.get().phase !== phase) connectionStore.set({ phase, since: Date.now() });
}

/** Updates the status badge after an event. */
export function noteEvent(): void {
  lastEventStore.set(Date.now());
  if (connectionStore.get().phase === 'catching-up') settleSoon();
}

function settleSoon(): void {
  clearTimeout(quietTimer);
  const left = connectionStore.get().since + CATCH_UP_MAX_MS - Date.now();
  quietTimer = setTimeout(() => enter('live'), Math.max(0, Math.min(QUIET_MS, left)));
}

/** Backs off before the next attempt; ends early when the network returns or the page becomes visible. */
async function waitToRetry(attempt: number): Promise<void> {
  await renewing.catch(() => {}); // the server is unreachable: the attempt will show it
  const backOffMs = Math.min(RETRY_MAX_MS, 250 * 2 ** attempt);
  return new Promise((resolve) => {
    const woken = new AbortController();
    const go = () => {
      clearTimeout(timer);
      woken.abort();
      resolve();
    };
    const timer = setTimeout(go, backOffMs * (0.5 + Math.random()));
    window.addEventListener('online', go, { signal: woken.signal });
    document.addEventListener('visibilitychange', () => document.hidden || go(), { signal: woken.signal });
  });
}

/** The socket. The first call opens it. */
export function liveSocket(): Client {
  socket ??= open();
  return socket;
}

export function closeSocket(): void {
  void socket?.dispose();
  socket = undefined;
}

/** Reconnects with the cookies of a renewed session: the server reads them when the socket opens. */
export async function reopenInNewSession(): Promise<void> {
  if (await replaceRefusedSession()) socket?.terminate();
}

function open(): Client {
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  const client = createClient({
    url: () =>
      Object.assign(new URL('/graphql', location.href), { protocol: location.protocol.replace('http', 'ws') }).href,
    lazy: false,
    onNonLazyError: () => enter('offline'),
    keepAlive: KEEP_ALIVE_MS,
    connectionAckWaitTimeout: KEEP_ALIVE_MS,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true, // also after an error without a close code, which is how browsers report an unreachable server
    retryWait: waitToRetry,
    on: {
      connected: () => {
        enter(wasOpen ? 'catching-up' : 'live');
        if (wasOpen) settleSoon();
        wasOpen = true;
      },
      closed: (event) => {
        clearTimeout(quietTimer);
        clearTimeout(pongTimer);
        lagStore.set(0); // reported again after the reconnect
        enter('offline');
        if ((event as CloseEvent).code === FORBIDDEN) renewing = replaceRefusedSession();
      },
      ping: (received, payload) => {
        if (!received) pongTimer = setTimeout(() => client.terminate(), PONG_WAIT_MS);
        else if (typeof payload?.streamLagMs === 'number') lagStore.set(payload.streamLagMs);
      },
      pong: (received) => {
        if (received) clearTimeout(pongTimer);
      },
    },
  });
  return client;
}
