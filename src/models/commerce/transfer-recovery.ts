/** Transfers that did not get on: of processes that died, or that were too slow. Several may be at it at once. */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { accounts } from './account.js';
import { findTransfer, readNote, reverseRun, settleTransfer, transactions } from './transfer.js';

/** @param since transfers that have not got on since @returns how many were brought to their ends */
export async function recoverTransfers(db: Db, since: Date, now: Date): Promise<number> {
  const stuck = transactions(db).find({
    state: { $in: ['NEW', 'COMMIT', 'ROLLBACK'] },
    last_modified: { $lt: since },
  });
  let count = 0;
  for await (const { _id } of stuck) {
    await settleTransfer(db, _id, now);
    failpoint('transfer.recovered');
    count += 1;
  }
  return count + (await returnStrayDebits(db));
}

/**
 * A process that was given up may have debited an account afterwards, and died before it looked. Its note tells: the transfer runs
 * under another number, or was rolled back. A note of a transfer that is under way is left alone.
 */
async function returnStrayDebits(db: Db): Promise<number> {
  let count = 0;
  for await (const { pending } of accounts(db).find({ pending: { $gt: '' } }, { projection: { pending: 1 } })) {
    for (const { id, run } of pending.map(readNote)) {
      const current = await findTransfer(db, id);
      const isStray = current && (current.run !== run || current.state === 'REVERSED');
      if (!isStray) continue;
      await reverseRun(db, current, run);
      failpoint('transfer.stray-returned');
      count += 1;
    }
  }
  return count;
}
