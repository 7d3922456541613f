/** Detects changes of the database. */
import type { Db, Timestamp } from 'mongodb';

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

/** Documents as of a time: `written` is the last time at which the oplog was asked. */
interface Baseline {
  readonly hashes: Hashes;
  readonly written: Timestamp;
}

/**
 * For many calls in a row, most of which change nothing. Hashing takes most of the time of such a test, so that the oplog is asked
 * first: a database without an entry since the baseline has not changed.
 */
export class ChangeWatch {
  #baseline: Baseline | null = null;

  constructor(private readonly db: Db) {}

  /** Call before each call that may change something: takes a baseline, unless there is one that holds. */
  async begin(): Promise<void> {
    if (this.#baseline === null || (await this.#isWrittenSince(this.#baseline))) this.#baseline = await this.#take();
  }

  /** @returns the names of the collections whose documents have changed since `begin` */
  async changes(): Promise<string[]> {
    const before = this.#baseline;
    if (before === null || !(await this.#isWrittenSince(before))) return [];
    this.#baseline = await this.#take();
    return differences(before.hashes, this.#baseline.hashes);
  }

  async #take(): Promise<Baseline> {
    const { operationTime } = await this.db.command({ ping: 1 });
    return { hashes: await hashes(this.db), written: operationTime };
  }

  async #isWrittenSince({ written }: Baseline): Promise<boolean> {
    const own = new RegExp(`^${this.db.databaseName}\\.`);
    const oplog = this.db.client.db('local').collection('oplog.rs');
    const entry = await oplog.findOne({ ts: { $gt: written }, $or: [{ ns: own }, { 'o.applyOps.ns': own }] });
    return entry !== null;
  }
}
