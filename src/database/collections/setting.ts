/** Settings stored in the database: one collection, in which each setting is a document with its own fields. */
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { type CollectionDeclaration, defineCollection } from './collection.js';

interface SettingDocument {
  _id: string;
}

export const settings = defineCollection<SettingDocument>('settings');

/** The collection, typed for the owner of one setting: every query names the `_id` of that setting. */
export const settingsOf = <T extends SettingDocument>() => settings as unknown as CollectionDeclaration<T>;

const KEY_BYTES = 32;

/** The secret key of 32 bytes that all processes share under this name. Creates it if there is none. */
export async function storedKey(db: Db, _id: `${string}-key`): Promise<Buffer> {
  const stored = await settingsOf<SettingDocument & { value: string }>()(db).findOneAndUpdate(
    { _id },
    // Guard: only the process whose upsert inserts sets the key; all others read it.
    { $setOnInsert: { value: randomBytes(KEY_BYTES).toString('base64url') } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!stored) throw new Error(`The setting ${_id} was not stored`);
  return Buffer.from(stored.value, 'base64url');
}
