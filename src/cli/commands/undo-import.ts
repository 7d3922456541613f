/** `sextant undo-import`: removes the requests and the hits of an import. */
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import {
  findLogImport,
  type LogImportDocument,
  progressOf,
  requestUndo,
} from '../../models/analytics/log-import/log-import.js';
import { idOfType } from '../../shared/global-id.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print } from '../../terminal/output.js';
import { actOfCommand } from '../support/act.js';
import { type ImporterSession, withImporter } from '../support/importer.js';

const POLL_MS = 500;

export const undoImportCommand = new Command('undo-import')
  .description('undo an import')
  .argument('<id>', 'the id that `import-log` or the API returned')
  .addHelpText(
    'after',
    '\nExits with 1 when it is not undone. Ctrl-C stops after a batch; repeat the command to continue.',
  )
  .action(async (id: string) => {
    const stored = idOfType('LogImport', id) ?? id;
    const message = await withImporter((session) => undo(session, stored));
    print(message);
  });

async function undo(session: ImporterSession, id: string): Promise<string> {
  const marked = await requestUndo(session.db, actOfCommand(session.auditDays, session.now()), id);
  // An undo that has already started is resumed: its process may have died.
  const found = '_id' in marked ? marked : 'import' in marked ? marked.import : null;
  if (!found || (found.state !== 'UNDOING' && found.state !== 'UNDONE')) {
    process.exitCode = EXIT_FAILED;
    return `${id}: ${'message' in marked ? marked.message : 'It cannot be undone'}`;
  }
  session.follow(`Undoing ${found.file_name}`, progressOf);
  const { state } = await work(session, found);
  session.display.end();
  if (state === 'UNDONE') return `${found.file_name}: undone`;
  process.exitCode = EXIT_FAILED;
  return `${found.file_name}: stopped. Repeat the command to continue`;
}

/** Works on it until it is undone, or waits for the process that is already working on it. */
async function work({ db, importer, isStopping }: ImporterSession, found: LogImportDocument) {
  for (;;) {
    const outcome = await importer.run(found._id);
    if (outcome !== 'BUSY') return outcome ?? (await findLogImport(db, found._id)) ?? found;
    if (isStopping()) return found;
    await pause(POLL_MS);
  }
}
