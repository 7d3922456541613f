/** `sextant import-network`: people, circles and posts from a file of JSON lines. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { LogFileError } from '../../models/analytics/log-import/log-source.js';
import { networkImport, startNetworkImport } from '../../models/social/import/network-import.js';
import type { WorkDocument } from '../../models/work.js';
import { InputError } from '../../shared/errors.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print, printJson } from '../../terminal/output.js';
import { actOfCommand } from '../support/act.js';
import { describeImport, type ImportOutcome, outcomeOfImport, refusedFile } from '../support/data-import.js';
import { requireDomain } from '../support/domain.js';
import { type DomainSession, withDomains } from '../support/domain-session.js';
import { DiskFile } from '../support/log-file.js';
import { workToEnd } from '../support/work-progress.js';

interface CommandOptions {
  readonly source: string;
  readonly json?: boolean;
}

export const importNetworkCommand = new Command('import-network')
  .summary('import people, circles and posts')
  .description(
    'import people, circles and posts from JSON lines (plain or gzip); importing a file of the same source again adds nothing twice. It cannot be undone',
  )
  .argument('<file>', 'the file')
  .requiredOption('--source <name>', 'where the people come from; their keys are unique in it')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nA server brings the posts into the news, also after this command.' +
      '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action(async (file: string, options: CommandOptions) => {
    const begun = performance.now();
    const outcome = await importNetwork(file, options);
    if (options.json) printJson(outcome);
    else print(describeImport(outcome, performance.now() - begun, false));
    if (outcome.state !== 'FINISHED' || outcome.rejected > 0) process.exitCode = EXIT_FAILED;
  });

const importNetwork = (path: string, { source }: CommandOptions): Promise<ImportOutcome> =>
  withDomains(
    (config) => requireDomain(config, 'social'),
    async (session) => {
      const started = await store(session, path, source);
      if (typeof started === 'string') return refusedFile(path, started);
      return outcomeOfImport(session.db, networkImport, path, await workToEnd(session, started));
    },
  );

/** @returns the work, or why the file is refused */
async function store({ db, now, config }: DomainSession, path: string, source: string): Promise<WorkDocument | string> {
  const file = await DiskFile.find(path).catch(messageOf);
  if (typeof file === 'string') return file;
  try {
    const upload = {
      id: randomUUID(),
      fileName: file.name,
      bytes: () => file.open(),
      source,
      owner: null,
      bytesMax: Number.POSITIVE_INFINITY, // it is on this disk already
    };
    const started = await startNetworkImport(db, actOfCommand(config.AUDIT_DAYS, now()), upload);
    return '_id' in started ? started : started.message;
  } catch (error) {
    return messageOf(error);
  } finally {
    await file.close();
  }
}

/** @throws what is about neither the file nor the source */
function messageOf(error: unknown): string {
  if (error instanceof LogFileError) return error.message;
  if (error instanceof InputError) return `The source ${String(error.details.rule)}`;
  throw error;
}
