/** Runs checks and recoveries on demand, in separate threads. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Db } from 'mongodb';
import type { Connection } from '../database/connection/client.js';
import type { Violation } from '../models/domain.js';
import {
  beginMaintenance,
  failMaintenance,
  findMaintenance,
  type MaintenanceDocument,
  type MaintenanceKind,
  type MaintenanceService,
} from '../models/system/maintenance.js';
import { builtProgram } from '../shared/built-program.js';

/** What `src/process/maintenance-thread.ts` is started with. */
export interface MaintenanceThreadData {
  readonly uri: string;
  readonly database: string;
  /** The settings of the process. */
  readonly settings: object;
  readonly kind: MaintenanceKind;
  /** Null: no progress is recorded, and the result is sent to the process. */
  readonly run: string | null;
}

const MEGABYTES_MAX = 512;
const nothing = async (): Promise<void> => undefined;

export class MaintenanceRunner implements MaintenanceService {
  readonly #threads = new Set<Worker>();
  /** The running check, shared by all callers that wait for it. */
  #checking: Promise<readonly Violation[]> | null = null;
  readonly #ended = new Set<Promise<void>>();

  constructor(
    private readonly connection: Pick<Connection, 'uri' | 'db'>,
    private readonly settings: object,
  ) {}

  async start(db: Db, kind: MaintenanceKind, begun: () => Promise<void> = nothing): Promise<MaintenanceDocument> {
    const run = randomUUID();
    const document = await beginMaintenance(db, kind, run);
    if (!document) return findMaintenance(db, kind);
    try {
      await begun();
    } catch (error) {
      await failMaintenance(db, kind, run, 'It could not start');
      throw error;
    }
    const thread = this.#open(kind, run);
    const ended = ending(thread)
      .catch((error: Error) => failMaintenance(this.connection.db, kind, run, error.message))
      .catch(() => undefined) // the database is unreachable: the run is reported as abandoned later
      .finally(() => this.#ended.delete(ended));
    this.#ended.add(ended);
    return document;
  }

  /** Checks the invariants, and waits. Concurrent callers get the same result. */
  check(): Promise<readonly Violation[]> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #check(): Promise<readonly Violation[]> {
    const thread = this.#open('CHECK', null);
    const unfinished = ending(thread).then(() => Promise.reject(new Error('The check ended without a result')));
    const [violations] = (await Promise.race([once(thread, 'message'), unfinished])) as [readonly Violation[]];
    return violations;
  }

  #open(kind: MaintenanceKind, run: string | null): Worker {
    const data: MaintenanceThreadData = {
      uri: this.connection.uri,
      database: this.connection.db.databaseName,
      settings: this.settings,
      kind,
      run,
    };
    const thread = new Worker(builtProgram('process/maintenance-thread'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX },
    });
    this.#threads.add(thread);
    thread.once('exit', () => this.#threads.delete(thread));
    return thread;
  }

  /** Terminates running threads. A recovery may be interrupted at any step. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
    await Promise.all(this.#ended);
  }
}

/** @throws Error the thread failed, or was terminated */
async function ending(thread: Worker): Promise<void> {
  const [code] = await once(thread, 'exit');
  if (code !== 0) throw new Error('The server was stopped');
}
