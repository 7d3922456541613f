/** `sextant import-network`: people, circles and posts from a file of JSON lines. */
import { Command } from 'commander';
import { networkImport, startNetworkImport } from '../../models/social/import/network-import.js';
import { InputError } from '../../shared/errors.js';
import { actOfCommand } from '../support/act.js';
import { allRejectsOption, type ImportOutcome } from '../support/data-import.js';
import { requireDomain } from '../support/domain.js';
import { withDomains } from '../support/domain-session.js';
import { importRows, reportImport } from '../support/rows-import.js';

interface CommandOptions {
  readonly source: string;
  readonly allRejects?: boolean;
  readonly json?: boolean;
}

export const importNetworkCommand = new Command('import-network')
  .summary('import people, circles and posts')
  .description(
    'import people, circles and posts from JSON lines (plain or gzip); importing a file of the same source again adds nothing twice. It cannot be undone',
  )
  .argument('<file>', 'the file')
  .requiredOption('--source <name>', 'where the people come from; their keys are unique in it')
  .addOption(allRejectsOption())
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nA server brings the posts into the news, also after this command.' +
      '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action((file: string, options: CommandOptions) =>
    reportImport(() => importNetwork(file, options), { json: options.json, canBeUndone: false }),
  );

const importNetwork = (path: string, { source, allRejects }: CommandOptions): Promise<ImportOutcome> =>
  withDomains(
    (config) => requireDomain(config, 'social'),
    (session) =>
      importRows(
        session,
        networkImport,
        path,
        async (file) => {
          const { db, now, config } = session;
          const act = actOfCommand(config.AUDIT_DAYS, now());
          return startNetworkImport(db, act, { ...file, source }).catch(refusedSource);
        },
        { allRejects },
      ),
  );

/** @throws what is not about the source */
function refusedSource(error: unknown): { readonly message: string } {
  if (error instanceof InputError) return { message: `The source ${String(error.details.rule)}` };
  throw error;
}
