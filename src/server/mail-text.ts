/** What our mails say. Nothing that a stranger entered is repeated: a mail must not carry somebody else's words. */
import { type PasswordResetMail, passwordResetLink } from '../models/people/password-reset.js';
import type { SignUpMail } from '../models/people/sign-up.js';

export type Mail = SignUpMail | PasswordResetMail;

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** @param publicUrl without a slash at the end */
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
  subject: 'You have an account already',
  text: `Somebody, hopefully you, has tried to sign up with this address at ${publicUrl}.

There is an account with it already, and nothing has changed: sign in with it.

If it was not you, do nothing.
`,
});

const confirmation = (publicUrl: string, token: string): MailText => ({
  subject: 'Confirm your account',
  text: `Somebody, hopefully you, has signed up with this address at ${publicUrl}.

To make the account, open this link within 24 hours and enter the password that you chose:

${publicUrl}/confirm#${token}

If it was not you, do nothing: then there is no account.
`,
});

const passwordReset = (publicUrl: string, token: string): MailText => ({
  subject: 'Choose a new password',
  text: `Somebody, hopefully you, has forgotten the password of the account with this address at ${publicUrl}.

To choose a new one, open this link within an hour:

${passwordResetLink(publicUrl, token)}

If it was not you, do nothing: the password stays as it is.
`,
});

const noAccount = (publicUrl: string): MailText => ({
  subject: 'You have no account',
  text: `Somebody, hopefully you, has asked for a new password for this address at ${publicUrl}.

There is no account with it. Perhaps you signed up with another address.

If it was not you, do nothing.
`,
});
