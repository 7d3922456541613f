/**
 * Two-phase transfers: a document holds the state of a transfer, and each of the two accounts notes its transfers in progress. Every
 * step is one guarded update of one document and may be repeated.
 *
 *   NEW       the source is debited and notes it; the destination notes it
 *   COMMIT    from here on it is certain; the destination is credited, both notes are removed
 *   RETIRED   done
 *   ROLLBACK  from NEW only: debits are returned, the notes are removed
 *   REVERSED  rolled back, no money was moved
 *
 * A process that dies leaves a state from which any other process can continue (`settleTransfer`): COMMIT is finished, NEW is rolled
 * back, by an update that only one of commit and rollback can win. A restarted transfer runs under the next number. Notes carry the
 * number, so a debit that a slow process makes after it was given up is recognized and returned.
 * Source pattern: two-phase commit (commerce, section 5), where a missing destination loses money and the reversal matches nothing.
 */
import type { Db } from 'mongodb';
import { defineCollection, isDuplicateKey } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { DAY_MS } from '../../../shared/time.js';
import { type AuditDocument, recordIntended } from '../../people/audit.js';
import { accounts, findAccount } from './account.js';
import { AMOUNT_MAX, type Money, requireAmount } from './money.js';

export type TransferState = 'NEW' | 'COMMIT' | 'RETIRED' | 'ROLLBACK' | 'REVERSED';

export interface TransferDocument {
  _id: string;
  state: TransferState;
  from: string;
  to: string;
  amount: number;
  currency: string;
  /** How many times it was started. 0 if it never was and never will be. */
  run: number;
  created_at: Date;
  last_modified: Date;
  /** The payment or refund of an order. Absent for transfers by users, and for payments from before this was recorded. */
  kind?: 'PAYMENT' | 'REFUND';
  /** The transfer that it reverses (`transfer-reversal.ts`). */
  reverses?: string;
  /** The transfer that reverses it, or attempts to. */
  reversed_by?: string;
  /** The audit entry of an administrator's action, until it is done. */
  entry?: AuditDocument;
}

export const transactions = defineCollection<TransferDocument>('transactions', [
  { key: { state: 1, last_modified: 1 } }, // recovery
  { key: { from: 1, created_at: -1, _id: -1 } }, // findTransfersOf
  { key: { to: 1, created_at: -1, _id: -1 } }, // findTransfersOf
  { key: { created_at: -1, _id: -1 } }, // findTransfers
  { key: { reverses: 1 }, partialFilterExpression: { reverses: { $exists: true } } }, // invariants
  { key: { last_modified: 1 }, partialFilterExpression: { run: 0 } }, // forgetForbidden
]);

export interface TransferInput {
  readonly from: string;
  readonly to: string;
  readonly amount: Money;
  readonly kind?: 'PAYMENT' | 'REFUND';
  /** The transfer that it reverses. */
  readonly reverses?: string;
  /** The audit entry, if this is an administrator's action. */
  readonly entry?: AuditDocument;
}

export type TransferRefusal =
  | Refusal<'InsufficientFunds', { balance: Money }>
  | Refusal<'AccountNotFound'>
  | Refusal<'CurrencyMismatch'>
  | Refusal<'SameAccount'>
  | Refusal<'TransferInterrupted'>;

/**
 * Moves money. Idempotent for the same id.
 * @returns the transfer, RETIRED; or a refusal if no balance has changed
 * @throws InputError
 */
export async function transfer(
  db: Db,
  id: string,
  input: TransferInput,
  now: Date,
): Promise<TransferDocument | TransferRefusal> {
  const { amount, currency } = input.amount;
  requireAmount('amount.amount', amount, { min: 1, max: AMOUNT_MAX, currency });
  const known = await findTransfer(db, id);
  const refusal = known ? null : await whyNot(db, input);
  if (refusal?.__typename === 'InsufficientFunds') {
    // Guard: money may arrive and another process may continue this call, so it is forbidden before the refusal is returned.
    await forbidTransfer(db, id, input, now);
    const settled = await settleTransfer(db, id, now);
    return settled?.state === 'RETIRED' ? settled : refusal; // the other process was faster
  }
  if (refusal) return refusal;
  const begun = await begin(db, id, input, known, now);
  if (begun === 'SETTLED') return outcomeOf(db, id, now);
  return (await prepare(db, begun)) ? commit(db, begun, now) : rollBack(db, begun, now);
}

