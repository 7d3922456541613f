#!/usr/bin/env node
/** The command `sextant`. Each subcommand is one file. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { EXIT_USAGE, fail } from '../terminal/failure.js';
import { fold, WIDTH } from '../terminal/fold.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('sextant')
  .commandsGroup('A realtime GraphQL backend on MongoDB. Its settings: `sextant config`. Commands:') // the help has one screen
  .usage('[--version] [--help] COMMAND [options]')
  .version(version, '--version')
  .addHelpOption(new Option('-h, --help').hideHelp())
  .configureOutput({
    writeOut: (text) => process.stdout.write(fold(text, process.stdout.columns)),
    writeErr: (text) => process.stderr.write(fold(text, process.stderr.columns)),
    getOutHelpWidth: () => WIDTH,
    getErrHelpWidth: () => WIDTH,
  })
  .showHelpAfterError('Help: sextant --help, or sextant COMMAND --help')
  .helpCommand(false);
for (const option of program.options) option.hidden = true; // the usage shows it: the help has a screen for the commands

/** In the order of the help. Most runs need one of them, and some of them load every domain, which takes most of a second. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  seed: async () => (await import('./commands/seed.js')).seedCommand,
  'import-log': async () => (await import('./commands/import-log.js')).importLogCommand,
  'import-catalog': async () => (await import('./commands/import-catalog.js')).importCatalogCommand,
  'import-content': async () => (await import('./commands/import-content.js')).importContentCommand,
  'export-content': async () => (await import('./commands/export-content.js')).exportContentCommand,
  'import-comments': async () => (await import('./commands/import-comments.js')).importCommentsCommand,
  'export-comments': async () => (await import('./commands/export-comments.js')).exportCommentsCommand,
  'import-network': async () => (await import('./commands/import-network.js')).importNetworkCommand,
  'import-world': async () => (await import('./commands/import-world.js')).importWorldCommand,
  'export-world': async () => (await import('./commands/export-world.js')).exportWorldCommand,
  play: async () => (await import('./commands/play.js')).playCommand,
  'undo-import': async () => (await import('./commands/undo-import.js')).undoImportCommand,
  'collect-documents': async () => (await import('./commands/collect-documents.js')).collectDocumentsCommand,
  config: async () => (await import('./commands/config.js')).configCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
  recover: async () => (await import('./commands/recover.js')).recoverCommand,
  'reset-password': async () => (await import('./commands/reset-password.js')).resetPasswordCommand,
  'shard-plan': async () => (await import('./commands/shard-plan.js')).shardPlanCommand,
  'rotate-cursor-key': async () => (await import('./commands/rotate-cursor-key.js')).rotateCursorKeyCommand,
};
const all = Object.entries(commands);
const asked = all.filter(([name]) => name === process.argv[2]);
for (const [, load] of asked.length > 0 ? asked : all) {
  const command = await load();
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
