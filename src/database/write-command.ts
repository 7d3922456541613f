/**
 * Many documents written by one plain command. The driver's bulk write sends the same, but serialises each document by itself, for up
 * to twice the CPU time of this process (docs/request-log.md). The caller bounds number and size: at most 100,000 documents and 48 MB.
 */
import {
  type Binary,
  BSON,
  type ClientSession,
  type Db,
  type Document,
  MongoServerError,
  type WriteConcern,
} from 'mongodb';
import { sendBoundOf } from './durability.js';
import { noteInTransaction, noteWrite } from './write-clock.js';

/**
 * @param collectionUUID of the collection that is meant: without it, an insert into one that was dropped makes a new one
 * @throws MongoServerError the first document that the server refuses; the transaction is over then
 */
export async function insertInTransaction(
  db: Db,
  collection: string,
  documents: readonly object[],
  session: ClientSession,
  collectionUUID?: Binary,
): Promise<void> {
  if (documents.length === 0) return;
  noteInTransaction(db, collection, session);
  await write(db, { insert: collection, documents, ordered: false, collectionUUID }, session);
}

/** A document that the server refused, by its position. */
export interface RefusedDocument {
  readonly index: number;
  readonly code: number;
}

const COMMAND_BYTES_MAX = 12 * 1024 * 1024; // a command's body holds 16 MB

/** A collection, perhaps of another database than the one on whose behalf it is written. */
export interface InsertTarget {
  readonly database: Db;
  readonly collectionName: string;
  /** Of the collection that is meant: without it, one that is not there is made. */
  readonly uuid?: Binary;
}

/**
 * Inserts documents outside of a transaction, each by itself. With the collection's UUID, one that was dropped is not made again, and
 * all documents are then refused with COLLECTION_UUID_MISMATCH. Not repeated when the connection breaks.
 * @returns those that were refused; with w: 0 nothing is known of them
 */
export async function insertEachInto(
  db: Db,
  { database, collectionName, uuid }: InsertTarget,
  documents: readonly object[],
  writeConcern: WriteConcern,
): Promise<readonly RefusedDocument[]> {
  const refused: RefusedDocument[] = [];
  for (const { from, part } of inParts(documents)) {
    const insert = { insert: collectionName, documents: part, collectionUUID: uuid };
    const reply = await writeEach(db, database, insert, writeConcern);
    for (const { index, code } of reply.writeErrors ?? []) refused.push({ index: from + index, code });
  }
  return refused;
}

export const COLLECTION_UUID_MISMATCH = 361;

function* inParts(
  documents: readonly object[],
): Generator<{ readonly from: number; readonly part: readonly object[] }> {
  let from = 0;
  let bytes = 0;
  for (const [index, document] of documents.entries()) {
    const size = BSON.calculateObjectSize(document, { ignoreUndefined: true });
    if (bytes + size > COMMAND_BYTES_MAX && index > from) {
      yield { from, part: documents.slice(from, index) };
      from = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < documents.length) yield { from, part: documents.slice(from) };
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
  const reply = await writeEach(db, db, { update: collection, updates }, writeConcern);
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
  writeConcern: WriteConcern,
): Promise<number> {
  if (deletes.length === 0) return 0;
  const reply = await writeEach(db, db, { delete: collection, deletes }, writeConcern);
  if (reply.writeErrors) throw new MongoServerError(reply.writeErrors[0]);
  return reply.n;
}

/**
 * Sends writes that stand each by itself.
 * @param db on whose behalf
 * @returns the server's reply, with those that it refused
 * @throws MongoServerError they are not as safe as was asked for: the driver does not look at that in a plain command's reply
 */
async function writeEach(db: Db, database: Db, command: Document, writeConcern: WriteConcern): Promise<Document> {
  const { w, wtimeoutMS: wtimeout, journal: j } = writeConcern;
  const whole = { ...command, ordered: false, writeConcern: { w, wtimeout, j } };
  const reply = await database.command(whole, { ignoreUndefined: true, signal: sendBoundOf(writeConcern) });
  if (reply.writeConcernError) throw new MongoServerError(reply.writeConcernError);
  const changed = reply.nModified ?? reply.n; // an update counts what it matched as well
  if (changed > 0 || reply.upserted) noteWrite(db, reply.operationTime);
  return reply;
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

/** @throws MongoServerError the first deletion that the server refuses; the transaction is over then */
export async function deleteInTransaction(
  db: Db,
  collection: string,
  deletes: readonly DeleteStatement[],
  session: ClientSession,
): Promise<void> {
  if (deletes.length === 0) return;
  noteInTransaction(db, collection, session);
  await write(db, { delete: collection, deletes, ordered: false }, session);
}

async function write(db: Db, command: Document, session: ClientSession): Promise<void> {
  const { writeErrors } = await db.command(command, { session, ignoreUndefined: true });
  if (writeErrors) throw new MongoServerError(writeErrors[0]);
}
