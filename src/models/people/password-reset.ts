/**
 * Resetting a forgotten password by email. A pending reset is one document. Storing the new password removes it in the same
 * transaction and ends all sessions, as every change of the password does.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { HOUR_MS } from '../../shared/time.js';
import { type Act, recordAct } from './audit.js';
import { hashOfToken, newOneTimeToken } from './secrets/one-time-token.js';
import { hashPassword, requireNewPassword } from './secrets/password.js';
import type { SignedIn } from './sign-in.js';
import { beginSession, type SessionRules } from './sign-in-session.js';
import { type Attempt, countAttempt, findThrottle, mailBounds, type Throttled } from './throttle.js';
import { findUser, findUserByEmail, type UserDocument, users } from './user.js';

interface PasswordResetDocument {
  /** The hash of the token in the email. */
  _id: string;
  /** Null if the address has no account. Then nobody knows the token. */
  user_id: string | null;
  /** The version of the forgotten password. A password changed since is not replaced. */
  credentials_version: number;
  expires_at: Date;
}

export const passwordResets = defineCollection<PasswordResetDocument>(
  'auth.password_resets',
  [
    { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes those that were not used
    { key: { user_id: 1, _id: 1 } }, // personal-data.ts
  ],
  { isBookkeeping: true },
);

const FOLLOW_WITHIN_MS = HOUR_MS;

/** The email to send to the address of a reset request. */
export type PasswordResetMail =
  | { readonly kind: 'reset-password'; readonly to: string; readonly token: string }
  | { readonly kind: 'no-account'; readonly to: string };

/** Starts a reset. Its duration and its result for the caller do not reveal whether the address has an account. */
export async function requestPasswordReset(
  db: Db,
  { email, address }: Attempt,
  now: Date,
): Promise<PasswordResetMail | Throttled> {
  const bounds = mailBounds('reset', { email, address });
  const throttled = await findThrottle(db, bounds, now);
  if (throttled) return throttled;
  await countAttempt(db, bounds, now);
  failpoint('password-reset.counted'); // nothing else has happened: the user can retry
  const user = await findUserByEmail(db, email);
  const token = await beginPasswordReset(db, user, now); // in either case, so that both take equally long
  return user ? { kind: 'reset-password', to: email, token } : { kind: 'no-account', to: email };
}

/**
 * @param user null if the address has no account
 * @returns the token, valid for an hour
 */
export async function beginPasswordReset(db: Db, user: UserDocument | null, now: Date): Promise<string> {
  const token = newOneTimeToken();
  const reset: PasswordResetDocument = {
    _id: hashOfToken(token),
    user_id: user?._id ?? null,
    credentials_version: user?.credentials_version ?? 0,
    expires_at: new Date(now.getTime() + FOLLOW_WITHIN_MS),
  };
  await passwordResets(db).insertOne(reset);
  return token;
}

/** The link to follow. The token is after `#`, which browsers do not send to servers. @param publicUrl without a trailing slash */
export const passwordResetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset#${token}`;

/**
 * @param actOf builds the owner's act for the audit trail
 * @returns a new session that replaces all others, or a refusal if nothing has changed
 * @throws InputError @throws BusyError too many users are signing in at once
 */
export async function resetPassword(
  db: Db,
  rules: SessionRules,
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
  actOf: (user: UserDocument) => Act,
  now: Date,
): Promise<SignedIn | Refusal<'TokenNotGood'>> {
  requireNewPassword('newPassword', newPassword);
  const notGood = () => refuse('TokenNotGood', 'This link has expired or was already used. Request a new one');
  const reset = await passwordResets(db).findOne({ _id: hashOfToken(token), expires_at: { $gt: now } });
  const user = reset?.user_id ? await findUser(db, reset.user_id) : null;
  if (!reset || !user || (user.credentials_version ?? 0) !== reset.credentials_version) return notGood();
  const password_hash = await hashPassword(newPassword);
  const { value: changed } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    // Guard: of several concurrent uses of the link, only one removes it.
    const { deletedCount } = await passwordResets(db).deleteOne({ _id: reset._id }, { session });
    if (deletedCount === 0) return null;
    const stored = await users(db).findOneAndUpdate(
      { _id: user._id, password_hash: user.password_hash }, // guard: the password has not been changed meanwhile
      { $set: { password_hash }, $inc: { credentials_version: 1 } }, // ends all sessions, as in `password-change.ts`
      { session, returnDocument: 'after' },
    );
    if (stored) await recordAct(db, session, actOf(user), { action: 'PASSWORD_RESET', subject: user.email });
    return stored;
  });
  if (!changed) return notGood();
  failpoint('password-reset.done'); // if the response is lost, the user signs in with the new password
  return { user: changed, session: await beginSession(db, rules, changed, now) };
}
