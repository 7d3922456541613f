/** `sextant rotate-cursor-key`: a new key for the cursors of subscriptions, in case the current one may have leaked. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../../config/config.js';
import { rotateCursorKey } from '../../realtime/cursors/cursor-key.js';
import { print } from '../../terminal/output.js';
import { makeSteps } from '../../terminal/steps.js';
import { openCommandDatabase } from '../support/command-database.js';

export const rotateCursorKeyCommand = new Command('rotate-cursor-key')
  .description('sign new cursors with a new key')
  .addHelpText(
    'after',
    '\nServers use it after a restart. A cursor stays valid until the second rotation after it was issued; ' +
      'then its subscription starts over. To invalidate all cursors, rotate twice and restart after each rotation.',
  )
  .action(async () => {
    const steps = makeSteps(process.stderr);
    const { db, close } = await openCommandDatabase(readConfig(readEnvironment()), steps);
    try {
      const generations = await rotateCursorKey(db);
      steps.end();
      print(
        generations > 1
          ? 'Created a new key. Restart the servers: until then they sign with the previous one'
          : 'Created the first key',
      );
    } finally {
      await close();
    }
  });