/** Refusals that need no write. */
async function whyNot(db: Db, { from, to, amount }: TransferInput): Promise<TransferRefusal | null> {
  if (from === to) return refuse('SameAccount', 'A transfer needs two accounts');
  const [source, destination] = await Promise.all([findAccount(db, from), findAccount(db, to)]);
  if (!source || !destination) return refuse('AccountNotFound', 'There is no such account');
  if (source.currency !== amount.currency || destination.currency !== amount.currency)
    return refuse('CurrencyMismatch', `Both accounts must be in ${amount.currency}`);
  return source.balance < amount.amount ? insufficientFunds(source) : null;
}

/** @returns the transfer to carry out, or that another process has settled it */
async function begin(
  db: Db,
  id: string,
  input: TransferInput,
  known: TransferDocument | null,
  now: Date,
): Promise<TransferDocument | 'SETTLED'> {
  if (known) return beginAgain(db, known, now);
  const made = toDocument(id, input, now);
  try {
    await transactions(db).insertOne(made);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const other = await findTransfer(db, id); // another process was faster: its run is given up
    return other ? beginAgain(db, other, now) : 'SETTLED';
  }
  failpoint('transfer.begun');
  return made;
}

/** A new transfer. */
function toDocument(id: string, { amount, ...input }: TransferInput, now: Date): TransferDocument {
  const { amount: units, currency } = amount;
  return { _id: id, state: 'NEW', ...input, amount: units, currency, run: 1, created_at: now, last_modified: now };
}

/** Ensures that a transfer that has not started never will. Does nothing if it has. */
export async function forbidTransfer(
  db: Db,
  id: string,
  { entry: _entry, ...input }: TransferInput,
  now: Date,
): Promise<void> {
  const forbidden = { ...toDocument(id, input, now), state: 'REVERSED', run: 0 } as const;
  try {
    await transactions(db).insertOne(forbidden);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  failpoint('transfer.forbidden');
}

/** How long to wait after the call's key has expired, for processes that are still paused. */
const FORBIDDEN_KEPT_MS = 3 * DAY_MS;

/**
 * Removes transfers that were forbidden so long ago that no process will start them any more. A checkout or refund that was paused for
 * longer is settled first, which forbids its payment again.
 * @param keepAnswersMs how long keys are kept
 */
export async function forgetForbidden(db: Db, keepAnswersMs: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keepAnswersMs - FORBIDDEN_KEPT_MS);
  await transactions(db).deleteMany({ run: 0, last_modified: { $lt: before } }); // guard: `run` 0 never changes
}

/** Rolls back earlier runs, then runs it under the next number. */
async function beginAgain(db: Db, known: TransferDocument, now: Date): Promise<TransferDocument | 'SETTLED'> {
  const again = await transactions(db).findOneAndUpdate(
    { _id: known._id, state: 'NEW', run: known.run }, // guard: neither committed nor rolled back, and only one process restarts it
    { $inc: { run: 1 }, $set: { last_modified: now } },
    { returnDocument: 'after' },
  );
  if (!again) return 'SETTLED';
  failpoint('transfer.begun-again');
  await reverseRuns(db, again, known.run);
  return again;
}

/** Phase one. @returns false when it is impossible or was given up meanwhile, so that it must be rolled back */
async function prepare(db: Db, current: TransferDocument): Promise<boolean> {
  const { _id, from, to, amount, run } = current;
  const note = noteOf(current);
  const debited = await accounts(db).updateOne(
    { _id: from, balance: { $gte: amount }, pending: { $ne: note } }, // guard: never below zero, and only once
    { $inc: { balance: -amount }, $push: { pending: note } },
  );
  if (debited.matchedCount === 0) return false;
  failpoint('transfer.debited');
  if (!(await isCurrent(db, _id, run))) return false;
  const noted = await accounts(db).updateOne(
    { _id: to, pending: { $ne: note } }, // guard: only once; credited only on commit
    { $push: { pending: note } },
  );
  if (noted.matchedCount === 0) return false; // a missing destination loses nothing
  failpoint('transfer.noted');
  return true;
}

async function isCurrent(db: Db, id: string, run: number): Promise<boolean> {
  return (await transactions(db).findOne({ _id: id, state: 'NEW', run }, { projection: { _id: 1 } })) !== null;
}

/** Phase two. */
async function commit(db: Db, current: TransferDocument, now: Date): Promise<TransferDocument | TransferRefusal> {
  const committed = await transactions(db).findOneAndUpdate(
    { _id: current._id, state: 'NEW', run: current.run }, // guard: recovery has not given it up
    { $set: { state: 'COMMIT', last_modified: now } },
    { returnDocument: 'after' },
  );
  failpoint('transfer.committed');
  return committed ? retire(db, committed, now) : rollBack(db, current, now);
}

