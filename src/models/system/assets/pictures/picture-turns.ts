/** Work on pictures takes turns: one at a time, and a bounded number waits. */
import { BusyError } from '../../../../shared/errors.js';

const WAITING_MAX = 64;
const RETRY_MS = 5000;

export class PictureTurns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Those that work or wait. */
  get count(): number {
    return this.#count;
  }

  /** @throws BusyError too many are waiting */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count > WAITING_MAX) throw new BusyError('Too many pictures are being processed', RETRY_MS);
    this.#count += 1;
    const own = this.#last.then(work);
    this.#last = own.catch(() => undefined); // the next one starts in any case
    try {
      return await own;
    } finally {
      this.#count -= 1;
    }
  }
}
