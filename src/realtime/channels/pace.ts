/** Spaces out the events of a channel. The first one after a pause is sent at once. */
export class Pace {
  readonly #resume: () => void;
  #lastAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** @param resume called when the next event may be sent, if one was held back */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /** @returns whether an event may be sent now; if not, `resume` is called when it may */
  begin(everyMs: number): boolean {
    if (everyMs <= 0) return true;
    const now = performance.now();
    const dueAt = this.#lastAt + everyMs;
    if (now >= dueAt) {
      this.#lastAt = now;
      return true;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#resume();
    }, dueAt - now).unref();
    return false;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
