/**
 * Many documents written by one plain command. The driver's bulk write sends the same, but serialises each document by itself, for up
 * to twice the CPU time of this process (docs/request-log.md). The caller bounds number and size: at most 100,000 documents and 48 MB.
 */
import { type ClientSession, type Db, type Document, MongoServerError, type WriteConcern } from 'mongodb';
import { noteInTransaction, noteWrite } from './write-clock.js';

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
  /** Modifiers, or a pipeline. */
  readonly u: Document | readonly Document[];
  readonly upsert: boolean;
}

/**
 * Updates outside of a transaction, each by itself: those before one that fails stand. Not repeated when the connection breaks.
 * @returns how many documents were changed or made
 * @throws MongoServerError the first update that the server refuses; the others are made all the same
 */
export async function updateEach(
  db: Db,
  collection: string,
  updates: readonly UpdateStatement[],
  writeConcern: WriteConcern,
): Promise<number> {
  if (updates.length === 0) return 0;
  const { w, wtimeoutMS: wtimeout, journal: j } = writeConcern;
  const command = { update: collection, updates, ordered: false, writeConcern: { w, wtimeout, j } };
  const reply = await db.command(command, { ignoreUndefined: true });
  if (reply.nModified > 0 || reply.upserted) noteWrite(db, reply.operationTime);
  if (reply.writeErrors) throw new MongoServerError(reply.writeErrors[0]);
  return reply.nModified + (reply.upserted?.length ?? 0);
}

/** A deletion, as the server takes it. */
export interface DeleteStatement {
  readonly q: Document;
  /** 0: all that match. */
  readonly limit: 0 | 1;
}

/**
 * Deletes outside of a transaction, each by itself. Not repeated when the connection breaks.
 * @returns how many documents were deleted
 * @throws MongoServerError the first deletion that the server refuses; the others are made all the same
 */
export async function deleteEach(
  db: Db,
  collection: string,
  deletes: readonly DeleteStatement[],
  { w, wtimeoutMS: wtimeout, journal: j }: WriteConcern,
): Promise<number> {
  if (deletes.length === 0) return 0;
  const command = { delete: collection, deletes, ordered: false, writeConcern: { w, wtimeout, j } };
  const reply = await db.command(command, { ignoreUndefined: true });
  if (reply.n > 0) noteWrite(db, reply.operationTime);
  if (reply.writeErrors) throw new MongoServerError(reply.writeErrors[0]);
  return reply.n;
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
