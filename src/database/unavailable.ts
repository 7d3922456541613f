/**
 * Errors of the driver that say nothing but that the database cannot be reached at the moment, or changes its primary: the one place where
 * they become an error that a client may see. What the operation wrote before is not known; a repeat with the same key carries it on.
 */
import {
  MongoClientClosedError,
  MongoError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import { UnavailableError } from '../shared/errors.js';
import { isInterruption } from './interruption.js';

/** Besides those that interrupt a read. */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  43, // CursorNotFound: it was that of a primary which is none any more
  64, // WriteConcernTimeout: a majority does not answer
  94, // NotYetInitialized
  175, // QueryPlanKilled: by a step-down
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction: it ended with its primary
  290, // TransactionExceededLifetimeLimitSeconds: the database stood still meanwhile
]);

/** Labels by which the driver and the server say that the same may succeed later. */
const LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'] as const;

/** The connection pool's own errors are not exported, except through their names. */
const POOL_ERRORS: ReadonlySet<string> = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']);

const isUnavailability = (error: unknown): boolean =>
  isInterruption(error) ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoOperationTimeoutError ||
  error instanceof MongoNotConnectedError ||
  error instanceof MongoServerClosedError ||
  error instanceof MongoTopologyClosedError ||
  error instanceof MongoClientClosedError ||
  (error instanceof MongoError &&
    (UNAVAILABLE_CODES.has(error.code) ||
      POOL_ERRORS.has(error.name) ||
      LABELS.some((label) => error.hasErrorLabel(label))));

/** @returns the error to tell instead; null: it is another kind of error */
export function asUnavailable(error: unknown): UnavailableError | null {
  if (error instanceof UnavailableError) return error;
  return isUnavailability(error) ? new UnavailableError() : null;
}
