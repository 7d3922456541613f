/** Work that has ended is kept for 30 days, for its owner to look at and to undo. */
import type { Db } from 'mongodb';
import { removeLease } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS, LATEST_MS } from '../../../shared/time.js';
import { backgroundWork } from './background-work.js';
import { removeRejects } from './data-import.js';
import { removeFile } from './work-file.js';
import { leaseOf } from './work-turn.js';

const KEPT_MS = 30 * DAY_MS;
const REMOVED_AT_ONCE = 100;

/** Removes work that ended 30 days ago, with all that belongs to it. May be repeated, and run concurrently. */
export async function removeOldWork(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  for (;;) {
    const old = await backgroundWork(db)
      .find({ finished_at: { $lt: before } }, { projection: { _id: 1 } })
      .sort({ finished_at: 1 })
      .limit(REMOVED_AT_ONCE)
      .toArray();
    if (old.length === 0) return;
    for (const { _id } of old) await removeWork(db, _id, before);
  }
}

/** Removes work that has ended, with all that belongs to it. May be repeated. */
export const removeEndedWork = (db: Db, id: string): Promise<void> => removeWork(db, id, new Date(LATEST_MS));

/** The document goes last: a crash in between leaves it, and the next run removes the rest. */
async function removeWork(db: Db, _id: string, before: Date): Promise<void> {
  const marked = await backgroundWork(db).updateOne(
    { _id, finished_at: { $lt: before } }, // guard: it is not being undone, and from here on cannot be
    { $set: { removing: true } },
  );
  if (marked.matchedCount === 0) return;
  failpoint('work.removal.marked');
  await removeRejects(db, _id);
  failpoint('work.removal.rejects-removed');
  await removeFile(db, _id);
  failpoint('work.removal.file-removed');
  await removeLease(db, leaseOf(_id));
  failpoint('work.removal.lease-removed');
  await backgroundWork(db).deleteOne({ _id, removing: true });
}
