/** `sextant export-comments`: comments to a file that `import-comments` reads. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { startCommentExport } from '../../models/comments/export/comment-export.js';
import type { WorkDocument } from '../../models/work.js';
import { findDiscussionAt } from '../support/commentable.js';
import { type ExportOptions, exportToFile, withExportOptions } from '../support/data-export.js';
import { type DomainSession, withDomains } from '../support/domain-session.js';

export const exportCommentsCommand = withExportOptions(
  new Command('export-comments')
    .summary('export comments')
    .description('export comments as JSON lines, in every state')
    .argument('[path]', 'of the page whose comments, and those below it, are exported; default: all comments'),
).action((path: string | undefined, options: ExportOptions) =>
  withDomains(
    () => undefined,
    (session) => exportToFile(session, options, () => begin(session, path)),
  ),
);

/** @returns the work, or why there is none */
async function begin(session: DomainSession, path: string | undefined): Promise<WorkDocument | string> {
  const below = await findDiscussionAt(session, path);
  if (below === undefined) return `There is nothing at ${path} that can be commented on`;
  return startCommentExport(
    session.db,
    { id: randomUUID(), below, withPrivate: true, name: 'comments', owner: null },
    session.now(),
  );
}
