/** Changing the own password. All sessions that began by the old one are over with the same update that stores the new one. */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type Act, recordAct } from './audit.js';
import { hashPassword, requireNewPassword } from './password.js';
import { beginSession, type SessionRules } from './session.js';
import { requirePassword, type SignedIn } from './sign-in.js';
import type { Throttled } from './throttle.js';
import { type UserDocument, users } from './user.js';

export interface PasswordChange {
  readonly password: string;
  /** 12 to 1024 characters. */
  readonly newPassword: string;
}

/**
 * @returns a new session in the place of all others, or a refusal, and then nothing has changed
 * @throws InputError a password breaks its rule @throws BusyError too many people at once
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
      // Guard: the password is still the one that was checked. Of two changes at once by the same old password one wins.
      { _id: user._id, password_hash: user.password_hash },
      // A session of another version is over, also one that is being begun by the old password at this moment (`beginSession`).
      { $set: { password_hash }, $inc: { credentials_version: 1 } },
      { session, returnDocument: 'after' },
    );
    if (stored) await recordAct(db, session, act, { action: 'PASSWORD_CHANGED', subject: user.email });
    return stored;
  });
  if (!changed) return refuse('WrongCredentials', 'The password was changed at the same time');
  failpoint('password.changed'); // the answer is lost: the person signs in again, by the new password
  return { user: changed, session: await beginSession(db, rules, changed, act.at) };
}
