/**
 * The files of background work: what an import reads and an export writes. A file consists of parts under the id of its work, so an
 * export adds parts in the transactions of its steps, and an import continues at a part. An upload is stored before its work; without
 * that work it is never visible.
 */
import { Readable } from 'node:stream';
import { Binary, type ClientSession, type Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS } from '../../../shared/time.js';
import { backgroundWork } from './background-work.js';

interface PartDocument {
  /** See `partId`. */
  _id: string;
  data: Binary;
  /** In the first part: when the file was begun. */
  begun_at?: Date;
}

export const workParts = defineCollection<PartDocument>('work.parts', [
  { key: { begun_at: 1 }, partialFilterExpression: { begun_at: { $exists: true } } }, // removeOldFiles
]);

/** The size of a part. Few writes, and far below what a document can hold. */
export const PART_BYTES = 1024 * 1024;
const PART_DIGITS = 8; // fixed width, so that ids sort like part numbers
const REMOVED_AT_ONCE = 100;

const partId = (work: string, number: number): string => `${work}.${String(number).padStart(PART_DIGITS, '0')}`;
const partsFrom = (work: string, number: number) => ({ $gte: partId(work, number), $lt: `${work}/` }); // the slash follows the dot

/** A kept file is removed a day after its work has ended, an upload without work a day after it began. */
export const FILE_KEPT_MS = DAY_MS;

/**
 * Stores a file as it arrives, for work that is started afterwards.
 * @returns its size
 * @throws LimitError it is larger than `bytesMax` @throws the stream's error. Nothing is kept
 */
export async function storeFile(db: Db, work: string, bytes: Readable, bytesMax: number, now: Date): Promise<number> {
  let size = 0;
  let number = 0;
  try {
    for await (const part of inParts(bytes)) {
      size += part.length;
      if (size > bytesMax) throw new LimitError(`The file is larger than ${bytesMax} bytes`, bytesMax);
      await addParts(db, work, number, [part], now);
      number += 1;
      failpoint('work.file.part-stored');
    }
    return size;
  } catch (error) {
    bytes.destroy();
    await removeFile(db, work);
    throw error;
  }
}

/** Adds parts with these numbers on. In the session of a step, they exist exactly if the step was recorded. */
export async function addParts(
  db: Db,
  work: string,
  from: number,
  parts: readonly Uint8Array[],
  now: Date,
  session?: ClientSession,
): Promise<void> {
  const documents = parts.map((data, index) => ({
    _id: partId(work, from + index), // guard: a part is stored once
    data: new Binary(data),
    ...(from + index === 0 && { begun_at: now }),
  }));
  if (documents.length > 0) await workParts(db).insertMany(documents, session ? { session } : {});
}

/** Parts of PART_BYTES; the last one may be shorter. Empty for an empty stream. */
export async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES) continue;
    const all = Buffer.concat(waiting, length);
    let start = 0;
    for (; length - start >= PART_BYTES; start += PART_BYTES) yield all.subarray(start, start + PART_BYTES);
    waiting = [all.subarray(start)];
    length -= start;
  }
  if (length > 0) yield Buffer.concat(waiting, length);
}

/**
 * The bytes of a file. Each part is read when the one before has been taken, so that many downloads that stall hold little memory.
 * @param from the part to start with
 */
export async function* readParts(db: Db, work: string, from = 0): AsyncGenerator<Buffer> {
  const parts = workParts(db)
    .find({ _id: partsFrom(work, from) }, { projection: { data: 1 }, batchSize: 1 })
    .sort({ _id: 1 });
  try {
    for await (const { data } of parts) yield Buffer.from(data.buffer.buffer, data.buffer.byteOffset, data.length());
  } finally {
    await parts.close();
  }
}

/** The same as a stream. */
export const openFile = (db: Db, work: string): Readable => Readable.from(readParts(db, work), { objectMode: false });

/**
 * Removes the first parts of a file that begins anew behind them, except the very first: `removeOldFiles` finds the rest by it.
 * May be repeated.
 * @param before the number of the first part that stays
 */
export async function removeParts(db: Db, work: string, before: number): Promise<void> {
  await workParts(db).deleteMany({ _id: { $gte: partId(work, 1), $lt: partId(work, before) } });
}

export async function removeFile(db: Db, work: string): Promise<void> {
  // The first part last: `removeOldFiles` finds the rest by it.
  await workParts(db).deleteMany({ _id: partsFrom(work, 1) });
  failpoint('work.file.rest-removed');
  await workParts(db).deleteOne({ _id: partId(work, 0) });
  failpoint('work.file.removed');
}

/** Removes the files of work that ended a day ago, and uploads a day old that never led to work. May be repeated, and run concurrently. */
export async function removeOldFiles(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FILE_KEPT_MS);
  const firstParts = workParts(db)
    .find({ begun_at: { $lt: before } }, { projection: { _id: 1 } })
    .sort({ begun_at: 1 });
  let ids: string[] = [];
  for await (const { _id } of firstParts) {
    ids.push(_id.slice(0, -PART_DIGITS - 1));
    if (ids.length < REMOVED_AT_ONCE) continue;
    await removeUseless(db, ids, before);
    ids = [];
  }
  await removeUseless(db, ids, before);
}

async function removeUseless(db: Db, ids: readonly string[], before: Date): Promise<void> {
  if (ids.length === 0) return;
  const works = await backgroundWork(db)
    .find({ _id: { $in: [...ids] } }, { projection: { open: 1, finished_at: 1 } })
    .toArray();
  const needed = new Set(
    works.filter(({ open, finished_at }) => open || (finished_at && finished_at >= before)).map(({ _id }) => _id),
  );
  for (const id of ids) if (!needed.has(id)) await removeFile(db, id);
}
