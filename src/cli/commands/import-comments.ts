/** `sextant import-comments`: comments from files of JSON lines. */
import { Command } from 'commander';
import { commentImport, startCommentImport } from '../../models/comments/comment-import.js';
import { findDiscussionAt } from '../support/commentable.js';
import { allRejectsOption, type ImportOutcome, refusedFile } from '../support/data-import.js';
import { withDomains } from '../support/domain-session.js';
import { importRows, reportImport } from '../support/rows-import.js';

interface CommandOptions {
  readonly on?: string;
  readonly strict?: boolean;
  readonly allRejects?: boolean;
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
  .addOption(allRejectsOption())
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action((file: string, options: CommandOptions) =>
    reportImport(() => importComments(file, options), { json: options.json, canBeUndone: false }),
  );

const importComments = (path: string, { on, strict = false, allRejects }: CommandOptions): Promise<ImportOutcome> =>
  withDomains(
    () => undefined,
    async (session) => {
      const below = await findDiscussionAt(session, on);
      if (below === undefined) return refusedFile(path, `There is nothing at ${on} that can be commented on`);
      return importRows(
        session,
        commentImport,
        path,
        (file) => startCommentImport(session.db, { ...file, below, isStrict: strict }, session.now()),
        { allRejects },
      );
    },
  );
