/** `sextant import-content`: nodes from files of JSON lines and feeds. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import type { Db } from 'mongodb';
import { LogFileError, openUnpacked } from '../../models/analytics/log-import/log-source.js';
import { type ContentFormat, contentImport } from '../../models/content/import/content-import.js';
import { startContentImport } from '../../models/content/import/content-upload.js';
import { findByPath } from '../../models/content/nodes/node-path.js';
import { workKindsOf } from '../../models/domain.js';
import { findRejectedRows, reasonInWords } from '../../models/system/work/data-import.js';
import { WorkLoop } from '../../models/system/work/work-loop.js';
import type { WorkDocument } from '../../models/work.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { unbroken } from '../../terminal/fold.js';
import { formatCount, ProgressDisplay } from '../../terminal/import-progress.js';
import { print, printJson, tell } from '../../terminal/output.js';
import { whenToldToStop } from '../../terminal/signals.js';
import { requireDomain } from '../support/domain.js';
import { type DomainSession, finishWork, withDomains } from '../support/domain-session.js';
import { DiskFile } from '../support/log-file.js';

interface CommandOptions {
  readonly parent?: string;
  readonly format?: string;
  readonly author: string;
  readonly drafts?: boolean;
  readonly json?: boolean;
}

interface Outcome {
  readonly file: string;
  readonly state: string;
  /** Its id in the API. Null when the file was refused. */
  readonly import: string | null;
  readonly imported: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly failure: string | null;
  /** The first rejected rows. */
  readonly rejects: readonly { readonly line: number; readonly reason: string }[];
}

const REJECTS_SHOWN = 20;
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
    else print(describeOutcome(outcome, performance.now() - begun));
    if (outcome.state !== 'FINISHED' || outcome.rejected > 0) process.exitCode = EXIT_FAILED;
  });

const importContent = (path: string, options: CommandOptions): Promise<Outcome> =>
  withDomains(
    (config) => requireDomain(config, 'content'),
    async (session) => {
      const started = await store(session, path, options);
      if (typeof started === 'string') return refused(path, started);
      return outcomeOf(session.db, path, await runToEnd(session, started));
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
    const { bytes } = await openUnpacked(file);
    const upload = {
      id: randomUUID(),
      fileName: file.name,
      bytes: () => Readable.from(bytes),
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
  const isDamaged = /^Z_/.test((error as { code?: string }).code ?? ''); // as gzip
  if (error instanceof LogFileError || isDamaged) return (error as Error).message;
  throw error;
}

const formatOf = (path: string, { format }: CommandOptions): ContentFormat =>
  format === 'feed' || (format === undefined && FEED_NAME.test(path)) ? 'FEED' : 'JSON_LINES';

/** Does the work, or waits for the server that has taken it up. */
async function runToEnd({ db, now, domains }: DomainSession, started: WorkDocument): Promise<WorkDocument> {
  const display = new ProgressDisplay(process.stderr, () => performance.now());
  const show = (name: string, { done }: Readonly<WorkDocument>) => display.show({ name, lines: done, done: null });
  const loop = new WorkLoop(db, workKindsOf(domains), {
    holder: randomUUID(),
    now,
    onFault: (error) => tell((error as Error).message),
    onStep: (work) => show(started.file_name ?? '', work),
  });
  let stopping = false;
  whenToldToStop(() => {
    stopping = true;
    loop.stop();
  });
  try {
    const onWait = (work: WorkDocument) => show(`${started.file_name} (by a server)`, work);
    return await finishWork(db, started, loop, () => stopping, onWait);
  } finally {
    display.end();
  }
}

function refused(file: string, failure: string): Outcome {
  return { file, state: 'REFUSED', import: null, imported: 0, skipped: 0, rejected: 0, failure, rejects: [] };
}

async function outcomeOf(db: Db, file: string, work: WorkDocument): Promise<Outcome> {
  const { _id, type, state, imported = 0, skipped = 0, rejected = 0, failure = null } = work;
  const { edges } = await findRejectedRows(db, _id, { first: REJECTS_SHOWN });
  const rejects = edges.map(({ node: { line, reason } }) => ({
    line,
    reason: reasonInWords([contentImport], work, reason),
  }));
  return { file, state, import: toGlobalId(type, _id), imported, skipped, rejected, failure, rejects };
}

function describeOutcome(outcome: Outcome, ms: number): string {
  const { file, state, import: id, imported, skipped, rejected, rejects, failure } = outcome;
  const figures = [
    `${formatCount(imported)} imported`,
    `${formatCount(skipped)} there already`,
    `${formatCount(rejected)} rejected`,
  ];
  return [
    `${unbroken(file)}: ${figures.join(', ')}, after ${(ms / 1000).toFixed(1)} s`,
    ...rejects.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(rejected > rejects.length ? [`  and ${formatCount(rejected - rejects.length)} more`] : []),
    ...(failure === null ? [] : [`  ${failure}`]),
    ...(state === 'FINISHED' && imported > 0
      ? [`  To undo it: sextant undo-import ${idOfType('DataImport', id ?? '')}`]
      : []),
    ...(state === 'WAITING' ? ['  Stopped. A server continues it, or repeat the command'] : []),
  ].join('\n');
}
