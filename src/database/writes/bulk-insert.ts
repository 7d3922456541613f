/** Bulk inserts in which a rejected document does not affect the others. */
import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb';
import type { RejectedItem } from '../../shared/bulk-items.js';
import type { ErrorCode } from '../../shared/errors.js';
import { serverCodes } from '../connection/server-errors.js';
import { type Durability, writeConcernOf } from './durability.js';
import { insertEachInto } from './write-command.js';

/**
 * One unordered insert. FIRE_AND_FORGET does not wait for the database, so it reports no rejected documents.
 * @returns the documents that the database rejected, by position; all others are stored. Any other failure is thrown
 */
export async function insertEach<T extends Document>(
  collection: Collection<T>,
  documents: readonly T[],
  durability: Durability,
): Promise<readonly RejectedItem[]> {
  const writeConcern = writeConcernOf[durability];
  if (durability === 'FIRE_AND_FORGET') {
    await insertEachInto(
      collection.db,
      { database: collection.db, collectionName: collection.collectionName },
      documents,
      writeConcern,
    );
    return [];
  }
  const options = { ordered: false, ignoreUndefined: true, writeConcern };
  try {
    await collection.insertMany(documents as readonly OptionalUnlessRequiredId<T>[], options);
    return [];
  } catch (error) {
    const refused = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (!isToldOfAll(error, refused.length, documents.length)) throw error;
    return refused.map(({ index, code }) => ({ index, ...refusalOf(code) }));
  }
}

/** The driver reports a broken connection like rejections. Then the outcome is unknown, and documents must not count as stored. */
function isToldOfAll(error: unknown, refused: number, sent: number): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return false;
  return error.insertedCount + refused === sent;
}

export function refusalOf(code: unknown): { code: ErrorCode; message: string } {
  if (code === serverCodes.duplicateKey) return { code: 'CONFLICT', message: 'An item with this id is already stored' };
  if (code === serverCodes.documentRefused)
    return { code: 'BAD_USER_INPUT', message: 'A validation rule of the database rejects it' };
  return { code: 'INTERNAL_SERVER_ERROR', message: 'The database could not store it' };
}
