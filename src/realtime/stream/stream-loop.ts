/**
 * Keeps a change stream running: resumes it after a failover, and starts over when its position is lost. The token is dropped only
 * here; a loop that kept a dead token would retry it forever.
 */
import type { Db, ResumeToken } from 'mongodb';
import type { ClusterTime } from '../../shared/cluster-time.js';
import { type Batch, ChangeStream, isHistoryLost } from './change-stream.js';

export interface StreamLoopOptions {
  readonly db: Db;
  readonly collections: readonly string[];
  /** The stream has started at "now": everything after `openedAt` will follow, earlier events are unknown. */
  readonly onBegin: (openedAt: ClusterTime) => void;
  readonly onBatch: (batch: Batch) => void;
  readonly onTrouble: (trouble: string, error: unknown) => void;
}

/** How long the server delays an empty batch. Events still arrive immediately; a client resuming on a quiet database waits for it. */
const READ_WAIT_MS = 200;
/** Batches this close together mean a busy stream. */
const BUSY_MS = 4;
const GATHER_MS = 8;
const BACKOFF_MIN_MS = 20;
const BACKOFF_MAX_MS = 5000;

export class StreamLoop {
  readonly #options: StreamLoopOptions;
  /** Where to resume; null: start at "now". */
  #token: ResumeToken | null = null;
  #stream: ChangeStream | null = null;
  #stopping = false;
  #lastBatchAt = Number.NEGATIVE_INFINITY;
  /** When the server last reported that there was nothing more. */
  #currentAt = performance.now();
  /** How far the last event was behind when it arrived. */
  #behindMs = 0;
  #wake: (() => void) | null = null;
  readonly #ended: Promise<void>;

  constructor(options: StreamLoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Time since the stream was last known to be current, minus the time for which the server delays an empty batch. */
  get lagMs(): number {
    return Math.round(Math.max(this.#behindMs, performance.now() - this.#currentAt - READ_WAIT_MS));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.#stream?.close();
    await this.#ended;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopping; failures += 1) {
      try {
        await this.#follow(() => {
          failures = 0;
        });
      } catch (error) {
        if (this.#stopping) return;
        const lost = isHistoryLost(error);
        if (lost) this.#token = null;
        this.#options.onTrouble(
          lost ? 'The change stream lost its position' : 'The change stream was interrupted',
          error,
        );
      } finally {
        await this.#stream?.close();
        this.#stream = null;
      }
      await this.#pause(Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** failures) * (0.5 + Math.random() / 2));
    }
  }

  async #follow(onSuccess: () => void): Promise<void> {
    const { db, collections, onBegin, onBatch } = this.#options;
    const start = this.#token === null ? 'now' : { after: this.#token };
    this.#stream = await ChangeStream.open(db, collections, start);
    if (start === 'now') {
      this.#currentAt = performance.now(); // earlier events are given up
      onBegin(this.#stream.openedAt);
    }
    while (!this.#stopping) {
      const batch = await this.#stream.read(READ_WAIT_MS);
      if (this.#stopping) return;
      onSuccess();
      this.#measure(batch);
      // Stored before the batch is delivered: `onBatch` must not see an event twice, and never throws.
      this.#token = batch.token;
      onBatch(batch);
      if (batch.events.length > 0) await this.#gather();
    }
  }

  /** Compares two clocks, so the lag is capped by this process's own measure: the event occurred after the stream was last current. */
  #measure({ cut, lagMs }: Batch): void {
    const now = performance.now();
    this.#behindMs = Math.min(lagMs, now - this.#currentAt);
    if (!cut) this.#currentAt = now;
  }

  /** Lets the next batch fill up while the stream is busy: reading a batch costs as much as delivering dozens of events. */
  async #gather(): Promise<void> {
    const now = performance.now();
    const busy = now - this.#lastBatchAt < BUSY_MS;
    this.#lastBatchAt = now;
    if (busy) await this.#pause(GATHER_MS);
  }

  #pause(ms: number): Promise<void> {
    if (this.#stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
