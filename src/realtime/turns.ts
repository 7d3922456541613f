/**
 * Work that may take long, one piece after the other, with room for everything else in between: a large state takes a tenth of a second to
 * be written, and a hundred of them asked for at once must not stop the process for ten.
 */
const SLICE_MS = 5;
/** What is left to others of the time after a long piece, as a share of how long it took. */
const REST_SHARE = 0.5;
const REST_MAX_MS = 50;

export class Turns {
  #waiting: (() => void)[] = [];
  #running = false;

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Does the work when its turn comes; never at once. It may not throw. */
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
