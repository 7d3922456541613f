/**
 * Runs and undoes imports, each under a lease, so that only one process works on it. Correctness does not depend on the lease
 * (`log-batch.ts` fences every write). It only avoids reading a file twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { endAbandonedTransactions } from '../../../database/connection/abandoned-transactions.js';
import { isInterruption, KeptLease } from '../../../database/index.js';
import { BusyError, UnavailableError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { KeptFields } from '../log/log-fields.js';
import { HitCounting } from './log-batch-hits.js';
import { findUnfinished, LeaseLostError, type LogImportDocument, noteDelay } from './log-import.js';
import {
  putDown,
  type RunOptions,
  readImport,
  requireHeld,
  StoppedError,
  takeUp,
  undoImport,
} from './log-import-run.js';
import type { LogSource } from './log-source.js';

export interface ImporterOptions {
  /** Identifies this process. */
  readonly holder: string;
  readonly keep: KeptFields;
  readonly now: () => Date;
  /** Called when a background import ends with a database error or an internal error. The next recovery continues it. */
  readonly onFault: (error: unknown, importId: string) => void;
  /** Called after each batch. */
  readonly onProgress?: (held: LogImportDocument) => void;
}

const LEASE_MS = 10_000; // how long the work of a dead process waits
const AT_ONCE_MAX = 2; // in the background; each keeps a core of the database busy
const RECOVERED_AT_ONCE_MAX = 100;
/**
 * Attempts without any line stored or undone. They take about 20 seconds if each fails immediately, or up to nine minutes if each waits for
 * a minute because other programs keep writing the same hit counters (GIVE_UP_MS in `log-batch-hits.ts`).
 */
const ATTEMPTS_MAX = 8;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 10_000;
const DELAYED = 'The last step failed';

export class LogImporter {
  readonly #db: Db;
  readonly #options: ImporterOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** Imports to run when one of the running ones has ended. */
  readonly #waiting = new Set<string>();
  /** Imports held by others, to check when their leases may have expired. */
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

  /** Another process is working on it, or has died doing so. */
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

  /** Continues imports left unfinished by other processes. */
  async recover(): Promise<void> {
    for (const { _id } of await findUnfinished(this.#db, RECOVERED_AT_ONCE_MAX)) this.start(_id);
  }

  /** Stops after the batches being stored, and waits for them. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#later.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  /** Ends `run` after the batch being stored. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Works on an import until it has ended.
   * @param source a file read by a command; without one the uploaded files are read
   * @returns the import afterwards; null when there is nothing to do; BUSY when another process is working on it
   */
  async run(id: string, source: LogSource | null = null): Promise<LogImportDocument | 'BUSY' | null> {
    const kept = await KeptLease.take(this.#db, `log-import ${id}`, this.#options.holder, LEASE_MS);
    if (!kept) return 'BUSY';
    failpoint('log.import.lease-taken');
    await endAbandonedTransactions(this.#db.client); // of a previous holder that died: they would block the following writes
    try {
      const taken = await takeUp(this.#db, id, kept, source, this.#options.now());
      failpoint('log.import.taken-up');
      return taken && (await this.#work(taken, source, kept));
    } catch (error) {
      if (error instanceof LeaseLostError) return 'BUSY';
      throw error;
    } finally {
      await kept.release();
      failpoint('log.import.lease-released');
    }
  }

  async #work(taken: LogImportDocument, source: LogSource | null, kept: KeptLease): Promise<LogImportDocument> {
    let latest = taken;
    const between: RunOptions['between'] = (held) => {
      latest = held;
      this.#options.onProgress?.(held);
      kept.requireKept();
      if (this.#stopped) throw new StoppedError('Asked to stop');
    };
    const tellDelay = (reason: string) => noteDelay(this.#db, taken, reason).catch(() => undefined); // informational only
    const hits = new HitCounting(this.#db, {
      between: () => kept.requireKept(),
      onSlow: (reason) => void tellDelay(reason),
    });
    for (let attempt = 1, failedAt: number | null = null; ; attempt += 1) {
      try {
        const from = failedAt === null ? taken : await requireHeld(this.#db, taken);
        return await this.#workOnce(from, source, { hits, between });
      } catch (error) {
        if (error instanceof StoppedError) return putDown(this.#db, latest, source);
        if (latest.lines !== failedAt) attempt = 1; // it has made progress
        if (!isPassing(error) || attempt === ATTEMPTS_MAX || this.#stopped) throw error;
        failedAt = latest.lines;
        await tellDelay(`${DELAYED} (${(error as Error).message}). It will be retried`);
        await pause(Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempt) * (0.5 + Math.random() / 2));
      }
    }
  }

  #workOnce(
    from: LogImportDocument,
    source: LogSource | null,
    { hits, between }: Pick<RunOptions, 'hits' | 'between'>,
  ): Promise<LogImportDocument> {
    const { keep, now } = this.#options;
    const options: RunOptions = { hits, keep, now, between, onOther: (id) => this.start(id) };
    return from.state === 'UNDOING' ? undoImport(this.#db, from, options) : readImport(this.#db, from, source, options);
  }
}

/** A transient error: other writers interfered, or the database was unreachable. */
const isPassing = (error: unknown): boolean =>
  error instanceof BusyError || error instanceof UnavailableError || isInterruption(error);
