/** `sextant import-content`: nodes from files of JSON lines and feeds. */
import { Command, Option } from 'commander';
import { type ContentFormat, contentImport } from '../../models/content/import/content-import.js';
import { startContentImport } from '../../models/content/import/content-upload.js';
import { findByPath } from '../../models/content/nodes/node-path.js';
import { allRejectsOption, type ImportOutcome, refusedFile } from '../support/data-import.js';
import { requireDomain } from '../support/domain.js';
import { withDomains } from '../support/domain-session.js';
import { importRows, type RowsFile, reportImport } from '../support/rows-import.js';

interface CommandOptions {
  readonly parent?: string;
  readonly format?: string;
  readonly author: string;
  readonly drafts?: boolean;
  readonly allRejects?: boolean;
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
  .addOption(allRejectsOption())
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action((file: string, options: CommandOptions) =>
    reportImport(() => importContent(file, options), { json: options.json, canBeUndone: true }),
  );

const importContent = (path: string, options: CommandOptions): Promise<ImportOutcome> =>
  withDomains(
    (config) => requireDomain(config, 'content'),
    async (session) => {
      const { db, now } = session;
      const parent = options.parent === undefined ? null : await findByPath(db, options.parent);
      if (options.parent !== undefined && !parent) return refusedFile(path, `There is no node at ${options.parent}`);
      const start = (file: RowsFile) => {
        const upload = {
          ...file,
          parentId: parent?.node._id ?? null,
          format: formatOf(path, options),
          asDrafts: options.drafts ?? false,
          author: { name: options.author },
        };
        return startContentImport(db, upload, now());
      };
      return importRows(session, contentImport, path, start, options);
    },
  );

const formatOf = (path: string, { format }: CommandOptions): ContentFormat =>
  format === 'feed' || (format === undefined && FEED_NAME.test(path)) ? 'FEED' : 'JSON_LINES';
