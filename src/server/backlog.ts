/**
 * What clients leave unread, and the operations that wait until they read, over all connections of this process. A connection that holds
 * more than a little back is given nothing new (`Outlet`), so it holds at most that and one message; but many such add up. Beyond the
 * bounds, of one account or in all, the connection that has stood still the longest is ended: its client comes back with its cursor.
 */
import type { Writable } from 'node:stream';
import { greatest } from '../shared/greatest.js';

export interface BacklogBounds {
  readonly bytes: number;
  readonly bytesPerAccount: number;
}

/** What a connection may hold back before its subscriptions wait, and their changes merge. */
export const UNSENT_BYTES_MAX = 131_072;
/** How often it is looked at what was written by others than outlets, or taken without a `drain`. */
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

  /** Connections that hold something back. */
  get connections(): number {
    return this.#held.size;
  }

  /** Connections that were ended since too much was unread. */
  get ended(): number {
    return this.#ended;
  }

  /** A connection holds so much back now. Whoever has stood still the longest stands first. */
  note(outlet: Outlet, bytes: number): void {
    const change = bytes - (this.#held.get(outlet) ?? 0);
    if (change === 0) return;
    if (change < 0) this.#held.delete(outlet); // it moves: it stands last from now on
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

/** What an outlet needs of the stream that it is the way out of. */
export type Line = Pick<Writable, 'writableLength' | 'writableNeedDrain' | 'once'>;

/** Somebody who waits for room. */
export interface Waiter {
  goOn(): void;
}

/** The way out of one connection: says when it takes more, and lets those who wait go on one after the other. */
export class Outlet {
  readonly #stream: Line;
  readonly #backlog: Backlog;
  /** Null while nobody does: of the idle ones there are thousands. */
  #waiting: Set<Waiter> | null = null;
  #account: string;
  #waitingBytes = 0;
  #listens = false;
  #closed = false;

  /** @param account whose connection it is @param end ends the connection at once: its client reads nothing */
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

  /** Bytes that the operating system has not taken yet, and of what waits for room. */
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

  /** Tells the waiter once there is room: one after the other, as each may fill it again. The same waits once. */
  whenRoom(waiter: Waiter): void {
    this.#waiting ??= new Set();
    this.#waiting.add(waiter);
    this.#awaitDrain();
  }

  /** What waits for room takes up so much more; less, when it goes on. */
  addWaiting(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#backlog.note(this, this.unsent);
  }

  /** To be called after writing. @returns whether everything has been taken by the operating system */
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
