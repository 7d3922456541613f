/** `sextant import-world`: locations, folk and items of the game from files. */
import { Command, Option } from 'commander';
import type { WorldFormat } from '../../models/game/import/source-rows.js';
import { startWorldImport, worldImport } from '../../models/game/import/world-import.js';
import { InputError, LimitError } from '../../shared/errors.js';
import { actOfCommand } from '../support/act.js';
import { allRejectsOption, type ImportOutcome } from '../support/data-import.js';
import { requireDomain } from '../support/domain.js';
import { withDomains } from '../support/domain-session.js';
import { JoinedFiles } from '../support/joined-files.js';
import { importRows, reportImport } from '../support/rows-import.js';

interface CommandOptions {
  readonly format: keyof typeof FORMATS;
  readonly prefix?: string;
  readonly allRejects?: boolean;
  readonly json?: boolean;
}

const FORMATS = {
  'json-lines': 'JSON_LINES',
  'open-adventure': 'OPEN_ADVENTURE',
  ranvier: 'RANVIER',
  architext: 'ARCHITEXT',
} as const satisfies Record<string, WorldFormat>;

export const importWorldCommand = new Command('import-world')
  .summary('import worlds of the game')
  .description(
    'import locations, folk and items of the game; importing them again changes nothing, and what exists stays where it is. It cannot be undone',
  )
  .argument('<files...>', 'the files of one world (plain or gzip), in any order')
  .addOption(new Option('--format <format>', 'of the files').choices(Object.keys(FORMATS)).default('json-lines'))
  .option('--prefix <prefix>', 'put before all keys, so that worlds do not collide: letters and digits')
  .addOption(allRejectsOption())
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nWhat this world cannot have, such as exits that work by chance, is listed with the reason.' +
      '\nExits with 1 when a row was rejected. Ctrl-C stops after a batch; a server continues, or repeat the command.',
  )
  .action((files: string[], options: CommandOptions) =>
    reportImport(() => importWorld(files, options), { json: options.json, canBeUndone: false }),
  );

const importWorld = (
  paths: readonly string[],
  { format, prefix, allRejects }: CommandOptions,
): Promise<ImportOutcome> =>
  withDomains(
    (config) => requireDomain(config, 'game'),
    async (session) => {
      const joined = new JoinedFiles(paths);
      const outcome = await importRows(
        session,
        worldImport,
        joined.name,
        async (file) => {
          const { db, now, config } = session;
          const act = actOfCommand(config.AUDIT_DAYS, now());
          return startWorldImport(db, act, { ...file, format: FORMATS[format], prefix }).catch(refusedInput);
        },
        { allRejects, find: () => joined.find() },
      );
      return { ...outcome, rejects: outcome.rejects.map((reject) => ({ ...reject, ...joined.placeOf(reject.line) })) };
    },
  );

/** @throws what is not about the files or the prefix */
function refusedInput(error: unknown): { readonly message: string } {
  if (error instanceof InputError) return { message: `The prefix ${String(error.details.rule)}` };
  if (error instanceof LimitError) return { message: error.message };
  throw error;
}
