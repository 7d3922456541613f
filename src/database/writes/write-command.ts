/**
 * Writes many documents with one plain command. The driver's bulk write sends the same, but serializes each document separately, which
 * costs up to twice the CPU time (docs/request-log.md). The caller bounds number and size: at most 100,000 documents and 48 MB.
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
import { noteInTransaction, noteWrite } from '../collections/write-clock.js';
import { sendBoundOf } from './durability.js';

/**
 * @param collectionUUID of the intended collection: without it, an insert into a dropped collection creates a new one
 * @throws MongoServerError the first document that the server rejects; the transaction is then aborted
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

/** A document that the server rejected, by its position. */
export interface RejectedDocument {
  readonly index: number;
  readonly code: number;
}

const COMMAND_BYTES_MAX = 12 * 1024 * 1024; // a command's body is limited to 16 MB

/** A collection, possibly in another database than the one on whose behalf it is written. */
export interface InsertTarget {
  readonly database: Db;
  readonly collectionName: string;
  /** UUID of the intended collection: without it, a missing collection is created. */
  readonly uuid?: Binary;
}

/**
 * Inserts documents outside a transaction, independently of each other. With the collection's UUID, a dropped collection is not
 * recreated: all documents are rejected as `collectionReplaced`. Not retried when the connection breaks.
 * @returns the rejected documents; with w: 0 they are unknown
 */
export async function insertEachInto(
  db: Db,
  { database, collectionName, uuid }: InsertTarget,
  documents: readonly object[],
  writeConcern: WriteConcern,
): Promise<readonly RejectedDocument[]> {
  const rejected: RejectedDocument[] = [];
  for (const { from, part } of inParts(documents)) {
    const insert = { insert: collectionName, documents: part, collectionUUID: uuid };
    const reply = await writeEach(db, database, insert, writeConcern);
    for (const { index, code } of reply.writeErrors ?? []) rejected.push({ index: from + index, code });
  }
  return rejected;
}

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

/** An update of a single document, in the form of the update command. */
export interface UpdateStatement {
  readonly q: Document;
  /** Modifiers, or a pipeline. */
  readonly u: Document | readonly Document[];
  readonly upsert: boolean;
}

/**
 * Updates outside a transaction, independently of each other. Not retried when the connection breaks.
 * @returns how many documents were changed or created
 * @throws MongoServerError the first update that the server rejects; the others are still applied
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

/** A deletion, in the form of the delete command. */
export interface DeleteStatement {
  readonly q: Document;
  /** 0: all matching documents. */
  readonly limit: 0 | 1;
}

/**
 * Deletes outside a transaction, independently of each other. Not retried when the connection breaks.
 * @returns how many documents were deleted
 * @throws MongoServerError the first deletion that the server rejects; the others are still applied
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
 * Sends independent writes.
 * @param db the handle on whose behalf they are made
 * @returns the server's reply, including rejected writes
 * @throws MongoServerError the write concern was not met: the driver does not check that in a plain command's reply
 */
async function writeEach(db: Db, database: Db, command: Document, writeConcern: WriteConcern): Promise<Document> {
  const { w, wtimeoutMS: wtimeout, journal: j } = writeConcern;
  const whole = { ...command, ordered: false, writeConcern: { w, wtimeout, j } };
  const reply = await database.command(whole, { ignoreUndefined: true, signal: sendBoundOf(writeConcern) });
  if (reply.writeConcernError) throw new MongoServerError(reply.writeConcernError);
  const changed = reply.nModified ?? reply.n; // `n` of an update includes documents that merely matched
  if (changed > 0 || reply.upserted) noteWrite(db, reply.operationTime);
  return reply;
}

/** @throws MongoServerError the first update that the server rejects; the transaction is then aborted */
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

/** @throws MongoServerError the first deletion that the server rejects; the transaction is then aborted */
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
