/**
 * People who can sign in, one document each.
 * Invariant: an address belongs to at most one account (unique index; addresses are stored in lower case).
 */
import { type Db, MongoServerError } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { hashPassword, newPassword } from './password.js';

export const roles = ['ADMIN', 'EDITOR', 'ADVERTISER', 'MEMBER'] as const;

export type Role = (typeof roles)[number];

export interface UserDocument {
  _id: string;
  /** Lower case. */
  email: string;
  name: string;
  /** Argon2id, in the PHC text form with its parameters and salt. */
  password_hash: string;
  roles: Role[];
  created_at: Date;
}

export const users = defineCollection<UserDocument>(
  'users',
  [
    { key: { email: 1 }, unique: true }, // findUserByEmail
    { key: { roles: 1 } }, // ensureAdministrator: is there one?
  ],
  { shardKey: {} }, // never sharded: an address is unique among all accounts
);

const DUPLICATE_KEY = 11000;

export function findUser(db: Db, id: string): Promise<UserDocument | null> {
  return users(db).findOne({ _id: id });
}

export function findUserByEmail(db: Db, email: string): Promise<UserDocument | null> {
  return users(db).findOne({ email: email.toLowerCase() });
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
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return { created: false };
    throw error;
  }
  return password === undefined ? { created: true, password: chosen } : { created: true };
}

/** Takes back an administrator whose password nobody was told. */
export async function withdrawAdministrator(db: Db, id: string): Promise<void> {
  await users(db).deleteOne({ _id: id }, { writeConcern: { w: 'majority' } });
}
