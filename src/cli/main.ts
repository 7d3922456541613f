#!/usr/bin/env node
/** The command `sextant`. Each subcommand is one file. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { EXIT_USAGE, fail } from '../terminal/failure.js';
import { fold, WIDTH } from '../terminal/fold.js';
import { collectDocumentsCommand } from './commands/collect-documents.js';
import { configCommand } from './commands/config.js';
import { doctorCommand } from './commands/doctor.js';
import { importCatalogCommand } from './commands/import-catalog.js';
import { importContentCommand } from './commands/import-content.js';
import { importLogCommand } from './commands/import-log.js';
import { recoverCommand } from './commands/recover.js';
import { resetPasswordCommand } from './commands/reset-password.js';
import { rotateCursorKeyCommand } from './commands/rotate-cursor-key.js';
import { seedCommand } from './commands/seed.js';
import { serveCommand } from './commands/serve.js';
import { shardPlanCommand } from './commands/shard-plan.js';
import { undoImportCommand } from './commands/undo-import.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('sextant')
  .description('A realtime GraphQL backend on MongoDB. Settings come from the environment: see `sextant config`')
  .version(version, '--version', 'show the version')
  .configureOutput({
    writeOut: (text) => process.stdout.write(fold(text)),
    writeErr: (text) => process.stderr.write(fold(text)),
    getOutHelpWidth: () => WIDTH,
    getErrHelpWidth: () => WIDTH,
  })
  .showHelpAfterError('Help: sextant --help, or sextant COMMAND --help')
  .helpCommand(false);

const commands = [
  serveCommand,
  seedCommand,
  importLogCommand,
  importCatalogCommand,
  importContentCommand,
  undoImportCommand,
  collectDocumentsCommand,
  configCommand,
  doctorCommand,
  recoverCommand,
  resetPasswordCommand,
  shardPlanCommand,
  rotateCursorKeyCommand,
];
for (const command of commands) {
  program.addCommand(command.copyInheritedSettings(program).exitOverride());
}
program.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed the problem; requested help is not an error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  else fail(error);
}
