/**
 * Errors of the driver that mean only that the database is unreachable or in a failover. This is the only place where they become an
 * error that a client may see. What the operation wrote before is unknown; a retry with the same idempotency key completes it.
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
import { UnavailableError } from '../../shared/errors.js';
import { isInterruption } from './interruption.js';

/** In addition to the codes that interrupt a read. */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  43, // CursorNotFound: it belonged to a former primary
  64, // WriteConcernTimeout: a majority does not respond
  94, // NotYetInitialized
  175, // QueryPlanKilled: by a step-down
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction: it was lost with its primary
  290, // TransactionExceededLifetimeLimitSeconds: the database was frozen meanwhile
]);

/** Labels by which the driver and the server mark errors that a retry may resolve. */
const LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'] as const;

/** The connection pool's errors are not exported, so they are recognized by name. */
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

/** @returns the error to report instead; null for any other kind of error */
export function asUnavailable(error: unknown): UnavailableError | null {
  if (error instanceof UnavailableError) return error;
  return isUnavailability(error) ? new UnavailableError() : null;
}
