/** `sextant import-content`: nodes from files of JSON lines and feeds. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Command, Option } from 'commander';
import { LogFileError } from '../../models/analytics/log-import/log-source.js';
import { type ContentFormat, contentImport } from '../../models/content/import/content-import.js';
import { startContentImport } from '../../models/content/import/content-upload.js';
import { findByPath } from '../../models/content/nodes/node-path.js';
import type { WorkDocument } from '../../models/work.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print, printJson } from '../../terminal/output.js';
import { describeImport, type ImportOutcome, outcomeOfImport, refusedFile } from '../support/data-import.js';
import { requireDomain } from '../support/domain.js';
import { type DomainSession, withDomains } from '../support/domain-session.js';
import { DiskFile } from '../support/log-file.js';
import { workToEnd } from '../support/work-progress.js';

interface CommandOptions {
  readonly parent?: string;
  readonly format?: string;
  readonly author: string;
  readonly drafts?: boolean;
  readonly json?: boolean;
}

const FEED_NAME = /\.(xml|rss|atom)(\.gz)?$/i;

export const importContentCommand = new Command('import-content')
  .summary('import pages and posts')
  .description(
    'import pages and posts from JSON lines or a feed (plain or gzip); importing a file again adds only what is missing',
  )
  .argument('<file>', 'the file')
  .option('--parent <path>', 'the path of the node to import it below, for example /blog; default: the root')
  .addOption(new Option('--format <form>', 'default: by the name of the file').choices(['json-lines', 'feed']))
  .option('--author <name>', 'the author of what has none', 'Import')
  .option('--drafts', 'import everything as drafts')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action(async (file: string, options: CommandOptions) => {
    const begun = performance.now();
    const outcome = await importContent(file, options);
    if (options.json) printJson(outcome);
    else print(describeImport(outcome, performance.now() - begun));
    if (outcome.state !== 'FINISHED' || outcome.rejected > 0) process.exitCode = EXIT_FAILED;
  });

const importContent = (path: string, options: CommandOptions): Promise<ImportOutcome> =>
  withDomains(
    (config) => requireDomain(config, 'content'),
    async (session) => {
      const started = await store(session, path, options);
      if (typeof started === 'string') return refusedFile(path, started);
      return outcomeOfImport(session.db, contentImport, path, await workToEnd(session, started));
    },
  );

/** @returns the work, or why the file is refused */
async function store(
  { db, now }: DomainSession,
  path: string,
  options: CommandOptions,
): Promise<WorkDocument | string> {
  const parent = options.parent === undefined ? null : await findByPath(db, options.parent);
  if (options.parent !== undefined && !parent) return `There is no node at ${options.parent}`;
  const file = await DiskFile.find(path).catch(messageOf);
  if (typeof file === 'string') return file;
  try {
    const upload = {
      id: randomUUID(),
      fileName: file.name,
      bytes: () => file.open(),
      parentId: parent?.node._id ?? null,
      format: formatOf(path, options),
      asDrafts: options.drafts ?? false,
      owner: null,
      author: { name: options.author },
      bytesMax: Number.POSITIVE_INFINITY, // it is on this disk already
    };
    const started = await startContentImport(db, upload, now());
    return '_id' in started ? started : started.message;
  } catch (error) {
    return messageOf(error);
  } finally {
    await file.close();
  }
}

/** @throws what is not about the file */
function messageOf(error: unknown): string {
  if (error instanceof LogFileError) return error.message;
  throw error;
}

const formatOf = (path: string, { format }: CommandOptions): ContentFormat =>
  format === 'feed' || (format === undefined && FEED_NAME.test(path)) ? 'FEED' : 'JSON_LINES';
