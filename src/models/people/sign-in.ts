/** Signing in: what is answered, and how long it takes, does not tell whether an address has an account. */
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { passwordMatches } from './password.js';
import { beginSession, type Session, type SessionRules } from './session.js';
import { countFailure, findWait, type SignInAttempt } from './sign-in-throttle.js';
import { findUserByEmail, type UserDocument } from './user.js';

export interface Credentials extends SignInAttempt {
  /** At most PASSWORD_LENGTH_MAX characters. */
  readonly password: string;
}

export interface SignedIn {
  readonly user: UserDocument;
  readonly session: Session;
}

/**
 * @returns a refusal when the credentials are wrong or too many attempts failed; then no session has begun
 * @throws InputError the password is too long @throws BusyError too many people at once
 */
export async function signIn(
  db: Db,
  rules: SessionRules,
  { password, ...attempt }: Credentials,
  now: Date,
): Promise<SignedIn | Refusal<'WrongCredentials'> | Refusal<'SignInThrottled', { retryAfterMs: number }>> {
  const retryAfterMs = await findWait(db, attempt, now);
  if (retryAfterMs > 0)
    return refuse('SignInThrottled', 'Too many attempts failed. Wait before the next one', { retryAfterMs });
  const user = await findUserByEmail(db, attempt.email);
  const matches = await passwordMatches(user?.password_hash ?? null, password);
  if (!user || !matches) {
    await countFailure(db, attempt, now);
    return refuse('WrongCredentials', 'The address and the password do not belong together');
  }
  return { user, session: await beginSession(db, rules, user._id, now) };
}
