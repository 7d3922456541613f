/** What our mails say. Nothing that a stranger entered is repeated: a mail must not carry somebody else's words. */
import type { SignUpMail } from '../models/people/sign-up.js';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** @param publicUrl without a slash at the end */
export function composeMail(mail: SignUpMail, publicUrl: string): MailText {
  if (mail.kind === 'has-account') {
    return {
      subject: 'You have an account already',
      text: `Somebody, hopefully you, has tried to sign up with this address at ${publicUrl}.

There is an account with it already, and nothing has changed: sign in with it.

If it was not you, do nothing.
`,
    };
  }
  return {
    subject: 'Confirm your account',
    text: `Somebody, hopefully you, has signed up with this address at ${publicUrl}.

To make the account, open this link within 24 hours and enter the password that you chose:

${publicUrl}/confirm#${mail.token}

If it was not you, do nothing: then there is no account.
`,
  };
}
