/** Reads by several commands at one cluster time. */
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientSession, type Db, MongoError, type Timestamp } from 'mongodb';
import { BusyError } from '../../shared/errors.js';
import { isInterruption } from '../connection/interruption.js';

const ATTEMPTS_MAX = 10;
const PAUSE_MIN_MS = 2; // until a majority has what the primary has
const PAUSE_MAX_MS = 500; // a failover takes a moment
/** SnapshotTooOld, SnapshotUnavailable: a later cluster time will do. */
const AGAIN_CODES: ReadonlySet<unknown> = new Set([239, 246]);

/**
 * Runs `read` in a snapshot session: all its commands see the database at the cluster time of the first one, including every write
 * that a majority had acknowledged to this process before. The first command must read an existing collection, which fixes the time.
 * A read that a failover interrupts is restarted.
 */
export async function inSnapshot<T>(
  db: Db,
  read: (session: ClientSession) => Promise<T>,
): Promise<{ value: T; time: Timestamp }> {
  for (let attempt = 1; ; attempt += 1) {
    const session = db.client.startSession({ snapshot: true });
    try {
      const value = await read(session);
      return { value, time: timeOf(session) };
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS_MAX) throw error;
      await pauseBeforeAttempt(attempt + 1);
    } finally {
      await session.endSession();
    }
  }
}

/** Waits with exponential backoff. @param attempt the number of the next attempt, from 2 */
export async function pauseBeforeAttempt(attempt: number): Promise<void> {
  const ms = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** (attempt - 2));
  await pause(ms * (0.5 + Math.random() / 2));
}

function isRetryable(error: unknown): boolean {
  return isInterruption(error) || (error instanceof MongoError && AGAIN_CODES.has(error.code));
}

/** The driver stores the time on the session, but not in its types. */
function timeOf(session: ClientSession): Timestamp {
  const { snapshotTime } = session as ClientSession & { snapshotTime?: Timestamp };
  if (!snapshotTime) throw new BusyError('The database was dropped; restart the server');
  return snapshotTime;
}
