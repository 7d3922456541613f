/**
 * Records receipts through a group commit (`src/database/group-commit`): those that arrive while a group is being written form the next
 * one, and each group is one transaction (`receipt-group.ts`).
 */
import type { Db, Timestamp } from 'mongodb';
import {
  type Durability,
  GroupCommit,
  type GroupKind,
  type GroupResult,
  outcomeOf,
  SeparateRecords,
} from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { MinuteCount } from '../decisions/minute-count.js';
import { priceOf } from '../zones/zone.js';
import { countReceipts, type EventOutcome, type ReceiptEvent } from './receipt-group.js';

/** A transaction with this many receipts is full: each changes up to seven documents. */
const GROUP_MAX = 500;

export interface AdRecorderOptions {
  readonly db: Db;
  readonly now: () => Date;
  /** The maximum number of waiting receipts. */
  readonly waitingMax: number;
  /** Where the recorded impressions are counted. */
  readonly shown: MinuteCount;
  /** Called with campaigns whose budgets are used up, after the commit. Must not throw. */
  readonly onUsedUp: (campaign: string) => Promise<void>;
  /** The same with campaigns of which too little is left for a bid. */
  readonly onBidUsedUp: (campaign: string) => Promise<void>;
}

export interface RecordedEvents {
  /** Of each event. For FIRE_AND_FORGET, which does not wait for them, all are taken for recorded. */
  readonly outcomes: readonly EventOutcome['state'][];
  /** The latest commit's cluster time. */
  readonly writtenAt: Timestamp | undefined;
}

type Result = GroupResult<ReceiptEvent, EventOutcome>;

export class AdRecorder {
  readonly #groups: GroupCommit<ReceiptEvent, ReceiptEvent, EventOutcome>;
  /** What follows from groups that are written, by campaign. */
  readonly #followUps = new Map<string, Promise<void>>();
  /** Those that began before the latest group was written: its effect is not a part of them. */
  readonly #dueAgain = new Set<string>();

  constructor({ db, now, waitingMax, shown, onUsedUp, onBidUsedUp }: AdRecorderOptions) {
    const onWritten = (entries: readonly ReceiptEvent[], { outcomes }: Result) => {
      for (const entry of entries)
        if (outcomes.get(entry)?.isSeenNow)
          shown.add(entry.receipt.campaign, 'impressions', priceOf(entry.receipt.prices), now());
      for (const entry of entries) {
        const { campaign } = entry.receipt;
        if (outcomes.get(entry)?.isBudgetUsedUp) this.#followUp(`end of ${campaign}`, () => onUsedUp(campaign));
        else if (outcomes.get(entry)?.isBidUsedUp) this.#followUp(campaign, () => onBidUsedUp(campaign));
      }
    };
    this.#groups = new GroupCommit(receiptGroups(db, now), { db, waitingMax, onWritten });
  }

  get health(): { readonly waiting: number; readonly groups: number } {
    return this.#groups.health;
  }

  /**
   * May be repeated: a receipt counts once.
   * @throws BusyError too many receipts are waiting, or the recorder is closed
   * @throws UnavailableError, and errors of the database: some or all of the events may have been recorded
   */
  async record(given: readonly ReceiptEvent[], durability: Durability): Promise<RecordedEvents> {
    const events = given.map((event) => ({ ...event })); // entries are told apart as objects
    const results = await this.#groups.record(events, durability);
    if (durability === 'FIRE_AND_FORGET') return { outcomes: events.map(() => 'RECORDED'), writtenAt: undefined };
    const outcomes = events.map((event, index) => outcomeOf(results[index] as Result, event).state);
    return { outcomes, writtenAt: results.at(-1)?.writtenAt };
  }

  /** Waits until everything is written. */
  async close(): Promise<void> {
    await this.#groups.close();
    await Promise.all(this.#followUps.values());
  }

  /** One at a time for each key, and once more after those that it comes too late for. */
  #followUp(key: string, work: () => Promise<void>): void {
    if (this.#followUps.has(key)) this.#dueAgain.add(key);
    else this.#followUps.set(key, this.#carryOut(key, work));
  }

  async #carryOut(key: string, work: () => Promise<void>): Promise<void> {
    do {
      this.#dueAgain.delete(key);
      await work();
    } while (this.#dueAgain.has(key));
    this.#followUps.delete(key);
  }
}

const receiptGroups = (db: Db, now: () => Date): GroupKind<ReceiptEvent, ReceiptEvent, EventOutcome> => ({
  name: 'ads',
  words: { one: 'receipt', many: 'receipts' },
  itemsMax: GROUP_MAX,
  entriesMax: GROUP_MAX,
  gather: () => new SeparateRecords(),
  write: (events, session) => countReceipts(db, session, events, now()),
  committed: () => failpoint('ads.group.committed'),
});
