/**
 * Backpressure for the queries and mutations of one socket: none starts while its client has unread data, and the operations that
 * run concurrently together cost no more than one expensive operation may. The others wait in order. Waiting operations have not
 * started, and count as unread data of the client.
 */
import type { Outlet, Waiter } from './backlog.js';

/** In points: a chart of 50,000 points, whose response has 3 MB, costs half of it. */
const COST_AT_ONCE_MAX = 10_000;
/** Approximate memory of a waiting operation, without its message. */
const WAITING_BYTES = 4096;

interface Demand {
  readonly cost: number;
  /** Size of its message. */
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

  /** Resolves when an operation may start; never, if the socket closes first. @returns a function to call once it is answered */
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

  /** Admits all operations from now on: they are only told that the server is shutting down. */
  open(): void {
    this.#isOpen = true;
    this.goOn();
  }

  /** The socket has closed: drops what waits. */
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

  /** A running operation admits the next when it ends; if none runs, or the connection is full, its drain event does. */
  #awaitRoom(): void {
    if (this.#waiting.length > 0 && !this.#outlet.hasRoom) this.#outlet.whenRoom(this);
  }
}
