/**
 * Serializes writes to the same documents in this process. Groups may be written concurrently. Other work, such as a part of an import,
 * waits for all earlier writes and blocks later ones, so that neither makes the other retry its transaction, and all start in order.
 * Between processes there is no coordination: the loser retries its transaction.
 */
import { performance } from 'node:perf_hooks';
import type { Db, MongoClient } from 'mongodb';

interface Waiting {
  readonly isAlone: boolean;
  readonly begin: () => void;
}

export class WriteTurns {
  readonly #waiting: Waiting[] = [];
  #groups = 0;
  #isTaken = false;
  #lastGroupMs = Number.NEGATIVE_INFINITY;

  /** Milliseconds since a group last asked for a turn. */
  get quietMs(): number {
    return performance.now() - this.#lastGroupMs;
  }

  /** Runs the write of a group in its turn, possibly together with other groups. */
  async share<T>(work: () => Promise<T>): Promise<T> {
    this.#lastGroupMs = performance.now();
    await this.#turn(false);
    try {
      return await work();
    } finally {
      this.#groups -= 1;
      this.#letIn();
    }
  }

  /** Runs `work` in its turn, while nothing else runs. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn(true);
    try {
      return await work();
    } finally {
      this.#isTaken = false;
      this.#letIn();
    }
  }

  #turn(isAlone: boolean): Promise<void> {
    return new Promise<void>((begin) => {
      this.#waiting.push({ isAlone, begin });
      this.#letIn();
    });
  }

  #letIn(): void {
    for (let [next] = this.#waiting; next && this.#isFreeFor(next); [next] = this.#waiting) {
      this.#waiting.shift();
      if (next.isAlone) this.#isTaken = true;
      else this.#groups += 1;
      next.begin();
    }
  }

  #isFreeFor({ isAlone }: Waiting): boolean {
    return !this.#isTaken && (!isAlone || this.#groups === 0);
  }
}

const known = new WeakMap<MongoClient, Map<string, WriteTurns>>();

/** The turns of one kind of records in a database, by its name, because mutations have their own handles on it. */
export function turnsOf(db: Db, kind: string): WriteTurns {
  const byName = known.get(db.client) ?? new Map<string, WriteTurns>();
  known.set(db.client, byName);
  const name = `${db.databaseName}/${kind}`; // a database's name contains no slash
  const turns = byName.get(name) ?? new WriteTurns();
  byName.set(name, turns);
  return turns;
}
