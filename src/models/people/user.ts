/**
 * Users who can sign in, one document each.
 * Invariants: an email address belongs to at most one account (unique index; addresses are stored in lower case). If there are
 * accounts at all, there is an administrator (`administrator.ts`).
 */
import type { Db } from 'mongodb';
import { defineCollection, findInOrder, isDuplicateKey } from '../../database/index.js';
import { InputError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/page.js';
import { requireVisible } from '../../shared/visible-text.js';
import type { PersonalData } from '../personal-data.js';

export const roles = ['ADMIN', 'EDITOR', 'AUTHOR', 'ADVERTISER', 'MEMBER'] as const;

/** Roles of a user. An administrator may do everything; an editor is an author as well. */
export type Role = (typeof roles)[number];

export interface UserDocument {
  _id: string;
  /** Lower case. */
  email: string;
  name: string;
  /** Argon2id in PHC string format, with its parameters and salt. */
  password_hash: string;
  /** How many times the password was changed. Sessions of other versions are invalid (`revocation.ts`). Absent: never. */
  credentials_version?: number;
  roles: Role[];
  created_at: Date;
}

export const users = defineCollection<UserDocument>(
  'users',
  [
    { key: { email: 1 }, unique: true }, // findUserByEmail, findUsers
    { key: { roles: 1 } }, // administrator.ts: finds administrators
  ],
  { shardKey: {} }, // never sharded: an address is unique among all accounts
);

const NAME_LENGTH_MAX = 100;
export const EMAIL_LENGTH_MAX = 254; // RFC 5321: what fits in a MAIL command's path

/** @returns the trimmed name @throws InputError */
export const requireName = (field: string, text: string): string => requireVisible(field, text, NAME_LENGTH_MAX);

const EXTERNAL = 'external:';

/** The id of a user whose account an external issuer has. No account that is stored here has an id like this. */
export const externalId = (subject: string): string => `${EXTERNAL}${subject}`;

export const isExternal = (id: string): boolean => id.startsWith(EXTERNAL);

/** Whether an account could not be stored because its email address is taken. */
export function isEmailTaken(error: unknown): boolean {
  return isDuplicateKey(error);
}

export function findUser(db: Db, id: string): Promise<UserDocument | null> {
  return users(db).findOne({ _id: id });
}

/** To name a user in the audit trail: the email address, or the id of a user who was deleted or is managed by an external issuer. */
export async function findAddress(db: Db, id: string): Promise<string> {
  return (await findUser(db, id))?.email ?? id;
}

/** The users with these ids, in any order. */
export function findUsersById(db: Db, ids: readonly string[]): Promise<UserDocument[]> {
  return users(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

export function findUserByEmail(db: Db, email: string): Promise<UserDocument | null> {
  return users(db).findOne({ email: email.toLowerCase() });
}

const FIRST_MAX = 500;

/**
 * Users sorted by email address: all, or those whose address starts with a text, ignoring case.
 * @throws InputError the text is longer than an address @throws LimitError `first` exceeds 500 @throws CursorError
 */
export async function findUsers(
  db: Db,
  emailPrefix: string | null | undefined,
  page: PageInput,
): Promise<Connection<UserDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const prefix = (emailPrefix ?? '').toLowerCase();
  if (prefix.length > EMAIL_LENGTH_MAX)
    throw new InputError('emailPrefix', `must have at most ${EMAIL_LENGTH_MAX} characters`);
  return findInOrder(users(db), { list: `users/${prefix}`, by: 'email', prefix, filter: {} }, page);
}

/**
 * The domains that have copied the name follow at once.
 * @returns null when there is no such account @throws InputError
 */
export async function changeName(
  db: Db,
  id: string,
  name: string,
  domains: readonly Pick<PersonalData, 'followName'>[],
): Promise<UserDocument | null> {
  const changed = await users(db).findOneAndUpdate(
    { _id: id },
    { $set: { name: requireName('name', name) } }, // the last writer wins
    { returnDocument: 'after' },
  );
  if (!changed) return null;
  failpoint('people.name-changed');
  for (const { followName } of domains) await followName?.(db, id);
  return changed;
}
