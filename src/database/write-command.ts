/**
 * Many documents written by one plain command in a transaction. The driver's bulk write sends the same, but serialises each document
 * by itself, for up to twice the CPU time of this process (docs/request-log.md). The caller bounds number and size: at most 100,000
 * documents and 48 MB.
 */
import { type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';
import { noteInTransaction } from './write-clock.js';

/** @throws MongoServerError the first document that the server refuses; the transaction is over then */
export async function insertInTransaction(
  db: Db,
  collection: string,
  documents: readonly object[],
  session: ClientSession,
): Promise<void> {
  if (documents.length === 0) return;
  noteInTransaction(db, collection, session);
  await write(db, { insert: collection, documents, ordered: false }, session);
}

/** One update of a single document, as the server takes it. */
export interface UpdateStatement {
  readonly q: Document;
  readonly u: Document;
  readonly upsert: boolean;
}

/** @throws MongoServerError the first update that the server refuses; the transaction is over then */
export async function updateInTransaction(
  db: Db,
  collection: string,
  updates: readonly UpdateStatement[],
  session: ClientSession,
): Promise<void> {
  if (updates.length === 0) return;
  noteInTransaction(db, collection, session);
  await write(db, { update: collection, updates, ordered: false }, session);
}

async function write(db: Db, command: Document, session: ClientSession): Promise<void> {
  const { writeErrors } = await db.command(command, { session, ignoreUndefined: true });
  if (writeErrors) throw new MongoServerError(writeErrors[0]);
}
