/** `sextant import-comments`: comments from files of JSON lines. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { LogFileError } from '../../models/analytics/log-import/log-source.js';
import { commentImport, startCommentImport } from '../../models/comments/comment-import.js';
import type { WorkDocument } from '../../models/work.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print, printJson } from '../../terminal/output.js';
import { findDiscussionAt } from '../support/commentable.js';
import { describeImport, type ImportOutcome, outcomeOfImport, refusedFile } from '../support/data-import.js';
import { type DomainSession, withDomains } from '../support/domain-session.js';
import { DiskFile } from '../support/log-file.js';
import { workToEnd } from '../support/work-progress.js';

interface CommandOptions {
  readonly on?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export const importCommentsCommand = new Command('import-comments')
  .summary('import comments')
  .description(
    'import comments from JSON lines (plain or gzip); importing a file again adds nothing twice. It cannot be undone',
  )
  .argument('<file>', 'the file')
  .option('--on <path>', 'the page that rows without a path are on, and below which the paths of the others begin')
  .option('--strict', 'store nothing if a row is rejected when the file is read')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action(async (file: string, options: CommandOptions) => {
    const begun = performance.now();
    const outcome = await importComments(file, options);
    if (options.json) printJson(outcome);
    else print(describeImport(outcome, performance.now() - begun, false));
    if (outcome.state !== 'FINISHED' || outcome.rejected > 0) process.exitCode = EXIT_FAILED;
  });

const importComments = (path: string, options: CommandOptions): Promise<ImportOutcome> =>
  withDomains(
    () => undefined,
    async (session) => {
      const started = await store(session, path, options);
      if (typeof started === 'string') return refusedFile(path, started);
      return outcomeOfImport(session.db, commentImport, path, await workToEnd(session, started));
    },
  );

/** @returns the work, or why the file is refused */
async function store(
  session: DomainSession,
  path: string,
  { on, strict = false }: CommandOptions,
): Promise<WorkDocument | string> {
  const below = await findDiscussionAt(session, on);
  if (below === undefined) return `There is nothing at ${on} that can be commented on`;
  const file = await DiskFile.find(path).catch(messageOf);
  if (typeof file === 'string') return file;
  try {
    const upload = {
      id: randomUUID(),
      fileName: file.name,
      bytes: () => file.open(),
      below,
      isStrict: strict,
      owner: null,
      bytesMax: Number.POSITIVE_INFINITY, // it is on this disk already
    };
    const started = await startCommentImport(session.db, upload, session.now());
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
