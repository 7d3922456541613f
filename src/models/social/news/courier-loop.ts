/** The courier of this process: it works while something is due. Whoever stores a delivery wakes it; a job finds what others have left. */
import type { Db } from 'mongodb';
import { carryOut } from './courier.js';

export class CourierLoop {
  readonly #db: Db;
  readonly #onFault: (error: unknown) => void;
  #running: Promise<void> | null = null;
  #again = false;
  #isClosed = false;

  constructor(db: Db, onFault: (error: unknown) => void) {
    this.#db = db;
    this.#onFault = onFault;
  }

  /** Call it when a delivery was stored. */
  wake(): void {
    void this.run();
  }

  /** @returns when nothing is due that was stored before the call */
  run(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    do {
      this.#again = false;
      // What fails is due again when its lease ends: the job looks for it. If the database is away, the round ends.
      await carryOut(this.#db, () => this.#isClosed, this.#onFault).catch(this.#onFault);
    } while (this.#again && !this.#isClosed);
  }
}
