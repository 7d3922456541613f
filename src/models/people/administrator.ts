/**
 * Administrators: the first one, and that one always stays.
 * Invariant, at every instant after the first start: there is an administrator.
 */
import type { ClientSession, Db } from 'mongodb';
import { counters } from '../../database/index.js';
import { hashPassword, newPassword } from './password.js';
import { isEmailTaken, type UserDocument, users } from './user.js';

/** Counts how often somebody ceased to be one. */
const LOSSES = 'administrators';

/**
 * Call it in the transaction in which an administrator ceases to be one, before that.
 * @returns false when the person is the last one: then nothing was written, and nothing may be
 */
export async function anotherAdministratorStays(db: Db, session: ClientSession, userId: string): Promise<boolean> {
  const two = await users(db)
    .find({ roles: 'ADMIN' }, { session, projection: { _id: 1 } })
    .limit(2)
    .toArray();
  if (two.every(({ _id }) => _id === userId)) return false;
  // Guard: all who take an administrator away write this one document. Two at once, each of whom read the other's as the one that
  // stays, conflict here; the second repeats its transaction and reads again. A snapshot alone would let both through.
  await counters(db).updateOne({ _id: LOSSES }, { $inc: { value: 1 } }, { session, upsert: true });
  return true;
}

export interface NewAdministrator {
  readonly email: string;
  /** Left out: one is made up. */
  readonly password?: string | undefined;
  readonly id: string;
  readonly now: Date;
}

/**
 * Makes the first administrator. Does nothing when there is one already; processes that start at once make one between them.
 * @returns the made-up password, which is stored nowhere: show it
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
    // Guard: the unique index on the address lets one of several processes through.
    await users(db).insertOne(administrator, { writeConcern: { w: 'majority' } });
  } catch (error) {
    if (isEmailTaken(error)) return { created: false };
    throw error;
  }
  return password === undefined ? { created: true, password: chosen } : { created: true };
}

/** Takes back an administrator whose password nobody was told. */
export async function withdrawAdministrator(db: Db, id: string): Promise<void> {
  await users(db).deleteOne({ _id: id }, { writeConcern: { w: 'majority' } });
}
