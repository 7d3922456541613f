/** What a group commit writes, and what its callers learn. */
import type { ClientSession, Timestamp } from 'mongodb';
import { UnavailableError } from '../../shared/errors.js';

/** The records of one group, as the entries that are written for them. */
export interface Gathering<Input, Entry> {
  add(record: Input): void;
  /** The number of entries. */
  readonly size: number;
  readonly entries: readonly Entry[];
}

/**
 * One kind of records. A caller hands in a record, a group gathers records into entries, and the outcome of each entry is decided in the
 * transaction that writes it. An entry is a record, or the sum of several, so that they change a document once. Entries are told apart as
 * objects, so each one must be an object of its own.
 */
export interface GroupKind<Input, Entry extends object, Outcome> {
  /** The kind's name: group commits and other writers of one name take turns (`turns.ts`). */
  readonly name: string;
  /** Words for error messages, for example `hit` and `hits`. */
  readonly words: { readonly one: string; readonly many: string };
  /** A group with this many items is full. A record may consist of several (`measure`). */
  readonly itemsMax: number;
  /** A group with this many entries is full: MongoDB advises against transactions with thousands of updates. */
  readonly entriesMax: number;
  /** How many items a record has, and how many places it takes in the queue. Default: one each. */
  measure?(record: Input): Measure;
  gather(): Gathering<Input, Entry>;
  /**
   * Writes the entries in the transaction of `session`. It may run several times, and each retry starts without its earlier writes, so it
   * must change nothing else. What it has read and then changes cannot be changed by anybody else before the commit: the later writer
   * starts again. An error of a command ends the transaction, so a record that may not be written must be found by reading.
   * @returns the outcome of each entry, in their order: a result, or a refusal, which does not affect the other entries
   * @throws any error: nothing of these entries is written, and they are split to find the one that caused it
   */
  write(entries: readonly Entry[], session: ClientSession): Promise<readonly Outcome[]>;
  /** Called after every commit, before the callers get their responses. For a failpoint. */
  committed?(): void;
}

export interface Measure {
  readonly items: number;
  readonly weight: number;
}

/** The result of a group. All callers of the group share it. */
export interface GroupResult<Entry, Outcome> {
  /** The commit's cluster time, or the latest one if the group was split. */
  readonly writtenAt: Timestamp | undefined;
  /** What the transaction decided about each entry that is committed. */
  readonly outcomes: ReadonlyMap<Entry, Outcome>;
  /** The errors of all other entries: `isOutcomeUnknown` tells those that may have been committed. */
  readonly failures: ReadonlyMap<Entry, unknown>;
}

/** @returns what was decided about an entry of the group @throws the error of an entry that is not committed, or may not be */
export function outcomeOf<Entry, Outcome>(result: GroupResult<Entry, Outcome>, entry: Entry): Outcome {
  if (result.failures.has(entry)) throw result.failures.get(entry);
  if (!result.outcomes.has(entry)) throw new Error('The entry is not in this group');
  return result.outcomes.get(entry) as Outcome;
}

/** For records that are written as they are. */
export class SeparateRecords<Input> implements Gathering<Input, Input> {
  readonly entries: Input[] = [];

  add(record: Input): void {
    this.entries.push(record);
  }

  get size(): number {
    return this.entries.length;
  }
}

export function allFailed<Entry, Outcome>(entries: readonly Entry[], error: unknown): GroupResult<Entry, Outcome> {
  return { writtenAt: undefined, outcomes: new Map(), failures: new Map(entries.map((entry) => [entry, error])) };
}

/** The database did not respond: for a record without an idempotency key it matters whether a retry may count it twice. */
export const notRecorded = (one: string) =>
  new UnavailableError(`The database did not respond, and the ${one} was not recorded`, { outcome: 'NOT_RECORDED' });
export const outcomeUnknown = (one: string) =>
  new UnavailableError(`The database did not respond, and it is unknown whether the ${one} was recorded`, {
    outcome: 'UNKNOWN',
  });

export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof UnavailableError && error.details.outcome === 'UNKNOWN';
