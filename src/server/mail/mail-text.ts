/** The texts of emails. They repeat no user input: an email must not carry a stranger's words. */
import { type PasswordResetMail, passwordResetLink } from '../../models/people/password-reset.js';
import type { SignUpMail } from '../../models/people/sign-up.js';

export type Mail = SignUpMail | PasswordResetMail;

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** @param publicUrl without a trailing slash */
export function composeMail(mail: Mail, publicUrl: string): MailText {
  switch (mail.kind) {
    case 'has-account':
      return hasAccount(publicUrl);
    case 'confirm':
      return confirmation(publicUrl, mail.token);
    case 'reset-password':
      return passwordReset(publicUrl, mail.token);
    case 'no-account':
      return noAccount(publicUrl);
  }
}

const hasAccount = (publicUrl: string): MailText => ({
  subject: 'You already have an account',
  text: `Someone, hopefully you, tried to sign up with this email address at ${publicUrl}.

There is already an account with this address, and nothing has changed. You can sign in with it.

If this was not you, ignore this message.
`,
});

const confirmation = (publicUrl: string, token: string): MailText => ({
  subject: 'Confirm your account',
  text: `Someone, hopefully you, signed up with this email address at ${publicUrl}.

To create the account, open this link within 24 hours and enter the password that you chose:

${publicUrl}/confirm#${token}

If this was not you, ignore this message. No account will be created.
`,
});

const passwordReset = (publicUrl: string, token: string): MailText => ({
  subject: 'Choose a new password',
  text: `Someone, hopefully you, asked to reset the password of the account with this email address at ${publicUrl}.

To choose a new password, open this link within an hour:

${passwordResetLink(publicUrl, token)}

If this was not you, ignore this message. Your password stays as it is.
`,
});

const noAccount = (publicUrl: string): MailText => ({
  subject: 'You have no account',
  text: `Someone, hopefully you, asked to reset the password for this email address at ${publicUrl}.

There is no account with this address. Perhaps you signed up with another one.

If this was not you, ignore this message.
`,
});
