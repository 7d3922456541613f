/**
 * When events no longer determine a state, it is read again: immediately after a quiet time, otherwise a while after the last read.
 * This lasts until a read succeeds.
 */

/** The minimum pause after a read: this long, or this many times its duration. */
const PAUSE_MS = 500;
const PAUSE_SHARE = 10;
/** No pause is longer. A read may have waited for a database that is well again, and nothing is sent meanwhile. */
const PAUSE_MAX_MS = 5000;

interface Spell {
  readonly over: Promise<void>;
  readonly end: () => void;
}

export class Uncertainty {
  readonly #read: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #spell: Spell | null = null;
  #notBefore = 0;

  /** @param read reads the state again, and calls `end` @param onFailure called before it is tried once more */
  constructor(read: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#read = read;
    this.#onFailure = onFailure;
  }

  get isOn(): boolean {
    return this.#spell !== null;
  }

  /** Resolves when it ends. */
  get over(): Promise<void> {
    return this.#spell?.over ?? Promise.resolve();
  }

  begin(): void {
    if (this.#spell) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#spell = { over, end };
    this.#schedule(this.#spell);
  }

  /** The state has been read again, or dropped. */
  end(): void {
    this.#spell?.end();
    this.#spell = null;
  }

  /** A read has taken this long. */
  hasRead(ms: number): void {
    this.#rest(Math.max(PAUSE_MS, PAUSE_SHARE * ms));
  }

  /** So has a read of only what was missing. */
  hasCompleted(ms: number): void {
    this.#rest(PAUSE_SHARE * ms);
  }

  #rest(ms: number): void {
    this.#notBefore = performance.now() + Math.min(PAUSE_MAX_MS, ms);
  }

  #schedule(spell: Spell): void {
    const again = (error: unknown) => {
      if (this.#spell !== spell) return;
      this.#onFailure(error);
      this.hasRead(0);
      this.#schedule(spell);
    };
    const read = () => {
      if (this.#spell === spell) this.#read().catch(again);
    };
    setTimeout(read, Math.max(0, this.#notBefore - performance.now())).unref();
  }
}
