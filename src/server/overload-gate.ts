/**
 * Refuses operations early when this process cannot keep up, so that those it takes are answered about as soon as ever. How many may
 * run at once follows from the delay of the event loop: a fifth less whenever callbacks wait too long, one more when they do not.
 * (Additive increase, multiplicative decrease, as in TCP.) Operations that wait for the database cost nothing here: thousands of them
 * may share a group commit, and the bound grows with them.
 */
import { BusyError } from '../shared/errors.js';

const TICK_MS = 10;
/** So many run whatever the delay: another process may be what takes the time. */
const LIMIT_MIN = 2;
/** Up to here it comes back by itself; beyond, only as long as it is used. */
const LIMIT_USUAL = 128;
const DECREASE = 0.8;
const INCREASE = 1;

export class OverloadGate {
  #running = 0;
  #limit: number;
  #refused = 0;
  /** Whether all places were taken at some moment since the last tick. */
  #wasFull = false;
  #timer: NodeJS.Timeout | null = null;
  #dueMs = 0;

  /**
   * @param runningMax so many run at once at most, whatever the delay
   * @param delayMaxMs a due callback that waits longer means that there is more work than time
   */
  constructor(
    private readonly runningMax: number,
    private readonly delayMaxMs: number,
  ) {
    this.#limit = Math.min(LIMIT_USUAL, runningMax);
  }

  /** For metrics. */
  get health(): { readonly running: number; readonly limit: number; readonly refused: number } {
    return { running: this.#running, limit: Math.floor(this.#limit), refused: this.#refused };
  }

  /** How long those who are refused should wait. */
  readonly retryAfterMs = 1000;

  /** Ask before an operation has cost anything. Whoever gets no for an answer is to be refused. */
  hasRoom(): boolean {
    if (this.#running < Math.floor(this.#limit)) return true;
    this.#wasFull = true;
    this.#refused += 1;
    return false;
  }

  /** @throws BusyError there is no room */
  requireRoom(): void {
    if (!this.hasRoom()) throw new BusyError('The server has too much to do', this.retryAfterMs);
  }

  /**
   * Counts the work as running until its promise is settled. Many may have been let in while nothing ran yet, and their bodies come
   * together: so it is asked again here whether there is room.
   * @throws BusyError there is none: the work has not begun
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.requireRoom();
    this.#running += 1;
    this.#watch();
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  /** While nothing runs, there is nothing to watch. */
  #watch(): void {
    if (this.#timer) return;
    this.#dueMs = performance.now() + TICK_MS;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = null;
    this.#adjust(performance.now() - this.#dueMs);
    if (this.#running > 0) this.#watch();
  }

  #adjust(delayMs: number): void {
    if (delayMs > this.delayMaxMs) this.#limit = Math.max(Math.min(LIMIT_MIN, this.runningMax), this.#limit * DECREASE);
    else if (this.#wasFull || this.#limit < LIMIT_USUAL)
      this.#limit = Math.min(this.runningMax, this.#limit + INCREASE);
    this.#wasFull = false;
  }
}
