/** Work that a graceful shutdown waits for. */
export class RunningWork {
  readonly #running = new Set<Promise<unknown>>();
  #finishing = false;

  /** True when no new work should start. */
  get finishing(): boolean {
    return this.#finishing;
  }

  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const remove = () => this.#running.delete(work);
    work.then(remove, remove);
    return work;
  }

  /** Waits until nothing runs any more, or `timeoutMs` have passed. */
  async finish(timeoutMs: number): Promise<void> {
    this.#finishing = true;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.allSettled(this.#running), timeout]);
    clearTimeout(timer);
  }
}
