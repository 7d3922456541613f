/** Runs what finishes a dead process's work: locks expire at once, and workers and jobs run on demand. */
import type { Db } from 'mongodb';
import type { Product } from '../../harness/product.js';
import { inOrderOfRuns } from '../../src/models/domain.js';
import { recover } from '../../src/models/recovery.js';
import { openAllDomains } from '../support/domain/domains.js';

const CALL_MS = 500;
const LOOK_MS = 20;

/** Expires the locks of a dead process, as time would: then others may continue its work. */
export async function letTimePass(db: Db): Promise<void> {
  await db.collection('idempotency').updateMany({}, { $set: { locked_until: new Date(0) } });
}

/** Runs all recovery workers that do not run daily, as if enough time had passed. */
export async function letWorkersRun(db: Db): Promise<void> {
  const workers = inOrderOfRuns(await openAllDomains(db)).filter(({ isDaily }) => !isDaily);
  for (const worker of [...workers, ...workers]) // a second run changes nothing
    while ((await recover(db, worker, { now: new Date(), all: true })) === null)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS)); // a server's own job is running
}

/** Makes the running server's scheduler start its jobs repeatedly, until the process has died. */
export async function callJobs(db: Db, { process: { ended } }: Product): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await db.collection('jobs').updateMany({}, { $set: { next_run_at: new Date(0) } });
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CALL_MS))]);
  }
}
