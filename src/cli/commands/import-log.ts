/** `sextant import-log`: access logs from files or standard input into the request log and the hit counters. */
import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findGrowth, keptFrom } from '../../models/analytics/log-growth/log-growth.js';
import { enlistFile } from '../../models/analytics/log-import/log-identity.js';
import {
  findLogImport,
  type LogImportDocument,
  type LogImportOptions,
  progressOf,
} from '../../models/analytics/log-import/log-import.js';
import { LogFileError, type LogSource } from '../../models/analytics/log-import/log-source.js';
import { takeUpload } from '../../models/analytics/log-import/log-upload.js';
import { normalizeHost } from '../../models/analytics/sites/site.js';
import { InputError } from '../../shared/errors.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print, printJson, tell } from '../../terminal/output.js';
import { describeOutcome, type FileOutcome, outcomeOf, refused } from '../support/import-outcome.js';
import { type ImporterSession, withImporter } from '../support/importer.js';
import { DiskFile } from '../support/log-file.js';

interface CommandOptions {
  readonly site: string;
  readonly durability: string;
  readonly hits: boolean;
  readonly leaveOutRobots?: boolean;
  readonly format?: string;
  readonly json?: boolean;
}

const STANDARD_INPUT = '-';
const POLL_MS = 500;

export const importLogCommand = new Command('import-log')
  .summary('import access logs, each line once')
  .description(
    'import access logs (Apache common or combined, plain or gzip); importing a file again counts nothing twice',
  )
  .argument('<files...>', 'the logs, imported in this order; - is standard input')
  .requiredOption('--site <host>', "the site's hostname; a new site is created with the first readable line", parseSite)
  .addOption(
    new Option('--durability <level>', 'how durably each batch is stored before the next one')
      .choices(['majority', 'journaled', 'acknowledged', 'fire-and-forget'])
      .default('majority'),
  )
  .option('--no-hits', 'store requests only, do not count hits')
  .option('--leave-out-robots', 'do not count hits by known robots')
  .addOption(
    new Option('--format <form>', 'the line format; default: detected per line').choices(['common', 'combined']),
  )
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when a file was not imported completely. Ctrl-C stops after a batch; repeat the command to continue.',
  )
  .action(async (files: string[], options: CommandOptions) => {
    const outcomes = await withImporter((session) => importAll(session, files, options));
    if (options.json) printJson(outcomes);
    if (outcomes.some(({ state }) => state !== 'FINISHED')) process.exitCode = EXIT_FAILED;
  });

async function importAll(session: ImporterSession, files: readonly string[], options: CommandOptions) {
  const outcomes: FileOutcome[] = [];
  await tellWindow(session);
  for (const file of files) {
    if (session.isStopping()) break;
    const begun = performance.now();
    const outcome = await importOne(session, file, options);
    session.display.end();
    outcomes.push(outcome);
    if (!options.json) print(describeOutcome(outcome, performance.now() - begun));
  }
  return outcomes;
}

/** Announced before anything is read: lines older than the log's retention are rejected, and count no hits. */
async function tellWindow({ db, now }: ImporterSession): Promise<void> {
  const kept = keptFrom(await findGrowth(db), now());
  if (kept) tell(`The log keeps requests since ${kept.toISOString()}: older lines are rejected`);
}

async function importOne(session: ImporterSession, file: string, options: CommandOptions): Promise<FileOutcome> {
  try {
    const input = { site: options.site, options: importOptions(options) };
    if (file === STANDARD_INPUT) return await importStandardInput(session, file, input);
    const source = await DiskFile.find(file);
    return await importFile(session, source, input).finally(() => source.close());
  } catch (error) {
    if (error instanceof LogFileError) return refused(file, error.message);
    throw error;
  }
}

interface ImportInput {
  readonly site: string;
  readonly options: LogImportOptions;
}

async function importFile(session: ImporterSession, source: DiskFile, input: ImportInput): Promise<FileOutcome> {
  const enlisted = await enlistFile(session.db, source, { ...input, file: null }, session.now());
  if (!('document' in enlisted)) return refused(source.path, enlisted.message);
  session.follow(source.name, progressOf);
  const { document, unread } = enlisted;
  return outcomeOf(source.path, unread ? await work(session, document, source) : document, unread);
}

/** Standard input cannot be read twice: it is stored first, like an upload, so that any process can resume it. */
async function importStandardInput(session: ImporterSession, file: string, input: ImportInput): Promise<FileOutcome> {
  const name = 'standard input';
  const taken = await takeUpload(session.db, { name, bytes: () => process.stdin }, input, session.now());
  if (!('_id' in taken)) return refused(file, taken.message);
  session.follow(name, progressOf);
  return outcomeOf(file, await work(session, taken, null), taken.state !== 'FINISHED');
}

/** Works on the import until it ends, or waits for the process that is already working on it. */
async function work(
  session: ImporterSession,
  found: LogImportDocument,
  source: LogSource | null,
): Promise<LogImportDocument> {
  const { db, importer, display, isStopping } = session;
  for (;;) {
    const outcome = await importer.run(found._id, source);
    if (outcome !== 'BUSY') return outcome ?? (await findLogImport(db, found._id)) ?? found;
    const other = (await findLogImport(db, found._id)) ?? found;
    display.show({ name: `${other.file_name} (by another process)`, lines: other.lines, done: null });
    if (isStopping()) return other;
    await pause(POLL_MS);
  }
}

const importOptions = ({ durability, hits, leaveOutRobots, format }: CommandOptions): LogImportOptions => ({
  durability: durability.toUpperCase().replaceAll('-', '_') as LogImportOptions['durability'],
  count_hits: hits,
  leave_out_robots: leaveOutRobots ?? false,
  format: format?.toUpperCase() as LogImportOptions['format'],
});

function parseSite(text: string): string {
  try {
    return normalizeHost('--site', text);
  } catch (error) {
    throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
  }
}
