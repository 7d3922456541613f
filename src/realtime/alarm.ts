/** Something that may happen now and then, and is an alarm when it happens again and again. */
import { MINUTE_MS } from '../shared/time.js';

const TIMES = 3;
const WITHIN_MS = 10 * MINUTE_MS;

export class Alarm {
  readonly #sound: (text: string) => void;
  #times: number[] = [];

  constructor(sound: (text: string) => void) {
    this.#sound = sound;
  }

  /** Whether it has happened too often lately. */
  get isOn(): boolean {
    const since = performance.now() - WITHIN_MS;
    return this.#times.filter((at) => at > since).length >= TIMES;
  }

  count(): void {
    this.#times = [...this.#times, performance.now()].slice(-TIMES);
    if (this.isOn)
      this.#sound(
        `The change stream has begun anew ${TIMES} times within ${WITHIN_MS / MINUTE_MS} minutes: is the operation log too short for this load?`,
      );
  }
}
