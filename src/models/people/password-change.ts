/** Changing one's own password. The update that stores the new password also ends all sessions started with the old one. */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type Act, recordAct } from './audit.js';
import { hashPassword, requireNewPassword } from './secrets/password.js';
import { requirePassword, type SignedIn } from './sign-in.js';
import { beginSession, type SessionRules } from './sign-in-session.js';
import type { Throttled } from './throttle.js';
import { type UserDocument, users } from './user.js';

export interface PasswordChange {
  readonly password: string;
  /** 12 to 1024 characters. */
  readonly newPassword: string;
}

/**
 * @returns a new session that replaces all others, or a refusal if nothing has changed
 * @throws InputError a password is invalid @throws BusyError too many users are signing in at once
 */
export async function changePassword(
  db: Db,
  rules: SessionRules,
  act: Act,
  user: UserDocument,
  { password, newPassword }: PasswordChange,
): Promise<SignedIn | Refusal<'WrongCredentials'> | Throttled> {
  requireNewPassword('newPassword', newPassword);
  const proven = await requirePassword(db, user, { email: user.email, password, address: act.address }, act.at);
  if ('__typename' in proven) return proven;
  const password_hash = await hashPassword(newPassword);
  const { value: changed } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const stored = await users(db).findOneAndUpdate(
      // Guard: the password is still the one that was checked. Of two concurrent changes with the same old password, one wins.
      { _id: user._id, password_hash: user.password_hash },
      // This invalidates sessions of other versions, including one being started with the old password right now (`beginSession`).
      { $set: { password_hash }, $inc: { credentials_version: 1 } },
      { session, returnDocument: 'after' },
    );
    if (stored) await recordAct(db, session, act, { action: 'PASSWORD_CHANGED', subject: user.email });
    return stored;
  });
  if (!changed) return refuse('WrongCredentials', 'The password was changed by another request at the same time');
  failpoint('password.changed'); // if the response is lost, the user signs in again with the new password
  return { user: changed, session: await beginSession(db, rules, changed, act.at) };
}
