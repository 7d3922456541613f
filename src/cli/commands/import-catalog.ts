/** `sextant import-catalog`: products and categories from files of JSON lines. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';
import { Command } from 'commander';
import type { Db } from 'mongodb';
import { readConfig, readEnvironment } from '../../config/config.js';
import { buildIndexes, openClock } from '../../database/index.js';
import { LogFileError, openUnpacked } from '../../models/analytics/log-import/log-source.js';
import { type CatalogImportProgress, importCatalog } from '../../models/commerce/catalog-import/catalog-import.js';
import { cutLines } from '../../models/commerce/catalog-import/catalog-lines.js';
import type { Act } from '../../models/people/audit.js';
import { armFailpoint } from '../../shared/failpoint.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { unbroken } from '../../terminal/fold.js';
import { formatCount, ProgressDisplay } from '../../terminal/import-progress.js';
import { print, printJson } from '../../terminal/output.js';
import { whenToldToStop } from '../../terminal/signals.js';
import { makeSteps } from '../../terminal/steps.js';
import { actOfCommand } from '../support/act.js';
import { openCommandDatabase } from '../support/command-database.js';
import { requireDomain } from '../support/domain.js';
import { DiskFile } from '../support/log-file.js';

interface CommandOptions {
  readonly rejects?: string;
  readonly json?: boolean;
}

interface FileOutcome extends CatalogImportProgress {
  readonly file: string;
  /** Why it was not read to the end. Null when it was. */
  readonly failure: string | null;
  /** The first rejected lines. */
  readonly rejects: readonly { readonly line: number; readonly reason: string }[];
}

const REJECTS_SHOWN = 20;
const NOTHING: CatalogImportProgress = { lines: 0, products: 0, categories: 0, rejected: 0 };

export const importCatalogCommand = new Command('import-catalog')
  .summary('import products and categories')
  .description('import products and categories from JSON lines; importing them again changes nothing')
  .argument('<files...>', 'the files, imported in this order')
  .option('--rejects <file>', 'write every rejected line to this file, with its number and the reason')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nA line is a product, as in `saveProducts`, or {"category": {"slug", "name", "under"}}.' +
      '\nExits with 1 when a line was rejected. Ctrl-C stops after a batch; repeat the command to continue.',
  )
  .action(async (files: string[], options: CommandOptions) => {
    const outcomes = await importAll(files, options);
    if (options.json) printJson(outcomes);
    if (outcomes.some(({ failure, rejected }) => failure !== null || rejected > 0)) process.exitCode = EXIT_FAILED;
  });

async function importAll(files: readonly string[], options: CommandOptions): Promise<FileOutcome[]> {
  const config = readConfig(readEnvironment());
  requireDomain(config, 'commerce');
  if (config.SEXTANT_FAILPOINT) armFailpoint(config.SEXTANT_FAILPOINT);
  const steps = makeSteps(process.stderr);
  const { client, db, close } = await openCommandDatabase(config, steps);
  const rejects = options.rejects === undefined ? null : createWriteStream(options.rejects);
  try {
    steps.show({ text: 'Building indexes' });
    await buildIndexes(db);
    const now = await openClock(client);
    steps.end();
    let stopping = false;
    whenToldToStop(() => {
      stopping = true;
    });
    const outcomes: FileOutcome[] = [];
    for (const file of files) {
      if (stopping) break;
      const begun = performance.now();
      const outcome = await importFile(db, file, {
        act: actOfCommand(config.AUDIT_DAYS, now()),
        currency: config.CURRENCY,
        rejects,
        isStopping: () => stopping,
      });
      outcomes.push(outcome);
      if (!options.json) print(describeOutcome(outcome, performance.now() - begun));
    }
    return outcomes;
  } finally {
    rejects?.end();
    if (rejects) await finished(rejects);
    steps.end();
    await close();
  }
}

interface FileOptions {
  readonly act: Act;
  readonly currency: string;
  readonly rejects: WriteStream | null;
  readonly isStopping: () => boolean;
}

async function importFile(
  db: Db,
  path: string,
  { act, currency, rejects, isStopping }: FileOptions,
): Promise<FileOutcome> {
  const shown: { line: number; reason: string }[] = [];
  const display = new ProgressDisplay(process.stderr, () => performance.now());
  let progress = NOTHING;
  let source: DiskFile | null = null;
  // Unreadable lines are reported before refused ones, batch by batch; people read them in line order.
  const outcome = (failure: string | null): FileOutcome => ({
    file: path,
    ...progress,
    failure,
    rejects: shown.sort((one, other) => one.line - other.line),
  });
  try {
    const file = await DiskFile.find(path);
    source = file;
    const { bytes: unpacked, size, expectedSize } = await openUnpacked(file);
    progress = await importCatalog(db, cutLines(unpacked), {
      act,
      currency,
      holder: randomUUID(),
      isStopping,
      onProgress: (now, bytes) => {
        progress = now;
        const expected = size ?? expectedSize();
        display.show({ name: file.name, lines: now.lines, done: expected && Math.min(1, bytes / expected) });
      },
      onReject: (line, reason) => {
        if (shown.length < REJECTS_SHOWN) shown.push({ line, reason });
        rejects?.write(`${JSON.stringify({ file: path, line, reason })}\n`);
      },
    });
    return outcome(isStopping() ? 'Stopped; repeat the command to continue' : null);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return outcome((error as Error).message);
  } finally {
    await source?.close();
    display.end();
  }
}

/** The file does not exist, or its gzip data is damaged or truncated. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof LogFileError || /^(Z_|E[A-Z]+$)/.test((error as { code?: string }).code ?? '');

function describeOutcome({ file, lines, products, categories, rejected, rejects, failure }: FileOutcome, ms: number) {
  const figures = [
    `${formatCount(lines)} lines`,
    `${formatCount(products)} products`,
    `${formatCount(categories)} new categories`,
    `${formatCount(rejected)} rejected`,
  ];
  return [
    `${unbroken(file)}: ${figures.join(', ')}, after ${(ms / 1000).toFixed(1)} s`,
    ...rejects.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(rejected > rejects.length ? [`  and ${formatCount(rejected - rejects.length)} more`] : []),
    ...(failure === null ? [] : [`  ${failure}`]),
  ].join('\n');
}
