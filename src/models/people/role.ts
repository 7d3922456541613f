/** Roles, granted and revoked by administrators. A change takes effect when the change stream reports it (`revocation.ts`). */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { SextantError } from '../../shared/errors.js';
import { anotherAdministratorStays } from './administrator.js';
import { type Act, recordAct } from './audit.js';
import { type Role, type UserDocument, users } from './user.js';

/**
 * Grants a role to a user. Granting a role that the user already has changes nothing and is not recorded.
 * @returns null when there is no such account
 */
export async function grantRole(db: Db, act: Act, userId: string, role: Role): Promise<UserDocument | null> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const granted = await users(db).findOneAndUpdate(
      { _id: userId, roles: { $ne: role } }, // guard: no role is listed twice
      { $push: { roles: role } },
      { session, returnDocument: 'after' },
    );
    if (!granted) return users(db).findOne({ _id: userId }, { session });
    await recordAct(db, session, act, { action: 'ROLE_GRANTED', subject: granted.email, detail: role });
    return granted;
  });
  return value;
}

/**
 * Revokes a role of a user. Revoking a role that the user does not have changes nothing and is not recorded.
 * @returns null when there is no such account
 * @throws SextantError FORBIDDEN for the role ADMIN of the last administrator, with nothing changed
 */
export async function revokeRole(db: Db, act: Act, userId: string, role: Role): Promise<UserDocument | null> {
  const takeAway = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const user = await users(db).findOne({ _id: userId }, { session });
      if (!user?.roles.includes(role)) return user;
      if (role === 'ADMIN' && !(await anotherAdministratorStays(db, session, userId)))
        throw new SextantError('FORBIDDEN', 'This is the last administrator. Make another user an administrator first');
      const revoked = await users(db).findOneAndUpdate(
        { _id: userId },
        { $pull: { roles: role } },
        { session, returnDocument: 'after' },
      );
      await recordAct(db, session, act, { action: 'ROLE_REVOKED', subject: user.email, detail: role });
      return revoked;
    },
    { retryDuplicateKeys: true }, // the counter of `administrator.ts` may not exist yet
  );
  return takeAway.value;
}
