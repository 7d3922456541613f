/**
 * Writes a group in one transaction, or in several if that fails: a smaller one succeeds sooner against another process that writes the
 * same documents, and an entry that the database rejects affects only itself.
 */
import { type ClientSession, type Db, MongoError, MongoServerError } from 'mongodb';
import { BusyError, UnavailableError } from '../../shared/errors.js';
import { asUnavailable } from '../connection/unavailable.js';
import { commitConcernOf, type Durability } from '../writes/durability.js';
import { inTransaction } from '../writes/transaction.js';
import { allFailed, type GroupKind, type GroupResult, notRecorded, outcomeUnknown } from './group.js';
import { turnsOf } from './turns.js';

/** Transactions spent on finding the rejected entries of a group: 2 log2(800) for each of two entries. */
const SPLITS_MAX = 40;
/** A transaction with more entries than this is split on conflicts. */
const BUSY_ENTRIES_MIN = 8;
const BUSY_ATTEMPTS = 3;

export class GroupWriter<Input, Entry extends object, Outcome> {
  /** Entries per transaction: halved when it loses to another process, doubled when it succeeds. */
  #entriesMax = Number.POSITIVE_INFINITY;
  readonly #db: Db;
  readonly #kind: GroupKind<Input, Entry, Outcome>;

  constructor(db: Db, kind: GroupKind<Input, Entry, Outcome>) {
    this.#db = db;
    this.#kind = kind;
  }

  /** Does not throw: errors are in the result. */
  write(entries: readonly Entry[], durability: Durability): Promise<GroupResult<Entry, Outcome>> {
    return this.#writeWhole(entries, durability, { left: SPLITS_MAX });
  }

  /** If the group is rejected, writes each half separately, so that one bad entry affects only itself. */
  async #writeWhole(
    entries: readonly Entry[],
    durability: Durability,
    splits: { left: number },
  ): Promise<GroupResult<Entry, Outcome>> {
    if (entries.length > this.#entriesMax) return this.#writeHalves(entries, durability, splits);
    const isSplit = entries.length > BUSY_ENTRIES_MIN;
    try {
      const result = await this.#commit(entries, durability, isSplit ? BUSY_ATTEMPTS : undefined);
      this.#entriesMax *= 2;
      return result;
    } catch (error) {
      if (isSplit && error instanceof BusyError) this.#entriesMax = entries.length >> 1;
      else splits.left -= 2;
      if (entries.length === 1 || splits.left < 0 || !isWorthSplitting(error)) {
        return allFailed(entries, asTold(error, this.#kind.words.one));
      }
      return this.#writeHalves(entries, durability, splits);
    }
  }

  async #writeHalves(
    entries: readonly Entry[],
    durability: Durability,
    splits: { left: number },
  ): Promise<GroupResult<Entry, Outcome>> {
    const middle = entries.length >> 1;
    const left = await this.#writeWhole(entries.slice(0, middle), durability, splits);
    const right = await this.#writeWhole(entries.slice(middle), durability, splits);
    return {
      writtenAt: right.writtenAt ?? left.writtenAt,
      outcomes: new Map([...left.outcomes, ...right.outcomes]),
      failures: new Map([...left.failures, ...right.failures]),
    };
  }

  async #commit(
    entries: readonly Entry[],
    durability: Durability,
    attemptsMax?: number,
  ): Promise<GroupResult<Entry, Outcome>> {
    const kind = this.#kind;
    const { value: decided, writtenAt } = await turnsOf(this.#db, kind.name).share(() =>
      inTransaction(this.#db, commitConcernOf[durability], (session) => this.#decide(entries, session), {
        retryDuplicateKeys: true,
        attemptsMax,
      }),
    );
    kind.committed?.();
    const outcomes = new Map(entries.map((entry, index) => [entry, decided[index] as Outcome]));
    return { writtenAt, outcomes, failures: new Map() };
  }

  async #decide(entries: readonly Entry[], session: ClientSession): Promise<readonly Outcome[]> {
    const decided = await this.#kind.write(entries, session);
    if (decided.length === entries.length) return decided;
    throw new Error(`${decided.length} outcomes for ${entries.length} entries`);
  }
}

/** The error that callers get. */
function asTold(error: unknown, one: string): unknown {
  if (!asUnavailable(error)) return error;
  const isCertain = error instanceof UnavailableError || wasNotApplied(error); // an UnavailableError is thrown before the commit
  return isCertain ? notRecorded(one) : outcomeUnknown(one);
}

/** Whether the transaction certainly wrote nothing. A commit whose outcome is unknown must never be retried in another transaction. */
function wasNotApplied(error: unknown): boolean {
  if (error instanceof MongoServerError) return !error.hasErrorLabel('UnknownTransactionCommitResult');
  return !(error instanceof MongoError); // of the kind's own code: the commit throws errors of the driver
}

/** Without a database, halves fail as well. */
const isWorthSplitting = (error: unknown): boolean => wasNotApplied(error) && !(error instanceof UnavailableError);
