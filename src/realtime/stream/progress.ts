/** Up to where everything has been delivered, and who waits for it to advance. */
import type { ClusterTime } from '../../shared/cluster-time.js';

export class Progress {
  #through: ClusterTime;
  #waiting: { readonly time: ClusterTime; readonly resolve: () => void }[] = [];

  constructor(through: ClusterTime) {
    this.#through = through;
  }

  get through(): ClusterTime {
    return this.#through;
  }

  reached(time: ClusterTime): Promise<void> {
    if (time <= this.#through) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ time, resolve }));
  }

  advance(through: ClusterTime): void {
    this.#through = through;
    if (this.#waiting.length === 0) return;
    for (const { time, resolve } of this.#waiting) if (time <= through) resolve();
    this.#waiting = this.#waiting.filter(({ time }) => time > through);
  }
}
