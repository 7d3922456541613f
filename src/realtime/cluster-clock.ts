/** The latest time that the cluster knows of: a cursor beyond it was given by another history, and what it waits for may never come. */
import type { Db, Document } from 'mongodb';
import { isInterruption, pauseBeforeAttempt } from '../database/index.js';
import { type ClusterTime, formatClusterTime } from '../shared/cluster-time.js';

const ATTEMPTS_MAX = 10;

export class ClusterClock {
  readonly #db: Db;
  #latest: ClusterTime = '';
  #asking: Promise<void> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Whether the cluster has come to a time. */
  async hasReached(time: ClusterTime): Promise<boolean> {
    // The first answer may be on its way since before the time was given.
    for (let asked = 0; asked < 2 && time > this.#latest; asked += 1) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null;
      });
      await this.#asking;
    }
    return time <= this.#latest;
  }

  async #ask(): Promise<void> {
    const reply = await this.#ping();
    const time = reply.$clusterTime?.clusterTime;
    if (time) this.#latest = [this.#latest, formatClusterTime(time)].sort().at(-1) ?? '';
  }

  /** A fail-over is waited for. */
  async #ping(): Promise<Document> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#db.command({ ping: 1 });
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isInterruption(error)) throw error;
        await pauseBeforeAttempt(attempt + 1);
      }
    }
  }
}
