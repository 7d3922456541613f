/**
 * Does background work, each piece under a lease, a few at a time. Every process has such a loop, in a thread of its own, and commands
 * run one. Correctness does not depend on the lease: `work-turn.ts` fences every write. It avoids doing the same work twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { endAbandonedTransactions } from '../../../database/connection/abandoned-transactions.js';
import { isInterruption, KeptLease, LeaseLostError } from '../../../database/index.js';
import { BusyError, SextantError, UnavailableError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import {
  type HeldWork,
  type StepWrites,
  type WorkDocument,
  WorkFailure,
  type WorkKind,
  type WorkStep,
} from '../../work.js';
import { endWork, findWorkToDo, leaseOf, putDown, recordStep, requireHeld, takeUp } from './work-turn.js';

export interface WorkLoopOptions {
  /** Identifies this process. */
  readonly holder: string;
  readonly now: () => Date;
  /** Called when work ends with an internal error, or cannot be looked for. */
  readonly onFault: (error: unknown, workId: string | null) => void;
  /** Called after each step. @param workedMs how long the step took. Default: no rest */
  readonly rest?: (workedMs: number) => Promise<void>;
  /** Called after each step. */
  readonly onStep?: (work: Readonly<WorkDocument>) => void;
  /** How long the work of a dead process waits. Default: 10 seconds. */
  readonly leaseMs?: number;
}

/** The background work of this process. Implemented by `src/jobs/work-runner.ts`. */
export interface WorkService {
  /** Call it when work was stored, so that it starts at once. */
  wake(): void;
}

const LEASE_MS = 10_000;
/** Per process: each keeps a core of the database busy. */
const AT_ONCE_MAX = 2;
/** Attempts without a step in between, in about 20 seconds. */
const ATTEMPTS_MAX = 8;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 10_000;
const INTERNAL = 'An internal error. The details are in the server’s log';

/** The process stops. */
class StoppedError extends Error {
  override name = 'StoppedError';
}

export class WorkLoop {
  readonly #db: Db;
  readonly #kinds: ReadonlyMap<string, WorkKind>;
  readonly #options: WorkLoopOptions;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #stopping = new AbortController();
  #looking: Promise<void> | null = null;
  #lookAgain = false;

  constructor(db: Db, kinds: readonly WorkKind[], options: WorkLoopOptions) {
    this.#db = db;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && this.#looking === null;
  }

