/**
 * Writes a group of hits in one transaction, or in several when one does not succeed: a smaller one wins sooner against another process
 * that writes the same counters, and one document that the database refuses costs only its own hits.
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
} from '../../database/index.js';
import { BusyError, UnavailableError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type DayTally, dailyHits, monthlyHits } from './hit.js';
import { statementsOfDays } from './hit-statements.js';
import { turnsOf } from './hit-turns.js';

/** What became of a group. */
export interface GroupOutcome {
  readonly writtenAt: Timestamp | undefined;
  /** What could not be written, by the `_id` of its daily document. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/** Hits have no key, so it matters which of the two it is: a repeat of a hit whose outcome is not known may count it twice. */
export const hitNotRecorded = () =>
  new UnavailableError('The database did not answer; the hit was not recorded', { outcome: 'NOT_RECORDED' });
export const hitOutcomeUnknown = () =>
  new UnavailableError('The database did not answer; whether the hit was recorded is unknown', { outcome: 'UNKNOWN' });

export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof UnavailableError && error.details.outcome === 'UNKNOWN';

/** Transactions spent on a group that the database refuses, to find whose fault it is: 2 log2(800) for each of two documents. */
const SPLITS_MAX = 40;
/** One of more daily documents is divided after so many conflicts. */
const BUSY_DAYS_MIN = 8;
const BUSY_ATTEMPTS = 3;

export class HitGroupWriter {
  /** Daily documents of a transaction: halved when it loses against another process, doubled when it wins. */
  private daysMax: number;

  /** @param daysLimit no group has more daily documents */
  constructor(
    private readonly db: Db,
    private readonly daysLimit: number,
  ) {
    this.daysMax = daysLimit;
  }

  write(days: readonly DayTally[], durability: Durability): Promise<GroupOutcome> {
    return this.writeDays(days, durability, { left: SPLITS_MAX });
  }

  /** Writes a group; when the database refuses it, each half for itself, so that one document's fault costs only its own hits. */
  private async writeDays(
    days: readonly DayTally[],
    durability: Durability,
    splits: { left: number },
  ): Promise<GroupOutcome> {
    if (days.length > this.daysMax) return this.writeHalves(days, durability, splits);
    const isSplit = days.length > BUSY_DAYS_MIN;
    try {
      const writtenAt = await this.commit(days, durability, isSplit ? BUSY_ATTEMPTS : undefined);
      this.daysMax = Math.min(this.daysLimit, this.daysMax * 2);
      return { writtenAt, failures: new Map() };
    } catch (error) {
      if (isSplit && error instanceof BusyError) this.daysMax = days.length >> 1;
      else splits.left -= 2;
      if (days.length === 1 || splits.left < 0 || !wasNotApplied(error)) {
        const told = asTold(error);
        return { writtenAt: undefined, failures: new Map(days.map(({ id }) => [id, told])) };
      }
      return this.writeHalves(days, durability, splits);
    }
  }

  private async writeHalves(
    days: readonly DayTally[],
    durability: Durability,
    splits: { left: number },
  ): Promise<GroupOutcome> {
    const middle = days.length >> 1;
    const left = await this.writeDays(days.slice(0, middle), durability, splits);
    const right = await this.writeDays(days.slice(middle), durability, splits);
    return {
      writtenAt: right.writtenAt ?? left.writtenAt,
      failures: new Map([...left.failures, ...right.failures]),
    };
  }

  private async commit(
    days: readonly DayTally[],
    durability: Durability,
    attemptsMax?: number,
  ): Promise<Timestamp | undefined> {
    const { db } = this;
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

/** What the callers are told. */
function asTold(error: unknown): unknown {
  if (!asUnavailable(error)) return error;
  const isCertain = error instanceof UnavailableError || wasNotApplied(error); // the former comes from before the commit
  return isCertain ? hitNotRecorded() : hitOutcomeUnknown();
}

/** Whether it is certain that the transaction left nothing behind. A commit whose outcome is unknown must never be repeated. */
function wasNotApplied(error: unknown): boolean {
  if (error instanceof BusyError) return true;
  return error instanceof MongoServerError && !error.hasErrorLabel('UnknownTransactionCommitResult');
}
