/**
 * Refuses operations early when this process cannot keep up, so that those it takes are answered about as soon as ever.
 *
 * How many may run at once follows from the delay of the event loop. When callbacks wait too long, fewer than ran: the less, the longer
 * the wait. When they do not, more: twice as many at first, a tenth more soon after a wait. (TCP's slow start and congestion avoidance.)
 * Operations that wait for the database cost nothing here: thousands of them may share a group commit, and the bound grows with them.
 *
 * A handful that come at once are no overload, however busy others keep the machine: who finds all places taken waits for one. When
 * that goes on for PATIENCE_MS and for more than a handful, whoever waits is refused, and so is whoever finds no place, until for as
 * long everybody has found one. (CoDel, by Nichols and Jacobson; for requests: Maurer, "Fail at Scale".)
 */
import { BusyError } from '../shared/errors.js';

const TICK_MS = 10;
/** Somebody runs whatever the delay: another process may be what takes the time. */
const LIMIT_MIN = 1;
/** Up to here it comes back by itself; beyond, only as long as it is used. */
const LIMIT_USUAL = 16;
/** Of what ran, so much may run after the longest wait: a pause may have had another reason. */
const SHARE_MIN = 0.5;
const INCREASE = 2;
const INCREASE_AFTER_WAIT = 1.1;
const AFTER_WAIT_MS = 1000;
const PATIENCE_MS = 50;
/** How often somebody found no place; each is asked for up to four times on the way of an operation. */
const HANDFUL = 64;
const WAITING_MAX = 1000;

interface Waiting {
  begin(): void;
  refuse(error: BusyError): void;
}

export class OverloadGate {
  #running = 0;
  #limit: number;
  #refused = 0;
  /** The first has waited longest. */
  readonly #waiting: Waiting[] = [];
  /** Since when, and until when, somebody was without a place; with breaks shorter than PATIENCE_MS. */
  #fullSinceMs = Number.NEGATIVE_INFINITY;
  #fullUntilMs = Number.NEGATIVE_INFINITY;
  /** How often, since then. */
  #lacking = 0;
  /** Since the last tick: the most that ran at a moment, whether somebody found no place, and whether it was late. */
  #peak = 0;
  #wasFull = false;
  #wasLate = false;
  /** When callbacks waited too long for the last time. */
  #lateMs = Number.NEGATIVE_INFINITY;
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
  get health(): {
    readonly running: number;
    readonly waiting: number;
    readonly limit: number;
    readonly refused: number;
  } {
    return {
      running: this.#running,
      waiting: this.#waiting.length,
      limit: Math.floor(this.#limit),
      refused: this.#refused,
    };
  }

  /** How long those who are refused should wait. */
  readonly retryAfterMs = 1000;

  /** Ask before an operation has cost anything. Whoever gets no for an answer is to be refused. */
  hasRoom(): boolean {
    if (this.#hasPlace() || this.#mayWait()) return true;
    this.#refused += 1;
    return false;
  }

  /** @throws BusyError there is no room */
  requireRoom(): void {
    if (!this.hasRoom()) throw this.#busy();
  }

  /**
   * Counts the work as running until its promise is settled. Many may have been let in while nothing ran yet, and their bodies come
   * together: so it is asked again here whether there is room.
   * @throws BusyError there is none: the work has not begun
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.requireRoom();
    if (this.#hasPlace()) this.#begin();
    else await new Promise<void>((begin, refuse) => this.#waiting.push({ begin, refuse }));
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#callWaiting();
    }
  }

  #begin(): void {
    this.#running += 1;
    this.#peak = Math.max(this.#peak, this.#running);
    this.#watch();
  }

  #hasPlace(): boolean {
    this.#lookAtClock();
    if (this.#running < Math.floor(this.#limit)) return true;
    this.#noteFull();
    this.#lacking += 1;
    return false;
  }

  #noteFull(): void {
    const now = performance.now();
    if (now - this.#fullUntilMs > PATIENCE_MS) {
      this.#fullSinceMs = now;
      this.#lacking = 0;
    }
    this.#fullUntilMs = now;
    this.#wasFull = true;
  }

  #mayWait(): boolean {
    return this.#waiting.length < WAITING_MAX && !this.#isOverloaded();
  }

  #isOverloaded(): boolean {
    if (this.#fullUntilMs - this.#fullSinceMs <= PATIENCE_MS || this.#lacking <= HANDFUL) return false;
    return this.#isSoonAfterWait() || this.#limit >= this.runningMax; // else there are twice as many places soon
  }

  #callWaiting(): void {
    while (this.#running < Math.floor(this.#limit)) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#begin(); // the place is taken before the work begins
      next.begin();
    }
  }

  #busy(): BusyError {
    return new BusyError('The server has too much to do', this.retryAfterMs);
  }

  /** While nothing runs, there is nothing to watch. */
  #watch(): void {
    if (this.#timer) return;
    this.#dueMs = performance.now() + TICK_MS;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  #tick(): void {
    this.#lookAtClock();
    this.#timer = null;
    if (!this.#wasLate && (this.#wasFull || this.#limit < LIMIT_USUAL)) this.#raiseLimit();
    if (this.#waiting.length > 0) this.#noteFull();
    this.#callWaiting();
    if (this.#isOverloaded()) this.#refuseWaiting();
    this.#peak = this.#running;
    this.#wasFull = false;
    this.#wasLate = false;
    if (this.#running > 0) this.#watch();
  }

  #raiseLimit(): void {
    const factor = this.#isSoonAfterWait() ? INCREASE_AFTER_WAIT : INCREASE;
    this.#limit = Math.min(this.runningMax, this.#limit * factor);
  }

  #isSoonAfterWait(): boolean {
    return performance.now() - this.#lateMs < AFTER_WAIT_MS;
  }

  #refuseWaiting(): void {
    const refused = this.#waiting.splice(0);
    this.#refused += refused.length;
    for (const { refuse } of refused) refuse(this.#busy());
  }

  /** For each operation, and not only for each tick: hundreds may come before a late timer has its turn. */
  #lookAtClock(): void {
    if (!this.#timer) return;
    const now = performance.now();
    const delayMs = now - this.#dueMs;
    if (delayMs <= this.delayMaxMs) return;
    const share = Math.max(SHARE_MIN, this.delayMaxMs / delayMs);
    this.#limit = Math.max(Math.min(LIMIT_MIN, this.runningMax), Math.min(this.#limit, this.#peak) * share);
    this.#wasLate = true;
    this.#lateMs = now;
    this.#dueMs = now + TICK_MS;
  }
}