  /** Takes up work as long as there is some and room for it. May be called at any time. */
  look(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#fill()
      .catch((error: unknown) => this.#options.onFault(error, null)) // the caller looks again after a while
      .finally(() => {
        this.#looking = null;
        if (!this.#lookAgain) return;
        this.#lookAgain = false;
        this.look();
      });
  }

  /** One after the other: what is taken up counts when the next is chosen. */
  async #fill(): Promise<void> {
    const tried = new Set(this.#running.keys());
    while (this.#running.size < AT_ONCE_MAX && !this.#stopping.signal.aborted) {
      const next = (await findWorkToDo(this.#db, new Set(this.#kinds.keys()))).find(({ _id }) => !tried.has(_id));
      if (!next) return;
      tried.add(next._id);
      const kept = await this.#takeLease(next._id);
      if (kept) this.#begin(next._id, kept);
    }
  }

  #begin(id: string, kept: KeptLease): void {
    const work = this.#runUnder(kept, id).then(
      () => this.#ended(id, true),
      (error: unknown) => {
        this.#options.onFault(error, id);
        this.#ended(id, false); // the caller looks again after a while: the next one may fail for the same reason
      },
    );
    this.#running.set(id, work);
  }

  #ended(id: string, isWell: boolean): void {
    this.#running.delete(id);
    if (isWell) this.look();
  }

  /**
   * Does one piece of work until it has ended, for a command.
   * @returns the work afterwards; null when there is nothing to do; BUSY when another process is doing it
   */
  async run(id: string): Promise<WorkDocument | 'BUSY' | null> {
    const kept = await this.#takeLease(id);
    return kept ? this.#runUnder(kept, id) : 'BUSY';
  }

  /** Ends after the steps that are being recorded, and waits for them. Other processes continue. */
  async close(): Promise<void> {
    this.stop();
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  /** Ends `run` after the step that is being recorded. */
  stop(): void {
    this.#stopping.abort(new StoppedError('The process stops'));
  }

  async #takeLease(id: string): Promise<KeptLease | null> {
    const { holder, leaseMs = LEASE_MS } = this.#options;
    const kept = await KeptLease.take(this.#db, leaseOf(id), holder, leaseMs);
    failpoint('work.lease-taken');
    return kept;
  }

  async #runUnder(kept: KeptLease, id: string): Promise<WorkDocument | 'BUSY' | null> {
    try {
      await endAbandonedTransactions(this.#db.client); // of a holder that died: they would block the following writes
      const taken = await takeUp(this.#db, id, kept.token);
      failpoint('work.taken-up');
      const kind = taken && this.#kinds.get(taken.kind);
      return kind ? await this.#doToEnd(taken, kind, kept) : null;
    } catch (error) {
      if (error instanceof LeaseLostError) return 'BUSY';
      throw error;
    } finally {
      await kept.release();
      failpoint('work.lease-released');
    }
  }

  async #doToEnd(taken: WorkDocument, kind: WorkKind, kept: KeptLease): Promise<WorkDocument> {
    const held = new HeldInLoop(this.#db, taken, kept, this.#stopping.signal, this.#options);
    for (let attempt = 1, steps = taken.steps; ; attempt += 1) {
      try {
        if (taken.state === 'UNDOING') await kind.undo?.(held);
        else await kind.run(held);
        return await endWork(this.#db, held.work, null);
      } catch (error) {
        if (error instanceof LeaseLostError) throw error;
        if (this.#stopping.signal.aborted) return putDown(this.#db, held.work);
        kept.requireKept();
        if (!isPassing(error)) return this.#fail(held.work, error);
        await this.#pause(attempt);
        await held.refresh();
        if (held.work.steps !== steps)
          attempt = 1; // it has made progress
        else if (attempt >= ATTEMPTS_MAX) return this.#fail(held.work, error);
        steps = held.work.steps;
      }
    }
  }

  async #pause(attempt: number): Promise<void> {
    const longest = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempt);
    await pause(longest * (0.5 + Math.random() / 2), undefined, { signal: this.#stopping.signal }).catch(
      () => undefined,
    );
  }

  #fail(work: Readonly<WorkDocument>, error: unknown): Promise<WorkDocument> {
    const isForUser = error instanceof WorkFailure || error instanceof SextantError;
    if (!isForUser) this.#options.onFault(error, work._id);
    return endWork(this.#db, work, isForUser ? error.message : INTERNAL);
  }
}

class HeldInLoop implements HeldWork {
  readonly db: Db;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly #kept: KeptLease;
  readonly #options: WorkLoopOptions;
  #work: WorkDocument;
  #begunMs = performance.now();

  constructor(db: Db, work: WorkDocument, kept: KeptLease, stopping: AbortSignal, options: WorkLoopOptions) {
    this.db = db;
    this.now = options.now;
    this.signal = AbortSignal.any([kept.lost, stopping]);
    this.#work = work;
    this.#kept = kept;
    this.#options = options;
  }

  get work(): Readonly<WorkDocument> {
    return this.#work;
  }

  async step(step: WorkStep | StepWrites): Promise<void> {
    this.#kept.requireKept();
    this.signal.throwIfAborted();
    this.#work = await recordStep(this.db, this.#work, step);
    failpoint('work.stepped');
    this.#options.onStep?.(this.#work);
    await this.#options.rest?.(performance.now() - this.#begunMs);
    this.#begunMs = performance.now();
    this.#kept.requireKept();
    this.signal.throwIfAborted();
  }

  /** After an error it is unknown what was recorded. @throws LeaseLostError */
  async refresh(): Promise<void> {
    this.#kept.requireKept();
    this.#work = await requireHeld(this.db, this.#work);
  }
}

/** A transient error: other writers interfered, or the database was unreachable. */
const isPassing = (error: unknown): boolean =>
  error instanceof BusyError || error instanceof UnavailableError || isInterruption(error);
