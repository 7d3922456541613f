/** `sextant reset-password`: a link for who has forgotten the password, where no mails are sent. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../config.js';
import { openClock } from '../database/index.js';
import { beginPasswordReset, passwordResetLink } from '../models/people/password-reset.js';
import { findUserByEmail } from '../models/people/user.js';
import { SextantError } from '../shared/errors.js';
import { openCommandDatabase } from './command-database.js';
import { print } from './output.js';
import { makeSteps } from './steps.js';

export const resetPasswordCommand = new Command('reset-password')
  .description('make a link to choose a new password')
  .argument('<email>', "the account's address")
  .addHelpText(
    'after',
    '\nThe link is good once, for an hour, while the server runs. Whoever has it can take the account over. ' +
      'PUBLIC_URL, or HOST and PORT, must be those of the server.',
  )
  .action(async (email: string) => {
    const steps = makeSteps(process.stderr);
    const config = readConfig(readEnvironment());
    const { client, db, close } = await openCommandDatabase(config, steps);
    try {
      const user = await findUserByEmail(db, email);
      if (!user) throw new SextantError('NOT_FOUND', `Nobody has an account with the address ${email}`);
      const token = await beginPasswordReset(db, user, (await openClock(client))());
      steps.end();
      const server = (config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).replace(/\/+$/, '');
      print(passwordResetLink(server, token));
    } finally {
      await close();
    }
  });
