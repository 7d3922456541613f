/**
 * Brings the copies of changed rooms up to date, in the process that has changed them. While a round runs, further changes of the room
 * wait for the next one, and between two rounds is a pause as long as a round: so a crowded room never takes more than half of the time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { copyRoom } from './room-copy.js';

/** Rounds without a new change, when somebody is on the way into the room. Repair does what is left. */
const IDLE_ROUNDS_MAX = 5;

export class RoomCopier {
  readonly #db: Db;
  readonly #onFault: (error: unknown) => void;
  /** The rooms that are being copied, and whether they have changed since the round began. */
  readonly #due = new Map<string, boolean>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(db: Db, onFault: (error: unknown) => void) {
    this.#db = db;
    this.#onFault = onFault;
  }

  /** Call it when a room has changed. */
  readonly changed = (id: string): void => {
    if (this.#closing.signal.aborted) return;
    const isRunning = this.#due.has(id);
    this.#due.set(id, true);
    if (isRunning) return;
    const running: Promise<void> = this.#copy(id)
      .catch(this.#onFault)
      .finally(() => {
        this.#due.delete(id);
        this.#running.delete(running);
      });
    this.#running.add(running);
  };

  /** @returns when all copies of the rooms that have changed so far are up to date, or left to repair */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settle();
  }

  async #copy(id: string): Promise<void> {
    for (let idle = 0; idle < IDLE_ROUNDS_MAX; ) {
      this.#due.set(id, false);
      const begun = performance.now();
      const isDone = await copyRoom(this.#db, id);
      const isDue = this.#due.get(id);
      if (this.#closing.signal.aborted || (isDone && !isDue)) return;
      idle = isDue ? 0 : idle + 1;
      await pause(performance.now() - begun, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}
