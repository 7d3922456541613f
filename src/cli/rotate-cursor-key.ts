/** `sextant rotate-cursor-key`: a new key for the cursors of subscriptions, for when the one before may be known to others. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../config.js';
import { rotateCursorKey } from '../realtime/cursor-key.js';
import { openCommandDatabase } from './command-database.js';
import { print } from './output.js';
import { makeSteps } from './steps.js';

export const rotateCursorKeyCommand = new Command('rotate-cursor-key')
  .description('sign new cursors by a new key')
  .addHelpText(
    'after',
    '\nServers use it when they are started again. A cursor is good until the second rotation after it: ' +
      'then its subscription begins anew. So rotate twice, with a restart after each, to make all of them void.',
  )
  .action(async () => {
    const steps = makeSteps(process.stderr);
    const { db, close } = await openCommandDatabase(readConfig(readEnvironment()), steps);
    try {
      const generations = await rotateCursorKey(db);
      steps.end();
      print(
        generations > 1
          ? 'There is a new key. Start the servers again: until then they sign by the one before'
          : 'There is a key, the first one',
      );
    } finally {
      await close();
    }
  });
