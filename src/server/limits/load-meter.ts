/**
 * Arrival and completion rates while work is queued: only then does throughput show the capacity. Times with an empty queue do not
 * count; after a longer break the measurements are reset.
 */
import { RecentRate } from './recent-rate.js';

/** Long enough for work that completes in groups. */
const DONE_WINDOW_MS = 1000;
/** Short, as it shows whether a burst is still arriving. */
const COME_WINDOW_MS = 500;

export class LoadMeter {
  readonly #done = new RecentRate(DONE_WINDOW_MS);
  readonly #come = new RecentRate(COME_WINDOW_MS);
  /** Total of the past queuing times. */
  #waitedMs = 0;
  #waitingSinceMs: number | null = null;
  #emptySinceMs = Number.NEGATIVE_INFINITY;
  readonly #breakMaxMs: number;

  /** @param breakMaxMs after an empty queue for longer than this, the measurements are reset */
  constructor(breakMaxMs: number) {
    this.#breakMaxMs = breakMaxMs;
  }

  get somebodyWaits(): boolean {
    return this.#waitingSinceMs !== null;
  }

  /** The queue has been empty for some time. */
  isCalm(nowMs: number): boolean {
    return this.#waitingSinceMs === null && nowMs - this.#emptySinceMs > this.#breakMaxMs;
  }

  /** The queue is no longer empty. */
  beginWaiting(nowMs: number): void {
    if (this.isCalm(nowMs)) {
      this.#waitedMs = 0;
      this.#done.restart(0);
      this.#come.restart(0);
    }
    this.#waitingSinceMs = nowMs;
  }

  /** The queue is empty. */
  endWaiting(nowMs: number): void {
    this.#waitedMs = this.#clock(nowMs);
    this.#waitingSinceMs = null;
    this.#emptySinceMs = nowMs;
  }

  /** For how long the queue has not been empty. */
  waitingForMs(nowMs: number): number {
    return this.#waitingSinceMs === null ? 0 : nowMs - this.#waitingSinceMs;
  }

  addDone(weight: number, nowMs: number): void {
    if (this.somebodyWaits) this.#done.add(weight, this.#clock(nowMs));
  }

  addCome(weight: number, nowMs: number): void {
    if (this.somebodyWaits) this.#come.add(weight, this.#clock(nowMs));
  }

  donePerSecond(nowMs: number): number {
    return this.#done.perSecond(this.#clock(nowMs));
  }

  comePerSecond(nowMs: number): number {
    return this.#come.perSecond(this.#clock(nowMs));
  }

  /** Advances only while the queue is not empty. */
  #clock(nowMs: number): number {
    return this.#waitedMs + this.waitingForMs(nowMs);
  }
}
