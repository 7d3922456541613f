/**
 * Sign-up, as far as the server allows it: not at all, after confirming the email address, or immediately.
 * A sign-up that waits for confirmation is one document. Creating the account removes it in the same transaction.
 */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { DAY_MS } from '../../shared/time.js';
import { hashOfToken, newOneTimeToken } from './secrets/one-time-token.js';
import { hashPassword, passwordMatches, requireNewPassword } from './secrets/password.js';
import type { SignedIn } from './sign-in.js';
import { beginSession, type SessionRules } from './sign-in-session.js';
import { countAttempt, findThrottle, mailBounds, type Throttled } from './throttle.js';
import { findUserByEmail, isEmailTaken, requireName, type UserDocument, users } from './user.js';

interface SignUpDocument {
  /** The hash of the token in the email. */
  _id: string;
  email: string;
  name: string;
  password_hash: string;
  expires_at: Date;
}

export const signUps = defineCollection<SignUpDocument>(
  'auth.sign_ups',
  [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }], // MongoDB removes those that were not confirmed
  { isBookkeeping: true }, // reporting the write would reveal that the address is free
);

const CONFIRM_WITHIN_MS = DAY_MS;

export interface NewAccount {
  /** Lower case. */
  readonly email: string;
  /** 12 to 1024 characters. */
  readonly password: string;
  readonly name: string;
  /** The network address. */
  readonly address: string;
}

/** The email to send to the address of a sign-up. */
export type SignUpMail =
  | { readonly kind: 'confirm'; readonly to: string; readonly token: string }
  | { readonly kind: 'has-account'; readonly to: string };

export type EmailTaken = Refusal<'EmailTaken'>;
export const emailTaken = (): EmailTaken => refuse('EmailTaken', 'This email address already has an account');

/** Who may sign up: nobody, users who confirm their email address, or anyone without confirmation. */
export type SignUpMode = 'closed' | 'verified' | 'open';

export interface SignUpRules {
  readonly mode: SignUpMode;
  readonly sessions: SessionRules;
  /** Sends the email of a sign-up that waits for confirmation. */
  readonly send: (mail: SignUpMail) => Promise<void>;
}

/**
 * Signs up as far as the server allows it.
 * @returns a session if sign-up is open, otherwise a refusal that says what comes next
 * @throws InputError @throws BusyError too many users are signing in at once
 */
export async function signUpWith(
  db: Db,
  { mode, sessions, send }: SignUpRules,
  input: NewAccount,
  now: Date,
): Promise<SignedIn | EmailTaken | Throttled | Refusal<'SignUpClosed'> | Refusal<'CheckYourMail'>> {
  if (mode === 'closed') return refuse('SignUpClosed', 'Accounts are created by invitation only');
  if (mode === 'open') return signUp(db, sessions, input, now);
  const mail = await requestSignUp(db, input, now);
  if ('__typename' in mail) return mail;
  await send(mail);
  return refuse('CheckYourMail', 'We have sent you an email with instructions');
}

/**
 * Creates an account with the role MEMBER.
 * @returns a session, or a refusal if no account was created
 * @throws InputError @throws BusyError too many users are signing in at once
 */
export async function signUp(
  db: Db,
  rules: SessionRules,
  input: NewAccount,
  now: Date,
): Promise<SignedIn | EmailTaken | Throttled> {
  const account = await prepareAccount(db, input, now);
  if ('__typename' in account) return account;
  const user: UserDocument = { _id: randomUUID(), ...account, roles: ['MEMBER'], created_at: now };
  try {
    await users(db).insertOne(user); // guard: the unique index on the address
  } catch (error) {
    if (isEmailTaken(error)) return emailTaken();
    throw error;
  }
  failpoint('sign-up.done'); // the account exists: the user can sign in
  return { user, session: await beginSession(db, rules, user, now) };
}

/**
 * Starts a sign-up. Its duration and its result for the caller do not reveal whether the address already has an account.
 * @returns the email to send
 * @throws InputError @throws BusyError too many users are signing in at once
 */
export async function requestSignUp(db: Db, input: NewAccount, now: Date): Promise<SignUpMail | Throttled> {
  const account = await prepareAccount(db, input, now);
  if ('__typename' in account) return account;
  const token = newOneTimeToken();
  const taken = (await findUserByEmail(db, account.email)) !== null;
  const expires_at = new Date(now.getTime() + CONFIRM_WITHIN_MS);
  // Stored in either case, so that both take equally long. Without the email nobody knows the token.
  await signUps(db).insertOne({ _id: hashOfToken(token), ...account, expires_at });
  return taken ? { kind: 'has-account', to: account.email } : { kind: 'confirm', to: account.email, token };
}

/** Counts the attempt and validates the input. Also hashes the password, which takes most of the time. */
async function prepareAccount(db: Db, { email, password, name, address }: NewAccount, now: Date) {
  const account = { email, name: requireName('input.name', name) };
  requireNewPassword('input.password', password);
  const bounds = mailBounds('sign-up', { email, address });
  const throttled = await findThrottle(db, bounds, now);
  if (throttled) return throttled;
  await countAttempt(db, bounds, now);
  failpoint('sign-up.counted'); // nothing else has happened: the user can retry
  return { ...account, password_hash: await hashPassword(password) };
}

/**
 * Creates the account for a confirmed sign-up.
 * @param password the one chosen at sign-up: a stranger whose address was used cannot complete the sign-up by just following the link
 * @returns a session, or a refusal if no account was created
 */
export async function confirmSignUp(
  db: Db,
  rules: SessionRules,
  { token, password }: { readonly token: string; readonly password: string },
  now: Date,
): Promise<SignedIn | EmailTaken | Refusal<'TokenNotGood'> | Refusal<'WrongCredentials'>> {
  const notGood = () => refuse('TokenNotGood', 'This link has expired or was already used. Sign up again');
  const waiting = await signUps(db).findOne({ _id: hashOfToken(token), expires_at: { $gt: now } });
  if (!waiting) return notGood();
  const { email, name, password_hash } = waiting;
  if (!(await passwordMatches(password_hash, password)))
    return refuse('WrongCredentials', 'This is not the password chosen at sign-up');
  const user: UserDocument = { _id: randomUUID(), email, name, password_hash, roles: ['MEMBER'], created_at: now };
  const made = await makeAccount(db, user, async (session) => {
    // Guard: of several concurrent confirmations, one removes it and creates the account in the same transaction.
    const { deletedCount } = await signUps(db).deleteOne({ _id: waiting._id }, { session });
    return deletedCount === 1;
  });
  if (made === 'not-good') return notGood();
  if (made === 'email-taken') return emailTaken();
  failpoint('sign-up.confirmed'); // the account exists: the user can sign in
  return { user, session: await beginSession(db, rules, user, now) };
}

/** Stores an account and uses up the token that permits it. @param use removes the token; returns false when it is gone */
export async function makeAccount(
  db: Db,
  user: UserDocument,
  use: (session: ClientSession) => Promise<boolean>,
): Promise<'made' | 'not-good' | 'email-taken'> {
  try {
    const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
      if (!(await use(session))) return 'not-good';
      await users(db).insertOne(user, { session }); // guard: the unique index on the address
      return 'made';
    });
    return value;
  } catch (error) {
    if (isEmailTaken(error)) return 'email-taken';
    throw error;
  }
}
