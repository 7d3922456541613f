/** Records receipts: each group in one transaction. A caller is answered when its receipts are as durable as requested. */
import type { Db, Timestamp } from 'mongodb';
import { commitConcernOf, type Durability, inTransaction } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { countReceipts, type EventOutcome, type ReceiptEvent } from './receipt-group.js';

export interface AdRecorderOptions {
  readonly db: Db;
  readonly now: () => Date;
  /** Called with campaigns whose budgets are used up, after the commit. Must not throw. */
  readonly onUsedUp: (campaign: string) => Promise<void>;
}

export interface RecordedEvents {
  readonly outcomes: readonly EventOutcome[];
  /** The commit's cluster time. */
  readonly writtenAt: Timestamp | undefined;
}

export class AdRecorder {
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(private readonly options: AdRecorderOptions) {}

  /** May be repeated: a receipt counts once. @throws BusyError @throws UnavailableError: repeat it */
  async record(events: readonly ReceiptEvent[], durability: Durability): Promise<RecordedEvents> {
    if (this.#closed) throw new BusyError('The server is shutting down');
    const written = this.#write(events, durability);
    const settled = written.catch(() => undefined).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return written;
  }

  /** Waits until everything is written. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #write(events: readonly ReceiptEvent[], durability: Durability): Promise<RecordedEvents> {
    const { db, now, onUsedUp } = this.options;
    const { value, writtenAt } = await inTransaction(
      db,
      commitConcernOf[durability],
      (session) => countReceipts(db, session, events, now()),
      { retryDuplicateKeys: true },
    );
    failpoint('ads.group.committed');
    for (const campaign of value.ended) {
      const closing = onUsedUp(campaign).finally(() => this.#running.delete(closing));
      this.#running.add(closing);
    }
    return { outcomes: value.outcomes, writtenAt };
  }
}
