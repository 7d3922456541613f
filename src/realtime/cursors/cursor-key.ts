/**
 * The keys that sign cursors: created once per database, so that every process accepts the cursors of every other.
 * The two newest generations are valid; a cursor of an older one leads to a reset.
 */
import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Binary, ClientSession, Db } from 'mongodb';
import { settingsOf } from '../../database/index.js';

interface CursorKeySetting {
  _id: 'cursor-key';
  /** The newest first. */
  generations: { secret: Binary; created_at: Date }[];
}

export interface CursorKey {
  /** The first four bytes of the secret's hash: names the generation, reveals nothing about the secret. */
  readonly id: Buffer;
  readonly secret: KeyObject;
}

const settings = settingsOf<CursorKeySetting>();
const GENERATIONS_VALID = 2;
const SECRET_BYTES = 32;

/** Reads the keys, and creates the first one when there is none. */
export async function readCursorKeys(db: Db): Promise<CursorKey[]> {
  const stored = await settings(db).findOneAndUpdate(
    { _id: 'cursor-key' },
    // Guard: only the process whose upsert inserts sets the secret; all others read it.
    { $setOnInsert: { generations: [newGeneration()] } },
    { upsert: true, returnDocument: 'after' },
  );
  return (stored?.generations ?? []).slice(0, GENERATIONS_VALID).map(({ secret }) => asKey(Buffer.from(secret.buffer)));
}

/** The smallest read of a document that always exists. */
export async function touchCursorKey(db: Db, session: ClientSession): Promise<void> {
  await settings(db).findOne({ _id: 'cursor-key' }, { session, projection: { _id: 1 } });
}

/**
 * Starts a new generation. Running processes sign with the old one until they restart; it stays valid until the next rotation.
 * @returns how many generations are valid now: 1 when it is the first one
 */
export async function rotateCursorKey(db: Db): Promise<number> {
  const rotated = await settings(db).findOneAndUpdate(
    { _id: 'cursor-key' },
    { $push: { generations: { $each: [newGeneration()], $position: 0, $slice: GENERATIONS_VALID } } },
    { upsert: true, returnDocument: 'after' },
  );
  return rotated?.generations.length ?? 1;
}

const newGeneration = () => ({ secret: randomBytes(SECRET_BYTES) as unknown as Binary, created_at: new Date() });
const asKey = (secret: Buffer): CursorKey => ({
  id: createHash('sha256').update(secret).digest().subarray(0, 4),
  secret: createSecretKey(secret), // created once: signing with it takes half the time of signing with bytes
});
