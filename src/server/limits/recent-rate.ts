/** A rate over a sliding window of ten steps. */

const STEPS = 10;

export class RecentRate {
  readonly #sums = new Float64Array(STEPS);
  readonly #stepMs: number;
  #step = 0;
  #sinceMs = 0;

  constructor(windowMs: number) {
    this.#stepMs = windowMs / STEPS;
  }

  /** Resets the window: counting starts now. */
  restart(nowMs: number): void {
    this.#sums.fill(0);
    this.#step = Math.floor(nowMs / this.#stepMs);
    this.#sinceMs = nowMs;
  }

  add(amount: number, nowMs: number): void {
    this.#advance(nowMs);
    const at = this.#step % STEPS;
    this.#sums[at] = (this.#sums[at] ?? 0) + amount;
  }

  /** 0 until something was counted. */
  perSecond(nowMs: number): number {
    this.#advance(nowMs);
    const coveredMs = Math.min(nowMs - this.#sinceMs, (STEPS - 1) * this.#stepMs + (nowMs % this.#stepMs));
    const sum = this.#sums.reduce((total, part) => total + part, 0);
    return (sum / Math.max(coveredMs, this.#stepMs)) * 1000; // a very short first interval would exaggerate
  }

  #advance(nowMs: number): void {
    const step = Math.floor(nowMs / this.#stepMs);
    for (let passed = Math.min(step - this.#step, STEPS); passed > 0; passed -= 1) {
      this.#sums[(step - passed + 1) % STEPS] = 0;
    }
    this.#step = step;
  }
}
