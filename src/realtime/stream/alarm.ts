/** Counts something that is normal once in a while, and raises an alarm when it happens repeatedly. */
import { MINUTE_MS } from '../../shared/time.js';

const TIMES = 3;
const WITHIN_MS = 10 * MINUTE_MS;

export class Alarm {
  readonly #sound: (text: string) => void;
  #times: number[] = [];

  constructor(sound: (text: string) => void) {
    this.#sound = sound;
  }

  /** Whether it has happened too often recently. */
  get isOn(): boolean {
    const since = performance.now() - WITHIN_MS;
    return this.#times.filter((at) => at > since).length >= TIMES;
  }

  count(): void {
    this.#times = [...this.#times, performance.now()].slice(-TIMES);
    if (this.isOn)
      this.#sound(
        `The change stream has restarted ${TIMES} times within ${WITHIN_MS / MINUTE_MS} minutes. The oplog may be too small for this load`,
      );
  }
}
