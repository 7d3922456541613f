/**
 * Administrators: creating the first one, and keeping at least one.
 * Invariant, at every moment after the first start: there is an administrator.
 */
import type { ClientSession, Db } from 'mongodb';
import { counters } from '../../database/index.js';
import { hashPassword, newPassword } from './secrets/password.js';
import { isEmailTaken, type UserDocument, users } from './user.js';

/** Counts how many times a user ceased to be an administrator. */
const LOSSES = 'administrators';

/**
 * Call it in the transaction that removes an administrator, before the removal.
 * @returns false when this user is the last one: nothing was written, and the removal must not happen
 */
export async function anotherAdministratorStays(db: Db, session: ClientSession, userId: string): Promise<boolean> {
  const two = await users(db)
    .find({ roles: 'ADMIN' }, { session, projection: { _id: 1 } })
    .limit(2)
    .toArray();
  if (two.every(({ _id }) => _id === userId)) return false;
  // Guard: every removal of an administrator writes this one document. Two concurrent removals, each of which read the other's
  // administrator as the remaining one, conflict here. The second retries its transaction and reads again. Snapshot isolation alone
  // would let both through.
  await counters(db).updateOne({ _id: LOSSES }, { $inc: { value: 1 } }, { session, upsert: true });
  return true;
}

export interface NewAdministrator {
  readonly email: string;
  /** If omitted, one is generated. */
  readonly password?: string | undefined;
  readonly id: string;
  readonly now: Date;
}

/**
 * Creates the first administrator. Does nothing if there is one. Processes that start simultaneously create only one.
 * @returns the generated password. It is not stored anywhere, so show it
 */
export async function ensureAdministrator(
  db: Db,
  { email, password, id, now }: NewAdministrator,
): Promise<{ created: boolean; password?: string }> {
  if (await users(db).findOne({ roles: 'ADMIN' }, { projection: { _id: 1 } })) return { created: false };
  const chosen = password ?? newPassword();
  const administrator: UserDocument = {
    _id: id,
    email: email.toLowerCase(),
    name: 'Administrator',
    password_hash: await hashPassword(chosen),
    roles: ['ADMIN'],
    created_at: now,
  };
  try {
    // Guard: of several processes, the unique index on the email address lets only one through.
    await users(db).insertOne(administrator);
  } catch (error) {
    if (isEmailTaken(error)) return { created: false };
    throw error;
  }
  return password === undefined ? { created: true, password: chosen } : { created: true };
}

/** Removes an administrator whose password could not be shown to anyone. */
export async function withdrawAdministrator(db: Db, id: string): Promise<void> {
  await users(db).deleteOne({ _id: id });
}
