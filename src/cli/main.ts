#!/usr/bin/env node
/** The command `sextant`. Each subcommand is one file. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { collectDocumentsCommand } from './collect-documents.js';
import { configCommand } from './config.js';
import { doctorCommand } from './doctor.js';
import { EXIT_USAGE, fail } from './failure.js';
import { fold, WIDTH } from './fold.js';
import { importCatalogCommand } from './import-catalog.js';
import { importLogCommand } from './import-log.js';
import { recoverCommand } from './recover.js';
import { resetPasswordCommand } from './reset-password.js';
import { rotateCursorKeyCommand } from './rotate-cursor-key.js';
import { serveCommand } from './serve.js';
import { shardPlanCommand } from './shard-plan.js';
import { undoImportCommand } from './undo-import.js';

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
  importLogCommand,
  importCatalogCommand,
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
