/**
 * Files in GridFS, written and read chunk by chunk. GridFS's own streams write the description of a file last, so that nothing could
 * find the chunks of an interrupted upload; and reading, they fetch up to 16 MB in advance for a client that may be slow. Here the
 * description comes first, as `STORING`: a worker finds it (`asset-removal.ts`). The file is visible once it is `STORED`.
 */
import { createHash } from 'node:crypto';
import { Binary, type ClientSession, type Db, ObjectId } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/time.js';
import { type AssetDocument, assetChunks, assetFiles, type ScaledFileDocument } from './asset.js';

/** GridFS's default: a document with its chunk stays below 256 KiB. */
export const CHUNK_BYTES = 255 * 1024;
/** Chunks in one write. */
const CHUNKS_AT_ONCE = 4;
/**
 * A file that takes longer is given up by its process. Only long after that it is removed, when no chunk of it can arrive any more.
 */
const STORING_MS_MAX = 5 * MINUTE_MS;
export const STORING_ABANDONED_MS = HOUR_MS;

export class FileGoneError extends Error {
  override name = 'FileGoneError';
}

export type NewFile = AssetDocument | ScaledFileDocument;

/**
 * Stores the description and all chunks; the file is still invisible.
 * @param file of state `STORING`; its length is that of the parts
 * @returns the SHA-256 of the bytes in hex
 */
export async function writeFile(db: Db, file: NewFile, parts: AsyncIterable<Buffer>): Promise<string> {
  const begunMs = performance.now();
  const hash = createHash('sha256');
  await assetFiles(db).insertOne(file);
  failpoint('assets.file.begun');
  let n = 0;
  let bytes = 0;
  for await (const group of inGroups(parts, CHUNK_BYTES * CHUNKS_AT_ONCE)) {
    if (performance.now() - begunMs > STORING_MS_MAX) throw new BusyError('The picture could not be stored in time');
    hash.update(group);
    bytes += group.length;
    const chunks = chunksOf(file._id, group, n);
    await assetChunks(db).insertMany(chunks);
    failpoint('assets.file.chunks-stored');
    n += chunks.length;
  }
  if (bytes !== file.length) throw new Error(`A file of ${file.length} bytes had ${bytes}`);
  return hash.digest('hex');
}

/**
 * Stores a whole file in a transaction of the caller: it exists exactly if that is committed, so nothing can be left of it.
 * @param file of state `STORED`; its length is that of the parts. They are small enough for one transaction
 */
export async function insertFile(
  db: Db,
  session: ClientSession,
  file: AssetDocument,
  parts: AsyncIterable<Buffer>,
): Promise<void> {
  await assetFiles(db).insertOne(file, { session });
  let n = 0;
  for await (const group of inGroups(parts, CHUNK_BYTES * CHUNKS_AT_ONCE)) {
    const chunks = chunksOf(file._id, group, n);
    await assetChunks(db).insertMany(chunks, { session });
    n += chunks.length;
  }
}

/** Parts put together to groups of this size; only the last is smaller. */
async function* inGroups(parts: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const part of parts) {
    held.push(part);
    bytes += part.length;
    if (bytes < size) continue;
    const all = Buffer.concat(held);
    const whole = bytes - (bytes % size);
    for (let at = 0; at < whole; at += size) yield all.subarray(at, at + size);
    held = [all.subarray(whole)];
    bytes -= whole;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

function chunksOf(fileId: string, group: Buffer, first: number) {
  const starts = Array.from({ length: Math.ceil(group.length / CHUNK_BYTES) }, (_, index) => index * CHUNK_BYTES);
  return starts.map((at, index) => ({
    _id: new ObjectId(),
    files_id: fileId,
    n: first + index,
    data: new Binary(group.subarray(at, at + CHUNK_BYTES)),
  }));
}

/**
 * The bytes from `from` to before `to`, one chunk at a time: the next is read when the caller asks for it.
 * @throws FileGoneError a chunk does not exist: the file was removed in the meantime
 */
export async function* readFile(
  db: Db,
  { _id, chunkSize }: { readonly _id: string; readonly chunkSize: number },
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  for (let n = Math.floor(from / chunkSize); n * chunkSize < to; n += 1) {
    const chunk = await assetChunks(db).findOne({ files_id: _id, n });
    if (!chunk) throw new FileGoneError(`Chunk ${n} of the file ${_id} does not exist`);
    const start = n * chunkSize;
    yield Buffer.from(chunk.data.buffer).subarray(Math.max(0, from - start), to - start);
  }
}

/**
 * Makes a file that is being stored disappear, at any of its steps. A crash in between leaves a file that is `REMOVING`, whose removal
 * a worker finishes.
 */
export async function discardFile(db: Db, id: string, now: Date): Promise<void> {
  const { matchedCount } = await assetFiles(db).updateOne(
    { _id: id, 'metadata.state': 'STORING' }, // guard: it never became visible
    { $set: { 'metadata.state': 'REMOVING', 'metadata.check_at': now } },
  );
  failpoint('assets.file.discarded');
  if (matchedCount === 1) await removeMarkedFile(db, id);
}

/** Removes the chunks and the description of a file that is `REMOVING`: nobody reads it any more. May be repeated. */
export async function removeMarkedFile(db: Db, id: string): Promise<void> {
  await assetChunks(db).deleteMany({ files_id: id });
  failpoint('assets.file.chunks-removed');
  await assetFiles(db).deleteOne({ _id: id, 'metadata.state': 'REMOVING' }); // last: it is how the chunks are found
  failpoint('assets.file.removed');
}
