/** Recovers stalled transfers, left by processes that died or were too slow. May run concurrently. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { accounts } from './account.js';
import { findTransfer, readNote, reverseRun, settleTransfer, transactions } from './transfer.js';

/** @param since transfers without progress since this time @returns the number of transfers settled */
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
 * A process whose run was given up may have debited an account afterwards and died before checking. Its note shows this: the transfer
 * runs under another number or was rolled back. Notes of transfers in progress are left alone.
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
