/** `sextant recover`: lets the workers bring to its end what a process has left half-way, without a server. */
import { Command } from 'commander';
import type { Db } from 'mongodb';
import { readConfig, readEnvironment } from '../config.js';
import { buildIndexes, type Clock, openClock } from '../database/index.js';
import { intendAct, recordIntended } from '../models/people/audit.js';
import { findJobs } from '../models/system/job.js';
import { SextantError } from '../shared/errors.js';
import { armFailpoint } from '../shared/failpoint.js';
import { MINUTE_MS, SECOND_MS } from '../shared/time.js';
import { actOfCommand } from './act.js';
import { openCommandDatabase } from './command-database.js';
import { EXIT_FAILED, tellFailure } from './failure.js';
import { print, tell } from './output.js';
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
    const { client, db, close } = await openCommandDatabase(config, steps);
    try {
      const [{ storeRules }, { openStore }, { recover, allRecoveryWorkers }] = await Promise.all([
        import('../services.js'),
        import('../models/commerce/store.js'),
        import('../models/recovery.js'),
      ]);
      await buildIndexes(db);
      const now = await openClock(client);
      if (all) await requireNoServer(db, now);
      const store = await openStore(db, storeRules(config), now());
      // Told before it begins: what is finished or taken back is the act of whoever left it; this one is that it began.
      const subject = all ? 'all workers, also of what may be under way' : 'all workers';
      await recordIntended(
        db,
        intendAct(actOfCommand(config.AUDIT_DAYS, now()), { action: 'RECOVERY_STARTED', subject }),
      );
      const outcomes: Outcome[] = [];
      for (const worker of allRecoveryWorkers) {
        steps.show({ text: worker.name });
        outcomes.push(await tellOutcome(worker.name, () => recover(db, store, worker, { now: now(), all })));
      }
      steps.end();
      tellUnfinished(outcomes);
    } finally {
      await close();
    }
  });

type Outcome = 'worked' | 'skipped' | 'failed';

/** One that fails must not keep the others from their work. */
async function tellOutcome(name: string, work: () => Promise<number | null>): Promise<Outcome> {
  try {
    const found = await work();
    print(`${name}: ${found ?? 'another process is at it'}`);
    return found === null ? 'skipped' : 'worked';
  } catch (error) {
    print(`${name}: failed`);
    tellFailure(error, name);
    return 'failed';
  }
}

/** What another process is at, or what failed, may be left undone: whoever asks for all must know that this was not all. */
function tellUnfinished(outcomes: readonly Outcome[]): void {
  const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  if (skipped > 0) {
    const [what, they] = skipped === 1 ? ['One of them was', 'it'] : [`${skipped} of them were`, 'them'];
    tell(`${what} skipped, since another process is at ${they}. Repeat this when it has ended`);
  }
  if (failed > 0)
    tell(`${failed === 1 ? 'One of them' : `${failed} of them`} failed. Repeat this when the cause is gone`);
  if (skipped + failed > 0) process.exitCode = EXIT_FAILED;
}

/** Servers begin some job at least every half minute. */
const SILENT_MS = MINUTE_MS;

/** @throws SextantError a server has worked on this database in the last minute: what it has under way is not to be taken back */
async function requireNoServer(db: Db, now: Clock): Promise<void> {
  const begun = (await findJobs(db)).map(({ lastRunAt }) => lastRunAt?.getTime() ?? 0);
  const silent = now().getTime() - Math.max(0, ...begun);
  if (silent >= SILENT_MS) return;
  const seconds = Math.round(silent / SECOND_MS);
  throw new SextantError(
    'CONFLICT',
    `A server has worked on this database ${seconds} s ago. Stop it, and repeat this when a minute has passed; without --all there is no need to`,
  );
}
