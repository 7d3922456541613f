/** `sextant undo-import`: removes what an import has stored: the requests and hits of a log, or content. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import {
  findLogImport,
  type LogImportDocument,
  progressOf,
  requestUndo,
} from '../../models/analytics/log-import/log-import.js';
import { workKindsOf } from '../../models/domain.js';
import { WorkLoop } from '../../models/system/work/work-loop.js';
import { requestUndo as requestDataUndo } from '../../models/system/work/work-start.js';
import { idOfType } from '../../shared/global-id.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { formatCount } from '../../terminal/import-progress.js';
import { print, tell } from '../../terminal/output.js';
import { whenToldToStop } from '../../terminal/signals.js';
import { actOfCommand } from '../support/act.js';
import { type DomainSession, finishWork, withDomains } from '../support/domain-session.js';
import { type ImporterSession, withImporter } from '../support/importer.js';

const POLL_MS = 500;

export const undoImportCommand = new Command('undo-import')
  .description('undo an import')
  .argument('<id>', 'the id that `import-log`, `import-content` or the API returned')
  .addHelpText(
    'after',
    '\nExits with 1 when it is not undone. Ctrl-C stops after a batch; repeat the command to continue.',
  )
  .action(async (id: string) => {
    const data = idOfType('DataImport', id) ?? (UUID.test(id) ? id : null); // that of a log has no hyphens
    const message = await (data === null
      ? withImporter((session) => undo(session, idOfType('LogImport', id) ?? id))
      : withDomains(noCheck, (session) => undoData(session, data)));
    print(message);
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const noCheck = (): void => undefined;

/** Of a domain with background work. */
async function undoData({ db, now, config, domains, steps }: DomainSession, id: string): Promise<string> {
  const kinds = workKindsOf(domains);
  const marked = await requestDataUndo(db, actOfCommand(config.AUDIT_DAYS, now()), {
    id,
    type: 'DataImport',
    owner: null,
    kinds,
  });
  // An undo that has already started is resumed: its process may have died.
  const found = '_id' in marked ? marked : 'work' in marked ? marked.work : null;
  if (!found || (found.state !== 'UNDOING' && found.state !== 'UNDONE'))
    return failed(`${id}: ${'message' in marked ? marked.message : 'It cannot be undone'}`);
  const name = found.file_name ?? id;
  const loop = new WorkLoop(db, kinds, {
    holder: randomUUID(),
    now,
    onFault: (error) => tell((error as Error).message),
    onStep: () => steps.show({ text: `Undoing ${name}` }),
  });
  let stopping = false;
  whenToldToStop(() => {
    stopping = true;
    loop.stop();
  });
  const { state, failure, imported = 0 } = await finishWork(db, found, loop, () => stopping);
  steps.end();
  if (state === 'FAILED') return failed(`${name}: ${failure}`);
  if (state !== 'UNDONE') return failed(`${name}: stopped. Repeat the command to continue`);
  const kept = imported > 0 ? `. ${formatCount(imported)} rows stay, because something was edited since` : '';
  return `${name}: undone${kept}`;
}

function failed(message: string): string {
  process.exitCode = EXIT_FAILED;
  return message;
}

async function undo(session: ImporterSession, id: string): Promise<string> {
  const marked = await requestUndo(session.db, actOfCommand(session.auditDays, session.now()), id);
  // An undo that has already started is resumed: its process may have died.
  const found = '_id' in marked ? marked : 'import' in marked ? marked.import : null;
  if (!found || (found.state !== 'UNDOING' && found.state !== 'UNDONE'))
    return failed(`${id}: ${'message' in marked ? marked.message : 'It cannot be undone'}`);
  session.follow(`Undoing ${found.file_name}`, progressOf);
  const { state } = await work(session, found);
  session.display.end();
  if (state === 'UNDONE') return `${found.file_name}: undone`;
  return failed(`${found.file_name}: stopped. Repeat the command to continue`);
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
