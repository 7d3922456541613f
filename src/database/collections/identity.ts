/**
 * The identity of a database: a command asks a running server for it, to learn whether both use the same database. It is random,
 * created once by the first server, and reveals nothing about the database.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { settingsOf } from './setting.js';

interface IdentitySetting {
  _id: 'identity';
  value: string;
}

const settings = settingsOf<IdentitySetting>();
const VALUE_BYTES = 16;
/** The format that `/healthz` reports and commands accept. */
export const IDENTITY_FORM = /^[0-9a-f]{32}$/;

/** Creates it if there is none. */
export async function ensureIdentity(db: Db): Promise<string> {
  const stored = await settings(db).findOneAndUpdate(
    { _id: 'identity' },
    // Guard: only the process whose upsert inserts sets the value; all others read it.
    { $setOnInsert: { value: randomBytes(VALUE_BYTES).toString('hex') } },
    { upsert: true, returnDocument: 'after' },
  );
  return identityOf(db, stored?.value ?? '');
}

/** Null when no server has used this database yet. */
export async function findIdentity(db: Db): Promise<string | null> {
  const stored = await settings(db).findOne({ _id: 'identity' }, { readPreference: 'primary' });
  return stored && identityOf(db, stored.value);
}

/** Includes the name: a copy under another name is another database, though it has the same documents. */
const identityOf = (db: Db, value: string): string =>
  createHash('sha256').update(`${value} ${db.databaseName}`).digest('hex').slice(0, 32);
