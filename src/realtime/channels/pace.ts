/**
 * Spaces out the events of a channel. The first one after a pause is sent at once. When the process is busy, timers fire late: then the
 * next pause is longer by a multiple of it, at most twice as long, so that events leave time for requests.
 */
const LATE_SHARE = 4;

export class Pace {
  readonly #resume: () => void;
  #lastAt = Number.NEGATIVE_INFINITY;
  #lateMs = 0;
  /** The pause has just ended. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param resume called when the next event may be sent, if one was held back */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /** @returns whether an event may be sent now; if not, `resume` is called when it may */
  begin(everyMs: number): boolean {
    if (everyMs <= 0) return true;
    const now = performance.now();
    const dueAt = this.#lastAt + everyMs + Math.min(everyMs, LATE_SHARE * this.#lateMs);
    if (this.#isDue || now >= dueAt) {
      this.#isDue = false;
      this.#lastAt = now;
      return true;
    }
    this.#timer ??= setTimeout(() => this.#fire(dueAt), dueAt - now).unref();
    return false;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fire(dueAt: number): void {
    this.#timer = undefined;
    this.#lateMs = Math.max(0, performance.now() - dueAt);
    this.#isDue = true;
    this.#resume();
    this.#isDue = false;
  }
}
