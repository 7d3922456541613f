/** The cluster's latest time. A cursor beyond it is from another history, and the events it waits for may never occur. */
import type { Db, Document } from 'mongodb';
import { isInterruption, pauseBeforeAttempt } from '../../database/index.js';
import { type ClusterTime, formatClusterTime } from '../../shared/cluster-time.js';

const ATTEMPTS_MAX = 10;

export class ClusterClock {
  readonly #db: Db;
  #latest: ClusterTime = '';
  #asking: Promise<void> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Whether the cluster has reached a time. */
  async hasReached(time: ClusterTime): Promise<boolean> {
    // The first reply may have been sent before the cursor was issued.
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

  /** Waits out a failover. */
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
