/**
 * Runs imports and undoes them, each under a lease, so that of all processes one works on it. What is written needs no lease to
 * be right (`log-batch.ts` fences every write); the lease spares others the reading.
 */
import type { Db } from 'mongodb';
import { endAbandonedTransactions } from '../../database/abandoned-transactions.js';
import { type Lease, releaseLease, renewLease, takeLease } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import type { KeptFields } from './log-fields.js';
import { findUnfinished, LeaseLostError, type LogImportDocument } from './log-import.js';
import { putDown, type RunOptions, readImport, StoppedError, takeUp, undoImport } from './log-import-run.js';
import type { LogSource } from './log-source.js';

export interface ImporterOptions {
  /** Names this process. */
  readonly holder: string;
  readonly keep: KeptFields;
  readonly now: () => Date;
  /** An import in the background that ended with an error of the database or of ours. It goes on at the next recovery. */
  readonly onFault: (error: unknown, importId: string) => void;
  /** After each batch. */
  readonly onProgress?: (held: LogImportDocument) => void;
}

const LEASE_MS = 10_000; // how long the work of a process that died rests
const RENEW_MS = 3_000;
const AT_ONCE_MAX = 2; // in the background; each keeps a core of the database busy
const RECOVERED_AT_ONCE_MAX = 100;

export class LogImporter {
  readonly #db: Db;
  readonly #options: ImporterOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** Imports to work on when one of the running ones has ended. */
  readonly #waiting = new Set<string>();
  /** Imports that others hold, to be looked at when their leases may have run out. */
  readonly #later = new Map<string, NodeJS.Timeout>();
  #stopped = false;

  constructor(db: Db, options: ImporterOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Works on an import in the background: reads it, or undoes it. May be called at any time, for any import. */
  start(id: string): void {
    if (this.#stopped) return;
    if (this.#running.has(id) || this.#running.size >= AT_ONCE_MAX) {
      this.#waiting.add(id);
      return;
    }
    clearTimeout(this.#later.get(id));
    const work = this.run(id).then(
      (outcome) => outcome === 'BUSY' && this.#startLater(id),
      (error: unknown) => this.#options.onFault(error, id),
    );
    this.#running.set(
      id,
      work.then(() => this.#ended(id)),
    );
  }

  /** Somebody else works on it, or has died while doing so. */
  #startLater(id: string): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#later.delete(id);
      this.start(id);
    }, LEASE_MS).unref();
    this.#later.set(id, timer);
  }

  #ended(id: string): void {
    this.#running.delete(id);
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.start(next);
  }

  /** Starts what other processes have left behind. */
  async recover(): Promise<void> {
    for (const { _id } of await findUnfinished(this.#db, RECOVERED_AT_ONCE_MAX)) this.start(_id);
  }

  /** Stops after the batches that are being stored, and waits for them. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#later.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  /** Lets `run` end after the batch that is being stored. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Works on an import until it has ended.
   * @param source what a command reads by itself; without one the uploaded files are read
   * @returns the import as it then is; null when there is nothing to do; BUSY when another process works on it
   */
  async run(id: string, source: LogSource | null = null): Promise<LogImportDocument | 'BUSY' | null> {
    const lease = await takeLease(this.#db, `log-import ${id}`, this.#options.holder, LEASE_MS);
    if (!lease) return 'BUSY';
    failpoint('log.import.lease-taken');
    await endAbandonedTransactions(this.#db.client); // of the holder before, if it died: they would hold up what follows
    const keeper = new LeaseKeeper(this.#db, lease);
    try {
      const taken = await takeUp(this.#db, id, lease, source, this.#options.now());
      failpoint('log.import.taken-up');
      return taken && (await this.#work(taken, source, keeper));
    } catch (error) {
      if (error instanceof LeaseLostError) return 'BUSY';
      throw error;
    } finally {
      await keeper.release();
    }
  }

  async #work(taken: LogImportDocument, source: LogSource | null, keeper: LeaseKeeper): Promise<LogImportDocument> {
    const { keep, now, onProgress } = this.#options;
    let latest = taken;
    const between: RunOptions['between'] = (held) => {
      latest = held;
      onProgress?.(held);
      keeper.requireKept();
      if (this.#stopped) throw new StoppedError('Asked to stop');
    };
    try {
      const options: RunOptions = { keep, now, between, onOther: (id) => this.start(id) };
      return taken.state === 'UNDOING'
        ? await undoImport(this.#db, taken, options)
        : await readImport(this.#db, taken, source, options);
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      return putDown(this.#db, latest, source);
    }
  }
}

/** Prolongs a lease while the work goes on. */
class LeaseKeeper {
  readonly #db: Db;
  readonly #lease: Lease;
  readonly #timer: NodeJS.Timeout;
  #lost = false;

  constructor(db: Db, lease: Lease) {
    this.#db = db;
    this.#lease = lease;
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS).unref();
  }

  async #renew(): Promise<void> {
    // An attempt that fails is repeated at the next turn; until the lease has run out nobody else can have it.
    this.#lost = await renewLease(this.#db, this.#lease, LEASE_MS).then(
      (kept) => !kept,
      () => this.#lost,
    );
  }

  /** @throws LeaseLostError */
  requireKept(): void {
    if (this.#lost) throw new LeaseLostError(`The lease ${this.#lease.name} was lost`);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await releaseLease(this.#db, this.#lease);
    failpoint('log.import.lease-released');
  }
}
