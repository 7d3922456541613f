/**
 * The state of one socket. Thousands may be idle, so it is small: one listener for the socket's end, one timer, and nothing of the
 * request that opened it once the viewer is known, except what the browser says about itself.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../database/index.js';
import { TransientError } from '../../shared/errors.js';
import { DAY_MS, SECOND_MS } from '../../shared/time.js';
import { accountOf } from '../identity/allowance-account.js';
import { type BrowserSigns, signsOf } from '../identity/caller.js';
import type { Identities, RightsWatcher } from '../identity/identities.js';
import { type Viewer, visitor } from '../identity/viewer.js';
import { AnswerRoom } from '../limits/answer-room.js';
import { type Backlog, Outlet } from '../limits/backlog.js';
import { knownError } from '../request/failure.js';
import { SocketPace } from './socket-pace.js';

/** How long before its token expires a client is notified, to reconnect with a new one. */
const NOTICE_MS = 30_000;
const WAIT_MAX_MS = DAY_MS;
/** A close code of the WebSocket registry: clients reconnect by themselves. */
const TRY_AGAIN_LATER = 1013;

/** Shared by all connections of a server. */
export interface SocketServices {
  readonly now: Clock;
  readonly log: FastifyBaseLogger;
  readonly identities: Identities;
  readonly backlog: Backlog;
  readonly messagesPerSecond: number;
}

export class SocketState implements ProtocolSocket, RightsWatcher {
  /** The connection under the socket. */
  readonly stream: Duplex;
  readonly outlet: Outlet;
  /** Headers of the upgrade, until the viewer is known. */
  headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'> | null;
  viewer: Viewer = visitor;
  /** Of the upgrade. */
  readonly signs: BrowserSigns;
  /** The length of the message being processed. */
  messageBytes = 0;
  readonly #services: SocketServices;
  #timer: NodeJS.Timeout | undefined;
  #noticed = false;
  #answers: AnswerRoom | null = null;

  constructor(
    services: SocketServices,
    readonly id: string,
    readonly socket: WebSocket,
    readonly address: string,
    { headers, socket: stream }: IncomingMessage,
  ) {
    const { authorization, cookie } = headers;
    this.#services = services;
    this.stream = stream;
    this.outlet = new Outlet(stream, services.backlog, accountOf(visitor, address), () => socket.terminate());
    this.signs = signsOf({ headers });
    this.headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) };
  }

  /** The socket lives as long as the viewer's rights: access is not checked again for each event. */
  belongTo(viewer: Viewer): void {
    this.viewer = viewer;
    this.outlet.belongTo(accountOf(viewer, this.address));
    this.headers = null;
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.#services.identities.watch(viewer, this);
    if (viewer.expiresAt) this.#awaitExpiry();
  }

  /** The client reconnects and is authenticated again. */
  rightsChanged(): void {
    this.socket.close(CloseCode.Forbidden, 'Your rights have changed');
  }

  /** Call when the socket has closed. */
  release(): void {
    clearTimeout(this.#timer);
    this.outlet.close();
    this.#answers?.close();
    this.#services.identities.unwatch(this.viewer, this);
  }

  /** Created for the first query or mutation: most sockets only listen. */
  get answers(): AnswerRoom {
    this.#answers ??= new AnswerRoom(this.outlet);
    return this.#answers;
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  get isClosed(): boolean {
    return this.socket.readyState === this.socket.CLOSED;
  }

  /** Resolves when the operating system has accepted the data: graphql-ws waits for it before it pulls the next event. */
  send(data: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.readyState !== this.socket.OPEN) return resolve();
      this.socket.send(data, () => resolve()); // also on a socket error: its `close` ends the operations
      this.outlet.noteWritten();
    });
  }

  /** Sends a message that is useless later: not to clients that are behind, or whose connection is not acknowledged yet. */
  notify(message: string): void {
    if (this.headers === null && this.outlet.hasRoom) void this.send(message);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  onMessage(take: (message: string) => Promise<void>): void {
    const pace = new SocketPace(this.socket, this.#services.messagesPerSecond);
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) return this.socket.close(CloseCode.BadRequest, 'Messages must be text');
      pace.count();
      const text = String(data);
      this.messageBytes = text.length;
      take(toMessage(text)).catch((error: unknown) => this.#fail(error));
    });
  }

  #fail(error: unknown): void {
    const known = knownError(error, this.#services.log);
    if (known instanceof TransientError) {
      this.socket.close(TRY_AGAIN_LATER, known.message); // the viewer cannot be determined now
      return;
    }
    this.#services.log.error({ err: error }, 'A socket message failed with an internal error');
    this.socket.close(CloseCode.InternalServerError, 'Internal server error');
  }

  #awaitExpiry(): void {
    const leftMs = this.#leftMs();
    const waitMs = this.#noticed ? leftMs : Math.max(0, leftMs - NOTICE_MS);
    // In whole seconds: Node.js keeps a list per duration. An issuer's token may last longer than a timer can wait.
    this.#timer = setTimeout(() => this.#expire(), Math.min(Math.ceil(waitMs / SECOND_MS) * SECOND_MS, WAIT_MAX_MS));
  }

  #expire(): void {
    const leftMs = this.#leftMs();
    if (leftMs <= 0) {
      this.socket.close(CloseCode.Forbidden, 'The token has expired');
      return;
    }
    if (leftMs <= NOTICE_MS && !this.#noticed) {
      this.#noticed = true;
      void this.send(JSON.stringify({ type: 'ping', payload: { tokenExpiresAt: this.viewer.expiresAt } }));
    }
    this.#awaitExpiry();
  }

  #leftMs(): number {
    return Number(this.viewer.expiresAt) - this.#services.now().getTime();
  }
}

/** graphql-ws keeps its input as long as the operation runs. It also accepts a parsed message, which is smaller than its text. */
function toMessage(text: string): string {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === 'object' ? (message as unknown as string) : text;
  } catch {
    return text; // graphql-ws reports what is wrong with it
  }
}