/** Credits the destination and removes the notes. The audit entry is written first, so no money arrives without its entry. */
async function retire(db: Db, { entry, ...committed }: TransferDocument, now: Date): Promise<TransferDocument> {
  const { _id, from, to, amount } = committed;
  const note = noteOf(committed);
  if (entry) {
    await recordIntended(db, entry);
    failpoint('transfer.recorded');
  }
  await accounts(db).updateOne({ _id: from, pending: note }, { $pull: { pending: note } }); // guard: the note, so only once
  failpoint('transfer.source-retired');
  await accounts(db).updateOne(
    { _id: to, pending: note }, // guard: credited only while the note exists, so only once
    { $inc: { balance: amount }, $pull: { pending: note } },
  );
  failpoint('transfer.credited');
  await transactions(db).updateOne(
    { _id, state: 'COMMIT' }, // guard: written last; a retry changes nothing
    { $set: { state: 'RETIRED', last_modified: now }, $unset: { entry: '' } },
  );
  return { ...committed, state: 'RETIRED', last_modified: now };
}

/** Gives up a run. @returns the reason */
async function rollBack(db: Db, current: TransferDocument, now: Date): Promise<TransferDocument | TransferRefusal> {
  failpoint('transfer.given-up');
  const { matchedCount } = await transactions(db).updateOne(
    { _id: current._id, state: 'NEW', run: current.run }, // guard: not committed; if it runs under another number, that run decides
    { $set: { state: 'ROLLBACK', last_modified: now } },
  );
  failpoint('transfer.rolled-back');
  if (matchedCount === 0) await reverseRun(db, current, current.run); // other processes continued without this run
  return outcomeOf(db, current._id, now);
}

/** Returns what a run has debited and removes its notes. May be repeated, because the note is removed with the money. */
export async function reverseRun(db: Db, { _id, from, to, amount }: TransferDocument, run: number): Promise<void> {
  const note = noteOf({ _id, run });
  await accounts(db).updateOne({ _id: to, pending: note }, { $pull: { pending: note } });
  failpoint('transfer.destination-reversed');
  await accounts(db).updateOne(
    { _id: from, pending: note }, // guard: debited and not yet returned
    { $inc: { balance: amount }, $pull: { pending: note } },
  );
  failpoint('transfer.source-reversed');
}

/** All runs up to the last: a process that restarted the transfer may have died before it reversed the previous run. */
async function reverseRuns(db: Db, transfer: TransferDocument, last: number): Promise<void> {
  for (let run = last; run >= 1; run -= 1) await reverseRun(db, transfer, run);
}

/**
 * Settles a transfer from whatever state it was left in. Never restarts it. A later `transfer` with its id finds the outcome.
 * @returns null when there is no such transfer
 */
export async function settleTransfer(db: Db, id: string, now: Date): Promise<TransferDocument | null> {
  const given = await transactions(db).findOneAndUpdate(
    { _id: id, state: 'NEW' }, // guard: an earlier commit wins
    { $set: { state: 'ROLLBACK', last_modified: now } },
    { returnDocument: 'after' },
  );
  failpoint('transfer.settled');
  const current = given ?? (await findTransfer(db, id));
  if (current?.state === 'COMMIT') return retire(db, current, now);
  if (current?.state !== 'ROLLBACK') return current;
  await reverseRuns(db, current, current.run);
  await transactions(db).updateOne(
    { _id: id, state: 'ROLLBACK' }, // guard: written last; a retry changes nothing
    { $set: { state: 'REVERSED', last_modified: now }, $unset: { entry: '' } },
  );
  return { ...current, state: 'REVERSED' };
}

/** The outcome of a decided transfer. @throws BusyError another process has restarted it */
async function outcomeOf(db: Db, id: string, now: Date): Promise<TransferDocument | TransferRefusal> {
  const current = await findTransfer(db, id);
  if (current?.state === 'NEW') throw new BusyError('The transfer is in progress');
  const settled = current && (await settleTransfer(db, id, now));
  if (settled?.state === 'RETIRED') return settled;
  const source = settled && (await findAccount(db, settled.from));
  if (settled && source && source.balance < settled.amount) return insufficientFunds(source);
  return refuse('TransferInterrupted', 'The transfer was interrupted and no money was moved. Try again with a new key');
}

const noteOf = ({ _id, run }: Pick<TransferDocument, '_id' | 'run'>): string => `${_id}#${run}`;

/** @returns the transfer's id and the run's number */
export function readNote(note: string): { id: string; run: number } {
  const at = note.lastIndexOf('#');
  return { id: note.slice(0, at), run: Number(note.slice(at + 1)) };
}

const insufficientFunds = ({ balance, currency }: { balance: number; currency: string }) =>
  refuse('InsufficientFunds', 'The balance is too low', { balance: { amount: balance, currency } });

export function findTransfer(db: Db, id: string): Promise<TransferDocument | null> {
  return transactions(db).findOne({ _id: id });
}
