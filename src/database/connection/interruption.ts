/** Errors of a read that a failover or a broken connection interrupted: a retry may succeed a moment later. */
import { MongoError, MongoNetworkError } from 'mongodb';

/** From the retryable reads specification, with their names in the server. */
const INTERRUPTING_CODES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

export function isInterruption(error: unknown): boolean {
  return error instanceof MongoNetworkError || (error instanceof MongoError && INTERRUPTING_CODES.has(error.code));
}
