/**
 * Turns at the counters of hits, in this process. The groups of live hits may be written side by side; a part of an import waits for
 * those before it and holds back those after it, so that neither loses its transaction to the other, and each comes in its order. Between
 * processes nothing is arranged: there the one that loses repeats its transaction.
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

  /** For how many milliseconds no live hit has asked for a turn. */
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

/** Those of a database: mutations have a handle of their own on it, so it goes by its name. */
export function turnsOf(db: Db): HitTurns {
  const byName = known.get(db.client) ?? new Map<string, HitTurns>();
  known.set(db.client, byName);
  const turns = byName.get(db.databaseName) ?? new HitTurns();
  byName.set(db.databaseName, turns);
  return turns;
}
