/** Signing in and staying signed in. Neither the response nor its timing reveals whether an address has an account. */
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { passwordMatches } from './secrets/password.js';
import { beginSession, endSession, renewSession, type Session, type SessionRules } from './sign-in-session.js';
import { type Attempt, countAttempt, findThrottle, signInBounds, type Throttled } from './throttle.js';
import { findUser, findUserByEmail, type UserDocument } from './user.js';

export interface Credentials extends Attempt {
  /** At most PASSWORD_LENGTH_MAX characters. */
  readonly password: string;
}

export interface SignedIn {
  readonly user: UserDocument;
  readonly session: Session;
}

/**
 * Checks a password against an account and counts failures.
 * @param user null when there is no such account: takes as long and is refused in the same way
 * @throws InputError the password is too long @throws BusyError too many users are signing in at once
 */
export async function requirePassword(
  db: Db,
  user: UserDocument | null,
  { password, ...attempt }: Credentials,
  now: Date,
): Promise<UserDocument | Refusal<'WrongCredentials'> | Throttled> {
  const bounds = signInBounds(attempt);
  const throttled = await findThrottle(db, bounds, now);
  if (throttled) return throttled;
  const matches = await passwordMatches(user?.password_hash ?? null, password);
  if (user && matches) return user;
  await countAttempt(db, bounds, now);
  return refuse('WrongCredentials', 'The email address or the password is wrong');
}

/**
 * @returns a refusal, without a session, when the credentials are wrong or too many attempts failed
 * @throws InputError the password is too long @throws BusyError too many users are signing in at once
 */
export async function signIn(
  db: Db,
  rules: SessionRules,
  credentials: Credentials,
  now: Date,
): Promise<SignedIn | Refusal<'WrongCredentials'> | Throttled> {
  const user = await requirePassword(db, await findUserByEmail(db, credentials.email), credentials, now);
  if ('__typename' in user) return user;
  return { user, session: await beginSession(db, rules, user, now) };
}

/**
 * Renews a session with its refresh token (`renewSession`).
 * @returns null when the token is invalid, or the account has changed since the session started, which ends the session
 */
export async function renewSignIn(db: Db, rules: SessionRules, token: string, now: Date): Promise<SignedIn | null> {
  const session = await renewSession(db, rules, token, now);
  if (!session) return null;
  const user = await findUser(db, session.userId);
  if (user && (user.credentials_version ?? 0) === session.credentialsVersion) return { user, session };
  await endSession(db, session.id);
  return null;
}
