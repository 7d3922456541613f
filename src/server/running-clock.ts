/**
 * Milliseconds in which this process ran. A process that was stopped, or a machine that slept, answered nobody meanwhile: that time
 * says nothing about what the process can do, and nobody who waited is to blame for it.
 */

/** A longer pause between two looks at the clock was a stop. Longer than the turns of a busy event loop. */
const STEP_MAX_MS = 250;

/** To be read at least every STEP_MAX_MS while anything is measured by it. */
export class RunningClock {
  #ranMs = 0;
  #readMs: number;

  constructor(private readonly read: () => number) {
    this.#readMs = read();
  }

  nowMs(): number {
    const readMs = this.read();
    this.#ranMs += Math.min(readMs - this.#readMs, STEP_MAX_MS);
    this.#readMs = readMs;
    return this.#ranMs;
  }
}
