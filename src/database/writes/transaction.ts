/** Transactions with bounded, jittered retries. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Db, Timestamp, WriteConcern } from 'mongodb';
import { MongoError } from 'mongodb';
import { BusyError, UnavailableError } from '../../shared/errors.js';
import { noteCommit } from '../collections/write-clock.js';
import { endAbandonedTransactions } from '../connection/abandoned-transactions.js';
import { isInterruption } from '../connection/interruption.js';
import { isDuplicateKey, isServerError } from '../connection/server-errors.js';

const ATTEMPTS_MAX = 12;
const BACKOFF_MIN_MS = 2;
const BACKOFF_MAX_MS = 250;
const LOOK_EVERY = 4; // conflicts between checks for a dead writer: after some 15 ms, then 250 ms

export interface TransactionResult<T> {
  value: T;
  /** The cluster time of the commit. */
  writtenAt: Timestamp | undefined;
}

export interface TransactionOptions {
  /** Of two concurrent upserts of the same new document, one fails with a duplicate key and finds the document on retry. */
  readonly retryDuplicateKeys?: boolean;
  /** For a caller that handles conflicts in another way than waiting. */
  readonly attemptsMax?: number | undefined;
  readonly random?: () => number;
}

/**
 * Thrown by the work of a transaction whose snapshot is older than what its caller has read before: it starts again. Outside of
 * transactions, a commit can be read some moments before the snapshot of a new transaction includes it.
 */
export class StaleSnapshotError extends Error {}

/**
 * Runs `work` in a transaction and commits it. `work` may run several times; each retry starts without its earlier writes.
 * A commit whose reply was lost is retried. The server then returns the first outcome, so it never counts twice.
 * @throws BusyError after `attemptsMax` conflicts
 * @throws UnavailableError the database is still unreachable after `ATTEMPTS_MAX` attempts; nothing was written
 */
export async function inTransaction<T>(
  db: Db,
  writeConcern: WriteConcern,
  work: (session: ClientSession) => Promise<T>,
  { retryDuplicateKeys = false, attemptsMax = ATTEMPTS_MAX, random = Math.random }: TransactionOptions = {},
): Promise<TransactionResult<T>> {
  const session = db.client.startSession(); // causally consistent: only such a session keeps the commit's cluster time
  try {
    for (let attempt = 1; ; attempt += 1) {
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern });
      try {
        const value = await work(session).catch(restartIfKilled);
        await commit(session);
        noteCommit(db, session);
        return { value, writtenAt: session.operationTime };
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        if (!isTransient(error, retryDuplicateKeys)) throw error;
        const isAway = isInterruption(error);
        if (attempt >= (isAway ? ATTEMPTS_MAX : attemptsMax))
          throw isAway ? new UnavailableError() : new BusyError('Too many concurrent writers');
        if (attempt % LOOK_EVERY === 0) await endAbandonedTransactions(db.client);
        await pause(Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** attempt) * random());
      }
    }
  } finally {
    await session.endSession();
  }
}

/** It was ended for one that stands still (`abandoned-transactions.ts`), while a statement of it was running: nothing was written. */
function restartIfKilled(error: unknown): never {
  throw isServerError(error, 'interrupted') ? new StaleSnapshotError() : error;
}

/**
 * A commit with an unknown result is retried: the server remembers the transaction, so this is safe. So is one that was ended for one that
 * stands still: it was committed before, or not at all.
 */
async function commit(session: ClientSession): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const isUnknown = error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!(isUnknown || isServerError(error, 'interrupted')) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

function isTransient(error: unknown, retryDuplicateKeys: boolean): boolean {
  if (error instanceof StaleSnapshotError) return true;
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel('TransientTransactionError')) return true;
  return retryDuplicateKeys && isDuplicateKey(error);
}
