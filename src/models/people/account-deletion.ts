/**
 * Deleting user accounts. A session without its account is invalid (`revocation.ts`), so one deletion, recorded in the same transaction,
 * ends all sessions. The same transaction hides what the account leaves in all domains, and notes that it is to be erased (`erasure.ts`).
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import type { PersonalDataOfDomain } from '../personal-data.js';
import { anotherAdministratorStays } from './administrator.js';
import { type Act, recordAct } from './audit.js';
import { noteErasure } from './erasure.js';
import { invitations } from './invitation.js';
import { requirePassword } from './sign-in.js';
import type { Throttled } from './throttle.js';
import { isExternal, type UserDocument, users } from './user.js';

export interface DeletedUser {
  readonly deletedId: string;
}

type Leaving = readonly Pick<PersonalDataOfDomain, 'leave' | 'rows'>[];

const ACCOUNT_NEEDED = 'No account has this id';

/**
 * Deletes a user account. Of a user of an external issuer, whose account is not stored here, erases what was left: the issuer must
 * have ended the account before, or a token that is still valid leaves more.
 * @param personalData of all domains
 * @returns a refusal, with nothing changed, when there is no such account or it is the last administrator's
 */
export async function deleteUser(
  db: Db,
  act: Act,
  userId: string,
  personalData: Leaving = [],
): Promise<DeletedUser | Refusal<'UserNotFound'> | Refusal<'LastAdministrator'>> {
  if (isExternal(userId)) return eraseExternal(db, act, userId, personalData);
  const deletion = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const user = await users(db).findOne({ _id: userId }, { session });
      if (!user) return refuse('UserNotFound', ACCOUNT_NEEDED);
      if (user.roles.includes('ADMIN') && !(await anotherAdministratorStays(db, session, userId)))
        return refuse('LastAdministrator', 'This is the last administrator. Make another user an administrator first');
      await users(db).deleteOne({ _id: userId }, { session });
      await invitations(db).deleteOne({ _id: user.email }, { session }); // an old link must not bring the account back
      await leave(db, session, act, { id: userId, subject: user.email }, personalData);
      return { deletedId: userId };
    },
    { retryDuplicateKeys: true }, // the counter of `administrator.ts` may not exist yet
  );
  return deletion.value;
}

/** May be repeated, for example because a token was valid for longer. */
async function eraseExternal(
  db: Db,
  act: Act,
  userId: string,
  personalData: Leaving,
): Promise<DeletedUser | Refusal<'UserNotFound'>> {
  if (!(await hasLeftSomething(db, userId, personalData))) return refuse('UserNotFound', ACCOUNT_NEEDED);
  await inTransaction(db, commitConcernOf.MAJORITY, (session) =>
    leave(db, session, act, { id: userId, subject: userId }, personalData),
  );
  return { deletedId: userId };
}

/** A misspelled id must not look as if somebody had been erased. */
async function hasLeftSomething(db: Db, userId: string, personalData: Leaving): Promise<boolean> {
  for (const domain of personalData) for await (const _row of domain.rows(db, userId)) return true;
  return false;
}

async function leave(
  db: Db,
  session: ClientSession,
  act: Act,
  { id, subject }: { readonly id: string; readonly subject: string },
  personalData: Leaving,
): Promise<void> {
  for (const domain of personalData) await domain.leave?.(db, session, id);
  await noteErasure(db, session, id, act.at);
  await recordAct(db, session, act, { action: 'USER_DELETED', subject });
}

/** Deletes the caller's own account. @returns a refusal if nothing has changed @throws InputError @throws BusyError */
export async function deleteAccount(
  db: Db,
  act: Act,
  user: UserDocument,
  password: string,
  personalData: Leaving = [],
): Promise<DeletedUser | Refusal<'LastAdministrator'> | Refusal<'WrongCredentials'> | Throttled> {
  const { email } = user;
  const proven = await requirePassword(db, user, { email, password, address: act.address }, act.at);
  if ('__typename' in proven) return proven;
  const outcome = await deleteUser(db, act, user._id, personalData);
  if ('__typename' in outcome && outcome.__typename === 'UserNotFound') return { deletedId: user._id }; // another request was faster
  return outcome;
}
