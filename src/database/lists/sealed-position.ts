/**
 * Positions in lists that their readers must not learn: of what is left out for them, where a page has to end. They are encrypted with a
 * key in the database, so that every process can continue from the cursors of every other.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { CursorError } from '../../shared/errors.js';
import { decodePosition, encodePosition } from '../../shared/page.js';
import { storedKey } from '../collections/setting.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** No other cursor has a dot. */
const PREFIX = 'sealed.';
const SEALED = /^sealed\.[\w-]{40,8000}$/;

/** It never changes. */
const keys = new WeakMap<Db, Promise<Buffer>>();

function keyOf(db: Db): Promise<Buffer> {
  const known = keys.get(db);
  if (known) return known;
  const read = storedKey(db, 'position-key');
  keys.set(db, read);
  read.catch(() => keys.delete(db));
  return read;
}

/** As `encodePosition`, for a position that the reader must not learn. */
export async function sealPosition(db: Db, list: string, position: readonly (string | number)[]): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, await keyOf(db), nonce);
  const text = Buffer.concat([cipher.update(encodePosition(list, position), 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** As `decodePosition`, also of a sealed one. @throws CursorError the cursor is damaged, or of another list */
export async function openPosition(
  db: Db,
  list: string,
  cursor: string,
  kinds: readonly ('string' | 'number')[],
): Promise<readonly (string | number)[]> {
  if (!cursor.startsWith(PREFIX)) return decodePosition(list, cursor, kinds);
  if (!SEALED.test(cursor)) throw new CursorError();
  const bytes = Buffer.from(cursor.slice(PREFIX.length), 'base64url');
  const key = await keyOf(db);
  return decodePosition(list, unseal(key, bytes), kinds);
}

/** @throws CursorError */
function unseal(key: Buffer, bytes: Buffer): string {
  const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
    return decipher.update(rest.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new CursorError();
  }
}
