/**
 * API keys for programs. A key is a 256-bit random number, which cannot be brute-forced, so storing its SHA-256 is enough. The hash is
 * the `_id`, so that a key is found by one index lookup.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../database/index.js';
import { InputError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { MINUTE_MS } from '../../shared/time.js';
import { type Act, recordAct } from './audit.js';
import { requireName } from './user.js';

/** What an API key permits. Each domain adds its own, here by declaration merging and in its SDL with `extend enum Scope`. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it
export interface Scopes {}

export type Scope = keyof Scopes;

export interface ApiKeyDocument {
  /** SHA-256 of the key, base64url. */
  _id: string;
  name: string;
  /** The first PREFIX_LENGTH characters of the key, by which people recognize it. */
  prefix: string;
  scopes: Scope[];
  created_at: Date;
  /** To the minute. Absent if never used. */
  last_used_at?: Date;
  /** Absent while the key is valid. */
  revoked_at?: Date;
}

export const apiKeys = defineCollection<ApiKeyDocument>('api_keys', [
  { key: { created_at: -1 } }, // findApiKeys
]);

const SECRET_BYTES = 32;
const KEY = /^sxt_[\w-]{43}$/;
const PREFIX_LENGTH = 8; // `sxt_` and 24 of the 256 bits
const LISTED_MAX = 1000;
/** A use within this time of the last recorded one is not recorded. */
const USE_NOTED_MS = MINUTE_MS;

const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Whether a text has the format of an API key, and is therefore not another kind of token. */
export function looksLikeApiKey(text: string): boolean {
  return KEY.test(text);
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** @returns the key. It is not stored anywhere, so show it @throws InputError */
export async function createApiKey(
  db: Db,
  act: Act,
  input: NewApiKey,
): Promise<{ readonly key: string; readonly apiKey: ApiKeyDocument }> {
  const key = `sxt_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const apiKey: ApiKeyDocument = {
    _id: hashOfKey(key),
    name: requireName('input.name', input.name),
    prefix: key.slice(0, PREFIX_LENGTH),
    scopes: [...new Set(input.scopes)].toSorted(),
    created_at: act.at,
  };
  if (apiKey.scopes.length === 0) throw new InputError('input.scopes', 'must have at least one scope');
  await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    await apiKeys(db).insertOne(apiKey, { session });
    const detail = apiKey.scopes.join(', ');
    await recordAct(db, session, act, { action: 'API_KEY_CREATED', subject: apiKey.name, detail });
  });
  return { key, apiKey };
}

/**
 * Revokes a key. A revoked key is not changed.
 * @returns null when there is no such key
 */
export async function revokeApiKey(db: Db, act: Act, id: string): Promise<ApiKeyDocument | null> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const revoked = await apiKeys(db).findOneAndUpdate(
      { _id: id, revoked_at: { $exists: false } }, // guard: the time of the first revocation is kept
      { $set: { revoked_at: act.at } },
      { session, returnDocument: 'after' },
    );
    if (!revoked) return apiKeys(db).findOne({ _id: id }, { session });
    await recordAct(db, session, act, { action: 'API_KEY_REVOKED', subject: revoked.name });
    return revoked;
  });
  return value;
}

/** Newest first, at most 1000. */
export function findApiKeys(db: Db): Promise<ApiKeyDocument[]> {
  return apiKeys(db).find().sort({ created_at: -1 }).limit(LISTED_MAX).toArray();
}

/** Finds the key presented by a program. @returns null when it is unknown or revoked */
export async function findApiKey(db: Db, key: string): Promise<ApiKeyDocument | null> {
  const found = await apiKeys(db).findOne({ _id: hashOfKey(key) });
  return found?.revoked_at ? null : found;
}

export const findApiKeyById = (db: Db, id: string): Promise<ApiKeyDocument | null> => apiKeys(db).findOne({ _id: id });

/** Records the use of a key, at most once a minute over all processes. */
export async function noteApiKeyUse(db: Db, id: string, now: Date): Promise<void> {
  await apiKeys(db).updateOne(
    // Guard: of several concurrent updates, one matches. `$not` also matches documents without the field.
    { _id: id, last_used_at: { $not: { $gt: new Date(now.getTime() - USE_NOTED_MS) } } },
    { $set: { last_used_at: now } },
  );
  failpoint('api-key.used'); // the API request itself follows
}
