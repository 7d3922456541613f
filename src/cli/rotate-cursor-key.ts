/** `sextant rotate-cursor-key`: a new key for the cursors of subscriptions, for when the one before may be known to others. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../config.js';
import { openDatabase } from '../database/open-database.js';
import { rotateCursorKey } from '../realtime/cursor-key.js';
import { makeSteps } from './steps.js';

export const rotateCursorKeyCommand = new Command('rotate-cursor-key')
  .description('sign new cursors by a new key')
  .addHelpText(
    'after',
    '\nServers use it when they are started again. A cursor is good until the second rotation after it:\n' +
      'then its subscription begins anew. So rotate twice, with a restart after each, to make all of them void.',
  )
  .action(async () => {
    const steps = makeSteps(process.stderr);
    const { db, close } = await openDatabase(readConfig(readEnvironment()), steps.show);
    try {
      const generations = await rotateCursorKey(db);
      steps.end();
      process.stdout.write(
        generations > 1
          ? 'There is a new key. Start the servers again: until then they sign by the one before\n'
          : 'There is a key, the first one\n',
      );
    } finally {
      await close();
    }
  });
