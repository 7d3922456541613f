/**
 * What comes and what is done while somebody waits: only then what is done tells what can be done. Moments in which nobody waits are
 * left out of the time; after a longer break everything is forgotten, and the measuring begins again.
 */
import { RecentRate } from './recent-rate.js';

/** Long enough for what is done in groups. */
const DONE_WINDOW_MS = 1000;
/** Short, as it tells whether a burst is still coming. */
const COME_WINDOW_MS = 500;

export class LoadMeter {
  readonly #done = new RecentRate(DONE_WINDOW_MS);
  readonly #come = new RecentRate(COME_WINDOW_MS);
  /** In the moments that are over. */
  #stoodMs = 0;
  #waitingSinceMs: number | null = null;
  #restingSinceMs = Number.NEGATIVE_INFINITY;

  /** @param breakMaxMs when nobody has waited for longer than this, what was measured is forgotten */
  constructor(private readonly breakMaxMs: number) {}

  get somebodyWaits(): boolean {
    return this.#waitingSinceMs !== null;
  }

  /** Nobody has waited for some time. */
  isCalm(nowMs: number): boolean {
    return this.#waitingSinceMs === null && nowMs - this.#restingSinceMs > this.breakMaxMs;
  }

  /** Somebody begins to wait. */
  stand(nowMs: number): void {
    if (this.isCalm(nowMs)) {
      this.#stoodMs = 0;
      this.#done.restart(0);
      this.#come.restart(0);
    }
    this.#waitingSinceMs = nowMs;
  }

  /** Nobody waits any more. */
  rest(nowMs: number): void {
    this.#stoodMs = this.#clock(nowMs);
    this.#waitingSinceMs = null;
    this.#restingSinceMs = nowMs;
  }

  /** For how long there has been somebody who waits, without a break. */
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

  /** Goes while somebody waits. */
  #clock(nowMs: number): number {
    return this.#stoodMs + this.waitingForMs(nowMs);
  }
}
