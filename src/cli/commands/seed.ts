/** `sextant seed`: fills empty domains with sample data, or undoes it. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { type Config, ConfigError } from '../../config/config.js';
import { domainsOf } from '../../domains.js';
import { workKindsOf } from '../../models/domain.js';
import { domainsWithSeed, findLatestSeed, requestSeedUndo, startSeed } from '../../models/system/work/seed.js';
import { WorkLoop } from '../../models/system/work/work-loop.js';
import type { WorkState } from '../../models/work.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { formatCount } from '../../terminal/import-progress.js';
import { print, printJson, tell } from '../../terminal/output.js';
import { whenToldToStop } from '../../terminal/signals.js';
import { actOfCommand } from '../support/act.js';
import { type DomainSession, finishWork, withDomains } from '../support/domain-session.js';

interface CommandOptions {
  readonly undo?: boolean;
  readonly json?: boolean;
}

interface Outcome {
  readonly domain: string;
  readonly state: WorkState | 'REFUSED';
  /** Steps. */
  readonly done: number;
  /** Items of undone sample data that stay, because they were changed. */
  readonly kept: number;
  readonly failure: string | null;
}

export const seedCommand = new Command('seed')
  .summary('add sample data, or undo it')
  .description(
    'fill empty domains with sample data: a site with traffic, a blog, a network of people, a shop with a catalog, a world to play in',
  )
  .argument('[domains...]', 'the domains to fill; default: all that run and have sample data')
  .option('--undo', 'remove the sample data that nobody has changed or used since')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nA domain that has data is refused. Exits with 1 when a domain was not filled or undone.' +
      '\nCtrl-C stops after a step; repeat the command to continue.',
  )
  .action(async (names: string[], options: CommandOptions) => {
    const outcomes = await seedAll(names, options);
    if (options.json) printJson(outcomes);
    const wanted = options.undo ? 'UNDONE' : 'FINISHED';
    if (outcomes.some(({ state }) => state !== wanted)) process.exitCode = EXIT_FAILED;
  });

const seedAll = (names: readonly string[], options: CommandOptions): Promise<Outcome[]> =>
  withDomains(
    (config) => requireSeeds(config, names),
    (session) => seedEach(session, names, options),
  );

/** @throws ConfigError before anything is opened: the data of a domain that is off would not be served */
function requireSeeds(config: Config, names: readonly string[]): void {
  const known = domainsOf(config).flatMap(({ name, seed }) => (seed ? [name] : []));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigError(`${unknown}: is not a domain that runs and has sample data. These do: ${known.join(', ')}`);
}

async function seedEach(session: DomainSession, names: readonly string[], options: CommandOptions): Promise<Outcome[]> {
  const { db, now, domains, steps } = session;
  let stopping = false;
  let shown = '';
  const loop = new WorkLoop(db, workKindsOf(domains), {
    holder: randomUUID(),
    now,
    onFault: (error) => tell((error as Error).message),
    onStep: ({ done, total }) => steps.show({ text: shown, ...(total && { done: done / total }) }),
  });
  whenToldToStop(() => {
    stopping = true;
    loop.stop();
  });
  const outcomes: Outcome[] = [];
  for (const { name } of domainsWithSeed(domains)) {
    if (stopping || (names.length > 0 && !names.includes(name))) continue;
    shown = options.undo ? `Undoing the sample data of ${name}` : `Filling ${name}`;
    const begun = performance.now();
    const outcome = await seedOne(session, name, options, loop, () => stopping);
    steps.end();
    outcomes.push(outcome);
    if (!options.json) print(describeOutcome(outcome, performance.now() - begun));
  }
  return outcomes;
}

async function seedOne(
  session: DomainSession,
  domain: string,
  options: CommandOptions,
  loop: WorkLoop,
  isStopping: () => boolean,
): Promise<Outcome> {
  const asked = options.undo ? await askUndo(session, domain) : await askFill(session, domain);
  if ('message' in asked) return { domain, state: 'REFUSED', done: 0, kept: 0, failure: asked.message };
  const { state, done, kept = 0, failure = null } = await finishWork(session.db, asked, loop, isStopping);
  return { domain, state, done, kept, failure };
}

function askFill({ db, now, config, domains }: DomainSession, domain: string) {
  return startSeed(db, actOfCommand(config.AUDIT_DAYS, now()), { domain, owner: null, domains });
}

/** An undo that has already started is continued: its process may have died. */
async function askUndo({ db, now, config, domains }: DomainSession, domain: string) {
  const latest = await findLatestSeed(db, domain);
  if (!latest) return { message: 'No sample data was added in the last 30 days' };
  const outcome = await requestSeedUndo(db, actOfCommand(config.AUDIT_DAYS, now()), latest._id, domains);
  if ('work' in outcome && outcome.work.state === 'UNDOING') return outcome.work;
  return outcome;
}

function describeOutcome({ domain, state, done, kept, failure }: Outcome, ms: number): string {
  const time = `after ${(ms / 1000).toFixed(1)} s`;
  const lines: Record<Outcome['state'], string[]> = {
    FINISHED: [`filled in ${formatCount(done)} steps, ${time}`, `To undo it: sextant seed ${domain} --undo`],
    UNDONE: [
      `undone, ${time}`,
      ...(kept > 0 ? [`${formatCount(kept)} items stay, because they were changed or used`] : []),
    ],
    FAILED: [`failed. ${failure}`, `To undo what was added: sextant seed ${domain} --undo`],
    REFUSED: [`not changed. ${failure}`],
    WAITING: ['stopped. Repeat the command to continue; a running server continues it by itself'],
    RUNNING: ['stopped. Another process is continuing it'],
    UNDOING: ['stopped. Repeat the command to continue; a running server continues it by itself'],
  };
  return `${domain}: ${lines[state].join('\n  ')}`;
}
