/** `sextant recover`: runs the recovery workers on work that a process left unfinished, without a server. */
import { Command } from 'commander';
import type { Db } from 'mongodb';
import { readConfig, readEnvironment } from '../../config/config.js';
import { buildIndexes, type Clock, openClock } from '../../database/index.js';
import { intendAct, recordIntended } from '../../models/people/audit.js';
import { findJobs } from '../../models/system/job.js';
import { SextantError } from '../../shared/errors.js';
import { armFailpoint } from '../../shared/failpoint.js';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.js';
import { EXIT_FAILED, tellFailure } from '../../terminal/failure.js';
import { print, tell } from '../../terminal/output.js';
import { makeSteps } from '../../terminal/steps.js';
import { actOfCommand } from '../support/act.js';
import { openCommandDatabase } from '../support/command-database.js';

export const recoverCommand = new Command('recover')
  .description('finish or roll back unfinished work')
  .option('--all', 'include work that may still be in progress; only while no server uses this database')
  .addHelpText('after', '\nA server does the same on its own schedule. Safe to repeat, and to run alongside servers.')
  .action(async ({ all = false }: { all?: boolean }) => {
    const config = readConfig(readEnvironment());
    if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
    const steps = makeSteps(process.stderr);
    const { client, db, close } = await openCommandDatabase(config, steps);
    try {
      const [{ collectionsOf, domainsOf, acrossDomains }, { closeDomains, inOrderOfRuns, openDomains }, { recover }] =
        await Promise.all([
          import('../../domains.js'),
          import('../../models/domain.js'),
          import('../../models/recovery.js'),
        ]);
      const domains = domainsOf(config);
      await buildIndexes(db, collectionsOf(domains));
      const now = await openClock(client);
      if (all) await requireNoServer(db, now);
      const onFault = (fault: string, error: unknown) => tellFailure(error, fault);
      const runtime = { client, db, now, onFault, ...acrossDomains(config) };
      const open = await openDomains(domains, runtime, config);
      // Recorded before the recovery starts. Work that it finishes or rolls back stays attributed to the original actors.
      const subject = all ? 'all workers, including work in progress' : 'all workers';
      await recordIntended(
        db,
        intendAct(actOfCommand(config.AUDIT_DAYS, now()), { action: 'RECOVERY_STARTED', subject }),
      );
      const outcomes: Outcome[] = [];
      for (const worker of inOrderOfRuns(open)) {
        steps.show({ text: worker.name });
        const onWait = (waitMs: number) => tell(waitingFor(worker.name, waitMs));
        outcomes.push(await tellOutcome(worker.name, () => recover(db, worker, { now: now(), all, onWait })));
      }
      await closeDomains(open);
      steps.end();
      tellUnfinished(outcomes);
    } finally {
      await close();
    }
  });

const waitingFor = (name: string, waitMs: number): string =>
  `${name}: another process is running it, or was just killed. Waiting up to ${waitMs / SECOND_MS} s for its lease`;

type Outcome = 'worked' | 'skipped' | 'failed';

/** A failed worker must not stop the others. */
async function tellOutcome(name: string, work: () => Promise<number | null>): Promise<Outcome> {
  try {
    const found = await work();
    print(`${name}: ${found ?? 'another process is already running it'}`);
    return found === null ? 'skipped' : 'worked';
  } catch (error) {
    print(`${name}: failed`);
    tellFailure(error, name);
    return 'failed';
  }
}

/** Skipped or failed workers may leave work undone: the caller must know that the run was incomplete. */
function tellUnfinished(outcomes: readonly Outcome[]): void {
  const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  if (skipped > 0) {
    const [what, they] = skipped === 1 ? ['One worker was', 'it'] : [`${skipped} workers were`, 'them'];
    tell(`${what} skipped, because another process is already running ${they}. Run this again when it has ended`);
  }
  if (failed > 0) tell(`${failed === 1 ? 'One worker' : `${failed} workers`} failed. Fix the cause and run this again`);
  if (skipped + failed > 0) process.exitCode = EXIT_FAILED;
}

/** Servers start a job at least every 30 seconds. */
const SILENT_MS = MINUTE_MS;

/** @throws SextantError a server used this database in the last minute: its work in progress must not be rolled back */
async function requireNoServer(db: Db, now: Clock): Promise<void> {
  const begun = (await findJobs(db)).map(({ lastRunAt }) => lastRunAt?.getTime() ?? 0);
  const silent = now().getTime() - Math.max(0, ...begun);
  if (silent >= SILENT_MS) return;
  const seconds = Math.round(silent / SECOND_MS);
  throw new SextantError(
    'CONFLICT',
    `A server used this database ${seconds} s ago. Stop it, wait a minute and run this again, or omit --all`,
  );
}
