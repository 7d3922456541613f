/** Documents that are inserted many at once, where one that is refused costs the others nothing. */
import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb';
import { type Durability, insertEachInto, writeConcernOf } from '../../database/index.js';
import type { ErrorCode } from '../../shared/errors.js';

/** An item of a call that was not stored. */
export interface RejectedItem {
  /** The item's position in the list that was sent, from 0. */
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const DUPLICATE_KEY = 11000;
const DOCUMENT_REFUSED = 121; // by a validator of the database's owner

/**
 * One unordered insert. FIRE_AND_FORGET does not wait for the database, so nothing is known to be refused then.
 * @returns those that the database refused, by their positions; all others are stored. Anything else that fails is thrown
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

/** The driver wraps a broken connection as it wraps refusals: then nothing is known of the documents, and they must not count as stored. */
function isToldOfAll(error: unknown, refused: number, sent: number): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return false;
  return error.insertedCount + refused === sent;
}

export function refusalOf(code: unknown): { code: ErrorCode; message: string } {
  if (code === DUPLICATE_KEY) return { code: 'CONFLICT', message: 'One with this id is stored already' };
  if (code === DOCUMENT_REFUSED) return { code: 'BAD_USER_INPUT', message: "The database's own rules refuse it" };
  return { code: 'INTERNAL_SERVER_ERROR', message: 'The database could not store it' };
}
