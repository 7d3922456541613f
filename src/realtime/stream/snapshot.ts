/** Initial states of feeds, read at one cluster time. */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshot } from '../../database/index.js';
import { type ClusterTime, formatClusterTime } from '../../shared/cluster-time.js';
import { touchCursorKey } from '../cursors/cursor-key.js';

/** Runs `read` in a snapshot session: all its commands see the database at `time`. */
export async function readSnapshot<T>(
  db: Db,
  read: (session: ClientSession) => Promise<T>,
): Promise<{ value: T; time: ClusterTime }> {
  const { value, time } = await inSnapshot(db, async (session) => {
    await touchCursorKey(db, session); // fixes the time: a read of a collection that does not exist would not
    return read(session);
  });
  return { value, time: formatClusterTime(time) };
}
