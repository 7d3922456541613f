/**
 * Serializes writes to the hit counters in this process. Groups of live hits may be written concurrently. A part of an import waits for
 * all earlier writes and blocks later ones, so that neither makes the other retry its transaction, and all start in order. Between
 * processes there is no coordination: the loser retries its transaction.
 */
import { performance } from 'node:perf_hooks';
import type { Db, MongoClient } from 'mongodb';

type Kind = 'GROUP' | 'PART';

interface Waiting {
  readonly kind: Kind;
  readonly begin: () => void;
}

export class HitTurns {
  readonly #waiting: Waiting[] = [];
  #groups = 0;
  #part = false;
  #lastGroupMs = Number.NEGATIVE_INFINITY;

  /** Milliseconds since a live hit last asked for a turn. */
  get quietMs(): number {
    return performance.now() - this.#lastGroupMs;
  }

  /** Runs `work` in its turn. */
  async take<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    if (kind === 'GROUP') this.#lastGroupMs = performance.now();
    await new Promise<void>((begin) => {
      this.#waiting.push({ kind, begin });
      this.#letIn();
    });
    try {
      return await work();
    } finally {
      if (kind === 'PART') this.#part = false;
      else this.#groups -= 1;
      this.#letIn();
    }
  }

  #letIn(): void {
    for (let [next] = this.#waiting; next && this.#isFreeFor(next.kind); [next] = this.#waiting) {
      this.#waiting.shift();
      if (next.kind === 'PART') this.#part = true;
      else this.#groups += 1;
      next.begin();
    }
  }

  #isFreeFor(kind: Kind): boolean {
    return !this.#part && (kind === 'GROUP' || this.#groups === 0);
  }
}

const known = new WeakMap<MongoClient, Map<string, HitTurns>>();

/** The turns of a database, by its name, because mutations have their own handles on it. */
export function turnsOf(db: Db): HitTurns {
  const byName = known.get(db.client) ?? new Map<string, HitTurns>();
  known.set(db.client, byName);
  const turns = byName.get(db.databaseName) ?? new HitTurns();
  byName.set(db.databaseName, turns);
  return turns;
}
