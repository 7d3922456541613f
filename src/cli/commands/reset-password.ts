/** `sextant reset-password`: a password reset link, for installations that send no email. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../../config/config.js';
import { openClock } from '../../database/index.js';
import { beginPasswordReset, passwordResetLink } from '../../models/people/password-reset.js';
import { findUserByEmail } from '../../models/people/user.js';
import { SextantError } from '../../shared/errors.js';
import { print } from '../../terminal/output.js';
import { makeSteps } from '../../terminal/steps.js';
import { openCommandDatabase } from '../support/command-database.js';

export const resetPasswordCommand = new Command('reset-password')
  .description('create a password reset link')
  .argument('<email>', "the account's address")
  .addHelpText(
    'after',
    '\nThe link works once, within an hour, while the server runs. Anyone who has it can take over the account. ' +
      'PUBLIC_URL, or HOST and PORT, must match the server.',
  )
  .action(async (email: string) => {
    const steps = makeSteps(process.stderr);
    const config = readConfig(readEnvironment());
    const { client, db, close } = await openCommandDatabase(config, steps);
    try {
      const user = await findUserByEmail(db, email);
      if (!user) throw new SextantError('NOT_FOUND', `No account has the address ${email}`);
      const token = await beginPasswordReset(db, user, (await openClock(client))());
      steps.end();
      const server = (config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).replace(/\/+$/, '');
      print(passwordResetLink(server, token));
    } finally {
      await close();
    }
  });
