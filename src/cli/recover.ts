/** `sextant recover`: lets the workers bring to its end what a process has left half-way, without a server. */
import { Command } from 'commander';
import type { Db } from 'mongodb';
import { readConfig, readEnvironment } from '../config.js';
import { buildIndexes } from '../database/index.js';
import { openDatabase } from '../database/open-database.js';
import { findJobs } from '../models/system/job.js';
import { SextantError } from '../shared/errors.js';
import { armFailpoint } from '../shared/failpoint.js';
import { MINUTE_MS, SECOND_MS } from '../shared/time.js';
import { makeSteps } from './steps.js';

export const recoverCommand = new Command('recover')
  .description('finish or take back what was left')
  .option('--all', 'also what may still be under way: only while no server runs on this database')
  .addHelpText(
    'after',
    '\nA server does the same by itself, as its settings say. It may be repeated, and run beside others.',
  )
  .action(async ({ all = false }: { all?: boolean }) => {
    const config = readConfig(readEnvironment());
    if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
    const steps = makeSteps(process.stderr);
    const { db, close } = await openDatabase(config, steps.show);
    try {
      const [{ storeRules }, { openStore }, { recover, allRecoveryWorkers }] = await Promise.all([
        import('../services.js'),
        import('../models/commerce/store.js'),
        import('../models/recovery.js'),
      ]);
      await buildIndexes(db);
      if (all) await requireNoServer(db);
      const store = await openStore(db, storeRules(config), new Date());
      for (const worker of allRecoveryWorkers) {
        steps.show({ text: worker.name });
        const found = await recover(db, store, worker, { now: new Date(), all });
        process.stdout.write(`${worker.name}: ${found ?? 'another process is at it'}\n`);
      }
      steps.end();
    } finally {
      await close();
    }
  });

/** Servers begin some job at least every half minute. */
const SILENT_MS = MINUTE_MS;

/** @throws SextantError a server has worked on this database in the last minute: what it has under way is not to be taken back */
async function requireNoServer(db: Db): Promise<void> {
  const begun = (await findJobs(db)).map(({ lastRunAt }) => lastRunAt?.getTime() ?? 0);
  const silent = Date.now() - Math.max(0, ...begun);
  if (silent >= SILENT_MS) return;
  const seconds = Math.round(silent / SECOND_MS);
  throw new SextantError(
    'CONFLICT',
    `A server has worked on this database ${seconds} s ago. Stop it, and repeat this when a minute has passed; without --all there is no need to`,
  );
}
