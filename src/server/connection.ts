/**
 * What belongs to one socket. Thousands may be idle, so there is little of it: one listener for the socket's end, one timer, and nothing
 * of the request that opened it once it is known who asks.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../database/index.js';
import { TransientError } from '../shared/errors.js';
import { DAY_MS, SECOND_MS } from '../shared/time.js';
import { accountOf } from './account.js';
import { AnswerRoom } from './answer-room.js';
import { type Backlog, Outlet } from './backlog.js';
import { knownError } from './failure.js';
import type { Identities, RightsWatcher } from './identities.js';
import { SocketPace } from './socket-pace.js';
import { type Viewer, visitor } from './viewer.js';

/** How long before the end of its token a client is told, to come back with a new one. */
const NOTICE_MS = 30_000;
const WAIT_MAX_MS = DAY_MS;
/** Of the WebSocket registry: clients come back by themselves. */
const TRY_AGAIN_LATER = 1013;

/** What all connections of a server share. */
export interface ConnectionServices {
  readonly now: Clock;
  readonly log: FastifyBaseLogger;
  readonly identities: Identities;
  readonly backlog: Backlog;
  readonly messagesPerSecond: number;
}

export class Connection implements ProtocolSocket, RightsWatcher {
  /** The connection under the socket. */
  readonly stream: Duplex;
  readonly outlet: Outlet;
  /** What the browser sent with the upgrade, until it is known who asks. */
  headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'> | null;
  viewer: Viewer = visitor;
  /** The length of the message that is being taken. */
  messageBytes = 0;
  readonly #services: ConnectionServices;
  #timer: NodeJS.Timeout | undefined;
  #noticed = false;
  #answers: AnswerRoom | null = null;

  constructor(
    services: ConnectionServices,
    readonly id: string,
    readonly socket: WebSocket,
    readonly address: string,
    { headers: { authorization, cookie }, socket: stream }: IncomingMessage,
  ) {
    this.#services = services;
    this.stream = stream;
    this.outlet = new Outlet(stream, services.backlog, accountOf(visitor, address), () => socket.terminate());
    this.headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) };
  }

  /** The socket lives as long as the viewer's rights: what it may see is not decided anew for each event. */
  belongTo(viewer: Viewer): void {
    this.viewer = viewer;
    this.outlet.belongTo(accountOf(viewer, this.address));
    this.headers = null;
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.#services.identities.watch(viewer, this);
    if (viewer.expiresAt) this.#awaitExpiry();
  }

  /** The client comes back and is asked who it is. */
  rightsChanged(): void {
    this.socket.close(CloseCode.Forbidden, 'Your rights have changed');
  }

  /** Call it when the socket has closed. */
  release(): void {
    clearTimeout(this.#timer);
    this.outlet.close();
    this.#answers?.close();
    this.#services.identities.unwatch(this.viewer, this);
  }

  /** Made for the first query or mutation: most sockets only listen. */
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

  /** Resolves when the operating system has taken it: graphql-ws waits before it asks a subscription for its next event. */
  send(data: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.readyState !== this.socket.OPEN) return resolve();
      this.socket.send(data, () => resolve()); // also when the socket broke: its `close` ends the operations
      this.outlet.noteWritten();
    });
  }

  /** Sends what is of no use later: not to a client that is behind already, or whose connection is not acknowledged yet. */
  notify(message: string): void {
    if (this.headers === null && this.outlet.hasRoom) void this.send(message);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  onMessage(take: (message: string) => Promise<void>): void {
    const pace = new SocketPace(this.socket, this.#services.messagesPerSecond);
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) return this.socket.close(CloseCode.BadRequest, 'Messages are text');
      pace.count();
      const text = String(data);
      this.messageBytes = text.length;
      take(toMessage(text)).catch((error: unknown) => this.#fail(error));
    });
  }

  #fail(error: unknown): void {
    const known = knownError(error, this.#services.log);
    if (known instanceof TransientError) {
      this.socket.close(TRY_AGAIN_LATER, known.message); // who it is cannot be told now
      return;
    }
    this.#services.log.error({ err: error }, 'a socket message failed by a fault of ours');
    this.socket.close(CloseCode.InternalServerError, 'Internal server error');
  }

  #awaitExpiry(): void {
    const leftMs = this.#leftMs();
    const waitMs = this.#noticed ? leftMs : Math.max(0, leftMs - NOTICE_MS);
    // In whole seconds: Node.js keeps a list for every length of time. An issuer's token may last longer than a timer can wait.
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

/** graphql-ws keeps what it is given as long as the operation runs. It takes a parsed message as well, which is smaller than its text. */
function toMessage(text: string): string {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === 'object' ? (message as unknown as string) : text;
  } catch {
    return text; // it says what is wrong with it
  }
}
