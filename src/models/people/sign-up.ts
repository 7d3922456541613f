/**
 * Making one's own account, as far as the server allows it: not at all, after a mail to the address was answered, or at once.
 * A sign-up that waits for its mail is one document; making the account takes it away in the same transaction.
 */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { DAY_MS } from '../../shared/time.js';
import { hashOfToken, newOneTimeToken } from './one-time-token.js';
import { hashPassword, passwordMatches, requireNewPassword } from './password.js';
import { beginSession, type SessionRules } from './session.js';
import type { SignedIn } from './sign-in.js';
import { countAttempt, findThrottle, mailBounds, type Throttled } from './throttle.js';
import { findUserByEmail, isEmailTaken, requireName, type UserDocument, users } from './user.js';

interface SignUpDocument {
  /** The hash of the token in the mail. */
  _id: string;
  email: string;
  name: string;
  password_hash: string;
  expires_at: Date;
}

const signUps = defineCollection<SignUpDocument>(
  'auth.sign_ups',
  [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }], // MongoDB removes those that nobody confirmed
  { isBookkeeping: true }, // that something was written would tell that the address is free
);

const CONFIRM_WITHIN_MS = DAY_MS;

export interface NewAccount {
  /** Lower case. */
  readonly email: string;
  /** 12 to 1024 characters. */
  readonly password: string;
  readonly name: string;
  /** Of the network. */
  readonly address: string;
}

/** What is to be mailed to an address that somebody has signed up with. */
export type SignUpMail =
  | { readonly kind: 'confirm'; readonly to: string; readonly token: string }
  | { readonly kind: 'has-account'; readonly to: string };

export type EmailTaken = Refusal<'EmailTaken'>;
export const emailTaken = (): EmailTaken => refuse('EmailTaken', 'This address has an account already');

/**
 * Makes an account with the role MEMBER.
 * @returns a session of it, or a refusal, and then there is no account
 * @throws InputError @throws BusyError too many people at once
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
    await users(db).insertOne(user, { writeConcern: { w: 'majority' } }); // guard: the unique index on the address
  } catch (error) {
    if (isEmailTaken(error)) return emailTaken();
    throw error;
  }
  failpoint('sign-up.done'); // the account is there: the person signs in
  return { user, session: await beginSession(db, rules, user, now) };
}

/**
 * Begins to make an account. What it takes, and all that the caller may tell, is the same whether the address has one already.
 * @returns the mail to send
 * @throws InputError @throws BusyError too many people at once
 */
export async function requestSignUp(db: Db, input: NewAccount, now: Date): Promise<SignUpMail | Throttled> {
  const account = await prepareAccount(db, input, now);
  if ('__typename' in account) return account;
  const token = newOneTimeToken();
  const taken = (await findUserByEmail(db, account.email)) !== null;
  const expires_at = new Date(now.getTime() + CONFIRM_WITHIN_MS);
  // Stored in either case, so that both take as long; without the mail nobody knows the token.
  await signUps(db).insertOne({ _id: hashOfToken(token), ...account, expires_at }, { writeConcern: { w: 'majority' } });
  return taken ? { kind: 'has-account', to: account.email } : { kind: 'confirm', to: account.email, token };
}

/** Counts the attempt and checks what was entered. The password's hash is made here: it takes most of the time. */
async function prepareAccount(db: Db, { email, password, name, address }: NewAccount, now: Date) {
  const account = { email, name: requireName('input.name', name) };
  requireNewPassword('input.password', password);
  const bounds = mailBounds('sign-up', { email, address });
  const throttled = await findThrottle(db, bounds, now);
  if (throttled) return throttled;
  await countAttempt(db, bounds, now);
  failpoint('sign-up.counted'); // nothing else has happened: the attempt is repeated
  return { ...account, password_hash: await hashPassword(password) };
}

/**
 * Makes the account that a mail was sent for.
 * @param password the one that was chosen: somebody who signed up with a stranger's address gets no account by the stranger's click
 * @returns a session of the account, or a refusal, and then there is no account
 */
export async function confirmSignUp(
  db: Db,
  rules: SessionRules,
  { token, password }: { readonly token: string; readonly password: string },
  now: Date,
): Promise<SignedIn | EmailTaken | Refusal<'TokenNotGood'> | Refusal<'WrongCredentials'>> {
  const notGood = () => refuse('TokenNotGood', 'This link has expired or was used before. Sign up again');
  const waiting = await signUps(db).findOne({ _id: hashOfToken(token), expires_at: { $gt: now } });
  if (!waiting) return notGood();
  const { email, name, password_hash } = waiting;
  if (!(await passwordMatches(password_hash, password)))
    return refuse('WrongCredentials', 'This is not the password that was chosen');
  const user: UserDocument = { _id: randomUUID(), email, name, password_hash, roles: ['MEMBER'], created_at: now };
  const made = await makeAccount(db, user, async (session) => {
    // Guard: of several that confirm at once one takes it away, and makes the account in the same transaction.
    const { deletedCount } = await signUps(db).deleteOne({ _id: waiting._id }, { session });
    return deletedCount === 1;
  });
  if (made === 'not-good') return notGood();
  if (made === 'email-taken') return emailTaken();
  failpoint('sign-up.confirmed'); // the account is there: the person signs in
  return { user, session: await beginSession(db, rules, user, now) };
}

/** Stores an account together with what gave the right to it. @param use takes that away; false when it is gone */
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
