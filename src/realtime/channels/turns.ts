/**
 * Runs long pieces of work one after the other, with room for everything else in between. A large state takes a tenth of a second
 * to render, and a hundred concurrent requests for it must not block the process for ten seconds.
 */
const SLICE_MS = 5;
/** The pause after a long piece, as a share of its duration. */
const REST_SHARE = 0.5;
const REST_MAX_MS = 50;

export class Turns {
  #waiting: (() => void)[] = [];
  #running = false;

  /** Pending pieces of work. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the work in its turn, never synchronously. It must not throw. */
  take(work: () => void): void {
    this.#waiting.push(work);
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const begin = performance.now();
    let done = 0;
    let tookMs = 0;
    while (done < this.#waiting.length && tookMs < SLICE_MS) {
      this.#waiting[done]?.();
      done += 1;
      tookMs = performance.now() - begin;
    }
    this.#waiting = this.#waiting.slice(done);
    this.#running = this.#waiting.length > 0;
    if (!this.#running) return;
    if (tookMs < 2 * SLICE_MS) setImmediate(() => this.#run());
    else setTimeout(() => this.#run(), Math.min(tookMs * REST_SHARE, REST_MAX_MS));
  }
}
