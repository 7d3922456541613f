/**
 * Starts jobs when they are due, by the database's clock (`models/system/job.ts`). Each run of a job is executed by one process,
 * under a lease that it keeps renewing. When that process dies, another starts the run again once the lease has expired.
 * Every process checks every few seconds, by its monotonic clock, what is due. Processes send each other no messages.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { withLease } from '../database/index.js';
import type { Job } from '../models/domain.js';
import { beginJob, endJob, findDueJobs, planJobs } from '../models/system/job.js';
import { failpoint } from '../shared/failpoint.js';

const POLL_MS = 5_000;
/** How long the run of a dead process pauses. */
const LEASE_MS = 10_000;

export class Schedule {
  readonly #db: Db;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #onTrouble: (trouble: string, error: unknown) => void;
  readonly #holder = randomUUID();
  /** The running jobs of this process, by name. */
  readonly #running = new Map<string, Promise<void>>();
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(db: Db, jobs: readonly Job[], onTrouble: (trouble: string, error: unknown) => void) {
    this.#db = db;
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#onTrouble = onTrouble;
  }

  /** Plans the jobs, and starts those that are due. */
  static async start(
    db: Db,
    jobs: readonly Job[],
    onTrouble: (trouble: string, error: unknown) => void,
  ): Promise<Schedule> {
    const schedule = new Schedule(db, jobs, onTrouble);
    await planJobs(db, jobs);
    schedule.#look();
    schedule.#timer = setInterval(() => schedule.#look(), POLL_MS);
    return schedule;
  }

  /** Starts no more jobs, and waits for running ones. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => {
      try {
        const names = [...this.#jobs.keys()].filter((name) => !this.#running.has(name));
        for (const name of await findDueJobs(this.#db, names)) this.#begin(name);
      } catch (error) {
        this.#onTrouble('Could not find out which jobs are due', error);
      }
    });
  }

  #begin(name: string): void {
    const job = this.#jobs.get(name);
    if (!job) return;
    const turn = this.#takeTurn(job)
      .catch((error: unknown) => this.#onTrouble(`The job "${name}" ended with an error`, error))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, turn);
  }

  async #takeTurn({ name, run }: Job): Promise<void> {
    await withLease(this.#db, { name: `job: ${name}`, holder: this.#holder, leaseMs: LEASE_MS }, async () => {
      if (!(await beginJob(this.#db, name))) return;
      failpoint('jobs.begun');
      const error = await run().then(
        () => null,
        (thrown: unknown) => thrown ?? new Error('It failed without a reason'),
      );
      failpoint('jobs.run');
      await endJob(this.#db, name, error === null ? null : String((error as Error).message ?? error));
      if (error !== null) this.#onTrouble(`The job "${name}" has failed`, error);
    });
  }
}
