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
    const rejected = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (!accountsForAll(error, rejected.length, documents.length)) throw error;
    return rejected.map(({ index, code }) => ({ index, ...rejectionOf(code) }));
  }
}

/** The driver may report a broken connection as if documents were rejected. The outcome is then unknown, and none may count as stored. */
function accountsForAll(error: unknown, rejected: number, sent: number): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return false;
  return error.insertedCount + rejected === sent;
}

export function rejectionOf(code: unknown): { code: ErrorCode; message: string } {
  if (code === serverCodes.duplicateKey) return { code: 'CONFLICT', message: 'An item with this id is already stored' };
  if (code === serverCodes.documentRejected)
    return { code: 'BAD_USER_INPUT', message: 'A validation rule of the database rejects it' };
  return { code: 'INTERNAL_SERVER_ERROR', message: 'The database could not store it' };
}
