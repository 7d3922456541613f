/**
 * Has background work done in a thread of this process (`src/process/work-thread.ts`), so that requests are not disturbed. The thread
 * exists while there is work. What it leaves when it dies is taken up by a new thread, of this process or of another.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Connection } from '../database/connection/client.js';
import type { WorkService } from '../models/system/work/work-loop.js';
import { findWorkToDo } from '../models/system/work/work-turn.js';
import type { WorkKind } from '../models/work.js';
import { builtProgram } from '../shared/built-program.js';

/** What the thread is started with. */
export interface WorkThreadData {
  readonly uri: string;
  readonly database: string;
  /** The settings of the process. */
  readonly settings: object;
}

/** Messages to the thread. */
export type WorkOrder = 'look' | 'stop';

/** A message from the thread: something failed that only the log of the process can tell. */
export interface WorkFault {
  readonly workId: string | null;
  readonly error: Error;
}

export interface WorkRunnerOptions {
  readonly settings: object;
  readonly kinds: readonly Pick<WorkKind, 'name'>[];
  readonly onFault: (fault: string, error: unknown, subject?: Readonly<Record<string, string>>) => void;
}

/** Usually the process that accepted work starts it. This is for work that another process left. */
const POLL_MS = 5_000;
const MEGABYTES_MAX = 512;
const STOP_MS = 5_000;

export class WorkRunner implements WorkService {
  readonly #connection: Pick<Connection, 'uri' | 'db'>;
  readonly #options: WorkRunnerOptions;
  readonly #kinds: ReadonlySet<string>;
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(connection: Pick<Connection, 'uri' | 'db'>, options: WorkRunnerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#kinds = new Set(options.kinds.map(({ name }) => name));
  }

  /** Looks for work now and then, also for what others left. */
  start(): void {
    const look = () => {
      this.#looking = this.#look().catch((error: unknown) =>
        this.#options.onFault('Could not look for background work', error),
      );
    };
    this.#timer = setInterval(look, POLL_MS).unref();
    look();
  }

  wake(): void {
    if (this.#closed) return;
    this.#thread ??= this.#open();
    this.#thread.postMessage('look' satisfies WorkOrder);
  }

  /** Lets the thread end its current steps, and terminates it if that takes too long. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
    const thread = this.#thread;
    if (!thread) return;
    const ended = once(thread, 'exit');
    thread.postMessage('stop' satisfies WorkOrder);
    const timer = setTimeout(() => void thread.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  async #look(): Promise<void> {
    if (this.#thread || this.#kinds.size === 0) return; // the thread looks by itself
    if ((await findWorkToDo(this.#connection.db, this.#kinds)).length > 0) this.wake();
  }

  #open(): Worker {
    const { settings, onFault } = this.#options;
    const { uri, db } = this.#connection;
    const data: WorkThreadData = { uri, database: db.databaseName, settings };
    const thread = new Worker(builtProgram('process/work-thread'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX },
    });
    thread.on('message', ({ workId, error }: WorkFault) =>
      onFault('Background work has failed', error, workId === null ? {} : { work: workId }),
    );
    thread.on('error', (error) => onFault('The thread of background work has ended; it resumes shortly', error));
    thread.once('exit', () => {
      this.#thread = null; // if there is work left, the next look starts another one
    });
    return thread;
  }
}
