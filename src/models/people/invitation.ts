/**
 * Invitations: an administrator chooses the email address and the roles, the invited user the name and the password.
 * An address has at most one invitation, because it is the document's `_id`. Accepting it removes it in the transaction that creates
 * the account.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { DAY_MS } from '../../shared/time.js';
import { type Act, recordAct } from './audit.js';
import { hashOfToken, newOneTimeToken } from './secrets/one-time-token.js';
import { hashPassword, requireNewPassword } from './secrets/password.js';
import type { SignedIn } from './sign-in.js';
import { beginSession, type SessionRules } from './sign-in-session.js';
import { type EmailTaken, emailTaken, makeAccount } from './sign-up.js';
import { findUserByEmail, type Role, requireName, roles, type UserDocument } from './user.js';

export interface InvitationDocument {
  /** The invited address, in lower case. */
  _id: string;
  token_hash: string;
  roles: Role[];
  created_at: Date;
  expires_at: Date;
}

export const invitations = defineCollection<InvitationDocument>('auth.invitations', [
  { key: { token_hash: 1 } }, // acceptInvitation
  { key: { created_at: -1 } }, // findInvitations
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes those that were not accepted
]);

const ACCEPT_WITHIN_MS = 7 * DAY_MS;
const LISTED_MAX = 1000;

/**
 * Invites a user. Replaces an earlier invitation for the address.
 * @returns the token. Only its hash is stored, so show it
 */
export async function invite(
  db: Db,
  act: Act,
  input: { readonly email: string; readonly roles: readonly Role[] },
): Promise<{ readonly token: string; readonly invitation: InvitationDocument } | EmailTaken> {
  if (await findUserByEmail(db, input.email)) return emailTaken(); // if the account is created later, accepting the invitation is refused
  const token = newOneTimeToken();
  const invitation: InvitationDocument = {
    _id: input.email,
    token_hash: hashOfToken(token),
    roles: roles.filter((role) => input.roles.includes(role)), // deduplicated, in a fixed order
    created_at: act.at,
    expires_at: new Date(act.at.getTime() + ACCEPT_WITHIN_MS),
  };
  const write = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const { _id, ...rest } = invitation;
      await invitations(db).replaceOne({ _id }, rest, { session, upsert: true }); // the last invitation wins
      const detail = invitation.roles.join(', ') || 'no role';
      await recordAct(db, session, act, { action: 'USER_INVITED', subject: _id, detail });
      return { token, invitation };
    },
    { retryDuplicateKeys: true },
  );
  return write.value;
}

/** @returns false when there was none */
export async function withdrawInvitation(db: Db, act: Act, email: string): Promise<boolean> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const { deletedCount } = await invitations(db).deleteOne({ _id: email }, { session });
    if (deletedCount === 0) return false;
    await recordAct(db, session, act, { action: 'INVITATION_WITHDRAWN', subject: email });
    return true;
  });
  return value;
}

/** Newest first, at most 1000. */
export function findInvitations(db: Db, now: Date): Promise<InvitationDocument[]> {
  return invitations(db)
    .find({ expires_at: { $gt: now } }) // MongoDB removes expired ones within a minute, so few are skipped
    .sort({ created_at: -1 })
    .limit(LISTED_MAX)
    .toArray();
}

/**
 * Accepts an invitation: creates the account.
 * @returns a session, or a refusal if no account was created
 * @throws InputError @throws BusyError too many users are signing in at once
 */
export async function acceptInvitation(
  db: Db,
  rules: SessionRules,
  input: { readonly token: string; readonly name: string; readonly password: string },
  now: Date,
): Promise<SignedIn | EmailTaken | Refusal<'TokenNotGood'>> {
  const name = requireName('input.name', input.name);
  requireNewPassword('input.password', input.password);
  const notGood = () => refuse('TokenNotGood', 'This invitation has expired, was already used or was withdrawn');
  const token_hash = hashOfToken(input.token);
  const invitation = await invitations(db).findOne({ token_hash, expires_at: { $gt: now } });
  if (!invitation) return notGood();
  const user: UserDocument = {
    _id: randomUUID(),
    email: invitation._id,
    name,
    password_hash: await hashPassword(input.password),
    roles: invitation.roles,
    created_at: now,
  };
  const made = await makeAccount(db, user, async (session) => {
    // Guard: the same invitation still exists. Of several concurrent calls only one gets it. A newer invitation has another token.
    const { deletedCount } = await invitations(db).deleteOne({ _id: invitation._id, token_hash }, { session });
    return deletedCount === 1;
  });
  if (made === 'not-good') return notGood();
  if (made === 'email-taken') return emailTaken();
  failpoint('invitation.accepted'); // the account exists: the user can sign in
  return { user, session: await beginSession(db, rules, user, now) };
}
