/**
 * Brings the copies of changed rooms up to date, in the process that has changed them. While a round runs, further changes of the room
 * wait for the next one, and between two rounds is a pause of nine times a round: so a crowded room never takes more than a tenth of the
 * time. Who is followed live does not wait for it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { copyRoom, forgetOldest } from './room-copy.js';

/** Rounds without a new change, when somebody is on the way into the room. Repair does what is left. */
const IDLE_ROUNDS_MAX = 5;
/** The pause after a round, as a share of its duration. */
const REST_SHARE = 9;
/** Changes after which the oldest happenings are removed, without waiting for the next round: a document that only grows slows down every act. */
const CHANGES_PER_CLEARING = 25;

export class RoomCopier {
  readonly #db: Db;
  readonly #onFault: (error: unknown) => void;
  /** The rooms that are being copied, and how often they have changed since the round began. */
  readonly #due = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(db: Db, onFault: (error: unknown) => void) {
    this.#db = db;
    this.#onFault = onFault;
  }

  /** Call it when a room has changed. */
  readonly changed = (id: string): void => {
    if (this.#closing.signal.aborted) return;
    const changes = this.#due.get(id);
    this.#due.set(id, (changes ?? 0) + 1);
    if (changes === undefined) this.#run(this.#copy(id).finally(() => this.#due.delete(id)));
    else if (changes % CHANGES_PER_CLEARING === CHANGES_PER_CLEARING - 1) this.#run(forgetOldest(this.#db, id));
  };

  #run(work: Promise<unknown>): void {
    const running: Promise<void> = work
      .then(() => undefined, this.#onFault)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

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
      this.#due.set(id, 0);
      const begun = performance.now();
      const isDone = await copyRoom(this.#db, id);
      const isDue = this.#due.get(id) !== 0;
      if (this.#closing.signal.aborted || (isDone && !isDue)) return;
      idle = isDue ? 0 : idle + 1;
      await pause(REST_SHARE * (performance.now() - begun), undefined, { signal: this.#closing.signal }).catch(
        () => undefined,
      );
    }
  }
}
