/** Detects changes of the database. */
import type { Db } from 'mongodb';

type Hashes = Readonly<Record<string, string>>;

/** A hash of each collection's documents, computed by the database server. */
async function hashes(db: Db): Promise<Hashes> {
  const { collections } = await db.command({ dbHash: 1 });
  return collections;
}

const differences = (before: Hashes, after: Hashes): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);

/** @returns the names of the collections whose documents `work` has changed */
export async function changesOf(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const before = await hashes(db);
  await work();
  return differences(before, await hashes(db));
}

/** For many calls in a row, most of which change nothing. */
export class ChangeWatch {
  #last: Hashes | null = null;

  constructor(private readonly db: Db) {}

  /** Call before each call that may change something: takes a baseline, unless there is one. */
  async begin(): Promise<void> {
    this.#last ??= await hashes(this.db);
  }

  /** Call after a permitted change: the next `begin` takes a new baseline. */
  forget(): void {
    this.#last = null;
  }

  /** @returns the names of the collections whose documents have changed since the baseline, which is replaced */
  async changes(): Promise<string[]> {
    const before = this.#last ?? {};
    this.#last = await hashes(this.db);
    return differences(before, this.#last);
  }
}
