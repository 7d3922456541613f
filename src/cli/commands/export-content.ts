/** `sextant export-content`: nodes to a file that `import-content` reads. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { startContentExport } from '../../models/content/export/content-export.js';
import { findByPath } from '../../models/content/nodes/node-path.js';
import type { WorkDocument } from '../../models/work.js';
import { type ExportOptions, exportToFile, withExportOptions } from '../support/data-export.js';
import { requireDomain } from '../support/domain.js';
import { type DomainSession, withDomains } from '../support/domain-session.js';

export const exportContentCommand = withExportOptions(
  new Command('export-content')
    .summary('export pages and posts')
    .description('export pages and posts as JSON lines, with their versions, pictures and former paths')
    .argument('[path]', 'of the node below which everything is exported, for example /blog; default: all content'),
).action((path: string | undefined, options: ExportOptions) =>
  withDomains(
    (config) => requireDomain(config, 'content'),
    (session) => exportToFile(session, options, () => begin(session, path)),
  ),
);

/** @returns the work, or why there is none */
async function begin({ db, now }: DomainSession, path: string | undefined): Promise<WorkDocument | string> {
  const parent = path === undefined ? null : await findByPath(db, path);
  if (path !== undefined && !parent) return `There is no node at ${path}`;
  return startContentExport(db, { id: randomUUID(), parentId: parent?.node._id ?? null, owner: null }, now());
}
