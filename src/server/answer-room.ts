/**
 * Lets the queries and mutations of one socket begin only while their answers have somewhere to go: none while its client leaves unread what
 * it was sent, and no more at once than one costly operation may be. The others wait in order; what waits has not begun, and counts with
 * what the client leaves unread.
 */
import type { Outlet, Waiter } from './backlog.js';

/** In points: a chart of 50,000 points, whose answer has 3 MB, costs half of it. */
const COST_AT_ONCE_MAX = 10_000;
/** What a waiting operation takes up besides its message, about. */
const WAITING_BYTES = 4096;

interface Demand {
  readonly cost: number;
  /** Of the message that it came in. */
  readonly bytes: number;
}

interface Waiting extends Demand {
  readonly go: () => void;
}

export class AnswerRoom implements Waiter {
  readonly #outlet: Outlet;
  #waiting: Waiting[] = [];
  #running = 0;
  #cost = 0;
  #isOpen = false;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Resolves when an operation may begin; never, if the socket closes before. @returns to be called when it has been answered */
  async enter({ cost, bytes }: Demand): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#hasRoomFor(cost))
      await new Promise<void>((go) => {
        this.#waiting.push({ cost, bytes, go });
        this.#awaitRoom();
        this.#outlet.addWaiting(bytes + WAITING_BYTES);
      });
    else this.#begin(cost);
    return () => {
      this.#running -= 1;
      this.#cost -= cost;
      this.goOn();
    };
  }

  /** Lets in all who wait or come from now on: they are only told that the server goes away. */
  open(): void {
    this.#isOpen = true;
    this.goOn();
  }

  /** The socket has closed: what waits is forgotten. */
  close(): void {
    this.#waiting = [];
  }

  #hasRoomFor(cost: number): boolean {
    if (this.#isOpen) return true;
    return this.#outlet.hasRoom && (this.#running === 0 || this.#cost + cost <= COST_AT_ONCE_MAX);
  }

  #begin(cost: number): void {
    this.#running += 1;
    this.#cost += cost;
  }

  goOn(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoomFor(next.cost); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#outlet.addWaiting(-next.bytes - WAITING_BYTES);
      this.#begin(next.cost);
      next.go();
    }
    this.#awaitRoom();
  }

  /** Whoever runs admits the next when it ends; where nobody does, or the connection is full, its draining does. */
  #awaitRoom(): void {
    if (this.#waiting.length > 0 && !this.#outlet.hasRoom) this.#outlet.whenRoom(this);
  }
}
