/**
 * Milliseconds in which this process ran. A stopped process or a sleeping machine answers nothing: that time says nothing about its
 * capacity, and must not count as waiting time.
 */

/** A longer pause between two reads means the process was stopped. Longer than the turns of a busy event loop. */
const STEP_MAX_MS = 250;

/** Must be read at least every STEP_MAX_MS while anything is measured with it. */
export class RunningClock {
  #ranMs = 0;
  #readMs: number;

  readonly #read: () => number;

  constructor(read: () => number) {
    this.#read = read;
    this.#readMs = read();
  }

  nowMs(): number {
    const readMs = this.#read();
    this.#ranMs += Math.min(readMs - this.#readMs, STEP_MAX_MS);
    this.#readMs = readMs;
    return this.#ranMs;
  }
}
