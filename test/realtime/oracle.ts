/** The database content at each cluster time, from the driver's own change stream: shares no code with the hub. */
import type { ChangeStream, Db, Document, MongoClient } from 'mongodb';
import type { Counts } from './counters.js';

export interface PastChange {
  /** 16 hexadecimal digits. */
  readonly time: string;
  readonly counts: Counts;
}

export class Oracle {
  readonly #stream: ChangeStream;
  readonly #changes = new Map<string, PastChange[]>();
  readonly #reading: Promise<void>;
  #seen = '';
  #wake: (() => void)[] = [];

  constructor(client: MongoClient, db: Db, collection: string) {
    this.#stream = client.db(db.databaseName).collection(collection).watch([], { maxAwaitTimeMS: 50 });
    // Also for empty batches: a quiet stream reports its position. The event itself is processed before the next turn of the loop.
    this.#stream.on('resumeTokenChanged', (token) => {
      const time = String((token as { _data: string })._data)
        .slice(2, 18)
        .toLowerCase();
      setImmediate(() => this.#advance(time));
    });
    this.#reading = this.#read();
  }

  /** Ends when all changes up to this time have been read. */
  async passed(time: string): Promise<void> {
    while (this.#seen < time) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  changesOf(id: string): readonly PastChange[] {
    return this.#changes.get(id) ?? [];
  }

  /** The counters of a document at a cluster time. */
  stateAt(id: string, time: string): Counts {
    const state: Record<string, number> = {};
    for (const change of this.changesOf(id)) if (change.time <= time) Object.assign(state, change.counts);
    return state;
  }

  async close(): Promise<void> {
    await this.#stream.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      for await (const change of this.#stream as AsyncIterable<Document>) this.#take(change);
    } catch (error) {
      if (!this.#stream.closed) throw error;
    }
  }

  #take(change: Document): void {
    const { t, i } = change.clusterTime;
    const time = t.toString(16).padStart(8, '0') + i.toString(16).padStart(8, '0');
    const id = String(change.documentKey._id);
    const changes = this.#changes.get(id) ?? [];
    changes.push({ time, counts: changedCounts(change) });
    this.#changes.set(id, changes);
  }

  #advance(time: string): void {
    if (time > this.#seen) this.#seen = time;
    for (const wake of this.#wake.splice(0)) wake();
  }
}

function changedCounts(change: Document): Counts {
  if (change.fullDocument) return change.fullDocument.n;
  const counts: Record<string, number> = {};
  for (const [path, value] of Object.entries(change.updateDescription.updatedFields)) {
    if (path === 'n') Object.assign(counts, value);
    else counts[path.slice(2)] = value as number;
  }
  return counts;
}
