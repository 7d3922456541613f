/**
 * Writes a group of hits in one transaction, or in several if that fails: a smaller one succeeds sooner against another process that
 * writes the same counters, and a document that the database rejects affects only its own hits.
 */
import type { ClientSession, Db, Timestamp } from 'mongodb';
import { MongoServerError } from 'mongodb';
import {
  asUnavailable,
  commitConcernOf,
  type Durability,
  inTransaction,
  isSharded,
  updateInTransaction,
} from '../../../database/index.js';
import { BusyError, UnavailableError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type DayTally, dailyHits, monthlyHits } from './hit.js';
import { statementsOfDays } from './hit-statements.js';
import { turnsOf } from './hit-turns.js';

/** The result of writing a group. */
export interface GroupOutcome {
  readonly writtenAt: Timestamp | undefined;
  /** Errors by the `_id` of the daily document that could not be written. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/** Hits have no idempotency key, so the difference matters: retrying a hit whose outcome is unknown may count it twice. */
export const hitNotRecorded = () =>
  new UnavailableError('The database did not respond, and the hit was not recorded', { outcome: 'NOT_RECORDED' });
export const hitOutcomeUnknown = () =>
  new UnavailableError('The database did not respond, and it is unknown whether the hit was recorded', {
    outcome: 'UNKNOWN',
  });

export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof UnavailableError && error.details.outcome === 'UNKNOWN';

/** Transactions spent on finding the rejected documents of a group: 2 log2(800) for each of two documents. */
const SPLITS_MAX = 40;
/** A transaction with at least this many daily documents is split on conflicts. */
const BUSY_DAYS_MIN = 8;
const BUSY_ATTEMPTS = 3;

export class HitGroupWriter {
  /** Daily documents per transaction: halved when it loses to another process, doubled when it succeeds. */
  #daysMax: number;
  readonly #db: Db;
  readonly #daysLimit: number;

  /** @param daysLimit maximum number of daily documents in a group */
  constructor(db: Db, daysLimit: number) {
    this.#db = db;
    this.#daysLimit = daysLimit;
    this.#daysMax = daysLimit;
  }

  write(days: readonly DayTally[], durability: Durability): Promise<GroupOutcome> {
    return this.#writeDays(days, durability, { left: SPLITS_MAX });
  }

  /** Writes a group. If the database rejects it, writes each half separately, so that one bad document affects only its own hits. */
  async #writeDays(days: readonly DayTally[], durability: Durability, splits: { left: number }): Promise<GroupOutcome> {
    if (days.length > this.#daysMax) return this.#writeHalves(days, durability, splits);
    const isSplit = days.length > BUSY_DAYS_MIN;
    try {
      const writtenAt = await this.#commit(days, durability, isSplit ? BUSY_ATTEMPTS : undefined);
      this.#daysMax = Math.min(this.#daysLimit, this.#daysMax * 2);
      return { writtenAt, failures: new Map() };
    } catch (error) {
      if (isSplit && error instanceof BusyError) this.#daysMax = days.length >> 1;
      else splits.left -= 2;
      if (days.length === 1 || splits.left < 0 || !wasNotApplied(error)) {
        const told = asTold(error);
        return { writtenAt: undefined, failures: new Map(days.map(({ id }) => [id, told])) };
      }
      return this.#writeHalves(days, durability, splits);
    }
  }

  async #writeHalves(
    days: readonly DayTally[],
    durability: Durability,
    splits: { left: number },
  ): Promise<GroupOutcome> {
    const middle = days.length >> 1;
    const left = await this.#writeDays(days.slice(0, middle), durability, splits);
    const right = await this.#writeDays(days.slice(middle), durability, splits);
    return {
      writtenAt: right.writtenAt ?? left.writtenAt,
      failures: new Map([...left.failures, ...right.failures]),
    };
  }

  async #commit(
    days: readonly DayTally[],
    durability: Durability,
    attemptsMax?: number,
  ): Promise<Timestamp | undefined> {
    const db = this.#db;
    const { daily, monthly } = statementsOfDays(days, await isSharded(db.client));
    const work = async (session: ClientSession) => {
      await updateInTransaction(db, dailyHits.collectionName, daily, session);
      failpoint('hits.group.daily-written');
      await updateInTransaction(db, monthlyHits.collectionName, monthly, session);
      failpoint('hits.group.monthly-written');
    };
    const { writtenAt } = await turnsOf(db).take('GROUP', () =>
      inTransaction(db, commitConcernOf[durability], work, { retryDuplicateKeys: true, attemptsMax }),
    );
    failpoint('hits.group.committed');
    return writtenAt;
  }
}

/** The error that callers get. */
function asTold(error: unknown): unknown {
  if (!asUnavailable(error)) return error;
  const isCertain = error instanceof UnavailableError || wasNotApplied(error); // an UnavailableError is thrown before the commit
  return isCertain ? hitNotRecorded() : hitOutcomeUnknown();
}

/** Whether the transaction certainly wrote nothing. A commit whose outcome is unknown must never be retried. */
function wasNotApplied(error: unknown): boolean {
  if (error instanceof BusyError) return true;
  return error instanceof MongoServerError && !error.hasErrorLabel('UnknownTransactionCommitResult');
}
