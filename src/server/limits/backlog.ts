/**
 * Backpressure over all connections of this process: data that clients leave unread, and operations that wait until they read. A
 * connection with more than a little unsent data gets nothing new (`Outlet`), so it buffers at most that and one message, but many of
 * them add up. Beyond the bounds, per account or in total, the connection stalled the longest is closed: its client resumes with its
 * cursor.
 */
import type { Writable } from 'node:stream';
import { greatest } from '../../shared/greatest.js';

export interface BacklogBounds {
  readonly bytes: number;
  readonly bytesPerAccount: number;
}

/** What a connection may buffer before its subscriptions wait, and their changes merge. */
export const UNSENT_BYTES_MAX = 131_072;
/** How often to check for data that was written around the outlets, or sent without a `drain`. */
const SWEEP_MS = 1000;

export class Backlog {
  readonly #bounds: BacklogBounds;
  readonly #held = new Map<Outlet, number>();
  readonly #byAccount = new Map<string, number>();
  #bytes = 0;
  #ended = 0;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(bounds: BacklogBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Connections with unsent data. */
  get connections(): number {
    return this.#held.size;
  }

  /** Connections that were closed because too much was unread. */
  get ended(): number {
    return this.#ended;
  }

  /** Sets the unsent bytes of a connection. The map is ordered by stall time, longest first. */
  note(outlet: Outlet, bytes: number): void {
    const change = bytes - (this.#held.get(outlet) ?? 0);
    if (change === 0) return;
    if (change < 0) this.#held.delete(outlet); // it made progress: it is last from now on
    if (bytes > 0) this.#held.set(outlet, bytes);
    if (this.#held.size > 0) this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    this.#bytes += change;
    const account = (this.#byAccount.get(outlet.account) ?? 0) + change;
    if (account === 0) this.#byAccount.delete(outlet.account);
    else this.#byAccount.set(outlet.account, account);
    if (change < 0) return;
    if (account > this.#bounds.bytesPerAccount) this.#endOldest(outlet.account);
    if (this.#bytes <= this.#bounds.bytes) return;
    const [heaviest = ''] = greatest(this.#byAccount, ([, held]) => held) ?? [];
    this.#endOldest(heaviest);
  }

  #sweep(): void {
    for (const outlet of this.#held.keys()) this.note(outlet, outlet.unsent);
    if (this.#held.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #endOldest(account: string): void {
    for (const outlet of this.#held.keys()) {
      if (outlet.account !== account) continue;
      this.#ended += 1;
      this.note(outlet, 0);
      outlet.end();
      return;
    }
  }
}

/** What an outlet needs from its stream. */
export type Line = Pick<Writable, 'writableLength' | 'writableNeedDrain' | 'once'>;

/** A writer that waits for room. */
export interface Waiter {
  goOn(): void;
}

/** The outgoing side of one connection: knows when it accepts more, and resumes waiting writers one after the other. */
export class Outlet {
  readonly #stream: Line;
  readonly #backlog: Backlog;
  /** Null while nobody waits, as on thousands of idle connections. */
  #waiting: Set<Waiter> | null = null;
  #account: string;
  #waitingBytes = 0;
  #listens = false;
  #closed = false;

  /** @param account the owner of the connection @param end closes the connection immediately: its client is not reading */
  constructor(
    stream: Line,
    backlog: Backlog,
    account: string,
    readonly end: () => void,
  ) {
    this.#stream = stream;
    this.#backlog = backlog;
    this.#account = account;
  }

  get account(): string {
    return this.#account;
  }

  /** Bytes that the operating system has not accepted yet, and bytes that wait for room. */
  get unsent(): number {
    return this.#closed ? 0 : this.#stream.writableLength + this.#waitingBytes;
  }

  get hasRoom(): boolean {
    return this.#stream.writableLength <= UNSENT_BYTES_MAX && !this.#closed;
  }

  belongTo(account: string): void {
    this.#backlog.note(this, 0);
    this.#account = account;
  }

  /** Resumes the waiter once there is room: one after the other, as each may fill it again. Adding the same one twice has no effect. */
  whenRoom(waiter: Waiter): void {
    this.#waiting ??= new Set();
    this.#waiting.add(waiter);
    this.#awaitDrain();
  }

  /** Adds to the bytes that wait for room; negative when the wait is over. */
  addWaiting(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#backlog.note(this, this.unsent);
  }

  /** Call after writing. @returns whether the operating system has accepted everything */
  noteWritten(): boolean {
    if (this.#stream.writableLength === 0) return true;
    this.#backlog.note(this, this.unsent);
    if (this.#stream.writableNeedDrain) this.#awaitDrain();
    return false;
  }

  /** The connection has closed. */
  close(): void {
    this.#closed = true;
    this.#waiting = null;
    this.#backlog.note(this, 0);
  }

  #awaitDrain(): void {
    if (this.#listens || this.#closed) return;
    this.#listens = true;
    this.#stream.once('drain', () => {
      this.#listens = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    this.#backlog.note(this, 0);
    for (const waiter of this.#waiting ?? []) {
      if (!this.hasRoom) break;
      this.#waiting?.delete(waiter);
      waiter.goOn();
    }
    this.#backlog.note(this, this.unsent);
    if (this.#waiting && this.#waiting.size > 0) this.#awaitDrain();
    else this.#waiting = null;
  }
}
