/**
 * What belongs to one socket. Thousands may be idle, so there is little of it: one listener for the socket's end, one timer, and nothing
 * of the request that opened it once it is known who asks.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { SECOND_MS } from '../shared/time.js';
import type { Identities } from './identities.js';
import { type Viewer, visitor } from './viewer.js';

/** How long before the end of its token a client is told, to come back with a new one. */
const NOTICE_MS = 30_000;

export class Connection {
  /** The connection under the socket. */
  readonly stream: Duplex;
  /** What the browser sent with the upgrade, until it is known who asks. */
  headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'> | null;
  viewer: Viewer = visitor;
  #timer: NodeJS.Timeout | undefined;
  #noticed = false;
  #unwatch: (() => void) | null = null;

  constructor(
    readonly id: string,
    readonly socket: WebSocket,
    readonly address: string,
    { headers: { authorization, cookie }, socket: stream }: IncomingMessage,
  ) {
    this.stream = stream;
    this.headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) };
  }

  /**
   * The socket lives as long as the viewer's rights: what it may see is not decided anew for each event. When they change, the client
   * comes back and is asked who it is.
   */
  belongTo(viewer: Viewer, identities: Identities): void {
    this.viewer = viewer;
    this.headers = null;
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.#unwatch = identities.watch(viewer, () => this.socket.close(CloseCode.Forbidden, 'Your rights have changed'));
    if (viewer.expiresAt) this.#awaitExpiry();
  }

  /** Call it when the socket has closed. */
  release(): void {
    clearTimeout(this.#timer);
    this.#unwatch?.();
  }

  /** Resolves when the operating system has taken it: graphql-ws waits before it asks a subscription for its next event. */
  send(data: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.readyState !== this.socket.OPEN) return resolve();
      this.socket.send(data, () => resolve()); // also when the socket broke: its `close` ends the operations
    });
  }

  #awaitExpiry(): void {
    const leftMs = this.#leftMs();
    const waitMs = this.#noticed ? leftMs : Math.max(0, leftMs - NOTICE_MS);
    // In whole seconds: Node.js keeps a list for every length of time.
    this.#timer = setTimeout(() => this.#expire(), Math.ceil(waitMs / SECOND_MS) * SECOND_MS);
  }

  #expire(): void {
    if (this.#leftMs() <= 0) {
      this.socket.close(CloseCode.Forbidden, 'The token has expired');
      return;
    }
    if (!this.#noticed)
      void this.send(JSON.stringify({ type: 'ping', payload: { tokenExpiresAt: this.viewer.expiresAt } }));
    this.#noticed = true;
    this.#awaitExpiry();
  }

  #leftMs(): number {
    return Number(this.viewer.expiresAt) - Date.now();
  }
}
