/**
 * Uploaded log files in GridFS (`log.files` with their bytes in `log.chunks`), so that any process can read them. A file is deleted
 * 24 hours after it was read. Until then users can see what was uploaded.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, type GridFSFile, ObjectId } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS } from '../../../shared/time.js';
import { logImports } from './log-import.js';
import type { LogSource } from './log-source.js';

interface FileDocument extends GridFSFile {
  metadata?: { read_at?: Date };
}

interface ChunkDocument {
  _id: ObjectId;
  files_id: ObjectId;
  n: number;
}

export const logFiles = defineCollection<FileDocument>('log.files', [
  { key: { filename: 1, uploadDate: 1 } }, // required by GridFS
  { key: { uploadDate: 1 } }, // deleteOldFiles
]);
export const logFileChunks = defineCollection<ChunkDocument>(
  'log.chunks',
  [{ key: { files_id: 1, n: 1 }, unique: true }], // GridFS: a file's bytes in order
  { shardKey: { files_id: 1 } },
);

const CHUNK_BYTES = 1024 * 1024; // fewer, larger writes than GridFS's default of 255 KiB
const KEPT_MS = DAY_MS;
const DELETED_AT_ONCE_MAX = 100;

const bucketOf = (db: Db): GridFSBucket =>
  new GridFSBucket(db, { bucketName: 'log', chunkSizeBytes: CHUNK_BYTES, writeConcern: { w: 'majority' } });

/**
 * Stores a file as it arrives. When this returns, a majority of the replica set has all of it.
 * @param name for display
 * @throws the stream's error, with nothing kept
 */
export async function storeFile(db: Db, name: string, bytes: Readable): Promise<ObjectId> {
  const upload = bucketOf(db).openUploadStream(name);
  try {
    await pipeline(bytes, upload);
    failpoint('log.file.stored');
    return upload.id;
  } catch (error) {
    await deleteFile(db, upload.id); // a chunk still in transit is deleted with the old files
    throw error;
  }
}

/** An uploaded file as a source of lines. Null when it does not exist. */
export async function findStoredFile(db: Db, id: ObjectId): Promise<LogSource | null> {
  const file = await logFiles(db).findOne({ _id: id });
  return file && { name: file.filename, size: file.length, open: () => bucketOf(db).openDownloadStream(id) };
}

/** Marks a file as read completely. It is kept for KEPT_MS from then on. */
export async function markFileRead(db: Db, id: ObjectId, now: Date): Promise<void> {
  await logFiles(db).updateOne({ _id: id }, { $set: { 'metadata.read_at': now } }); // the latest reading counts
  failpoint('log.file.marked-read');
}

/** Deletes a file that is no longer needed. A crash in between leaves chunks without a file, which `deleteOldFiles` removes. */
export async function deleteFile(db: Db, id: ObjectId): Promise<void> {
  await logFiles(db).deleteOne({ _id: id });
  failpoint('log.file.deleted');
  await logFileChunks(db).deleteMany({ files_id: id });
  failpoint('log.file.chunks-deleted');
}

/**
 * Deletes files that were read a day ago, uploads that never led to an import, and chunks of interrupted uploads. Handles at most
 * DELETED_AT_ONCE_MAX of each. May be repeated and run concurrently.
 * @returns how many were deleted
 */
export async function deleteOldFiles(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  const stale = await logFiles(db)
    .find({ uploadDate: { $lt: before }, 'metadata.read_at': { $not: { $gte: before } } }, { projection: { _id: 1 } })
    .limit(DELETED_AT_ONCE_MAX)
    .map(({ _id }) => _id)
    .toArray();
  const needed = await logImports(db)
    .find({ files: { $in: stale } }, { projection: { files: 1 } })
    .toArray();
  const neededIds = new Set(needed.flatMap((each) => each.files.map(String)));
  const useless = [...stale.filter((id) => !neededIds.has(String(id))), ...(await findLooseChunks(db, before))];
  for (const id of useless) await deleteFile(db, id);
  return useless.length;
}

/** Ids of files that have only chunks, because their upload was interrupted. Only old ids, so that uploads in progress are left alone. */
async function findLooseChunks(db: Db, before: Date): Promise<ObjectId[]> {
  const oldest = ObjectId.createFromTime(Math.floor(before.getTime() / 1000));
  const first = await logFileChunks(db)
    .find({ files_id: { $lt: oldest }, n: 0 }, { projection: { _id: 0, files_id: 1 }, limit: DELETED_AT_ONCE_MAX })
    .toArray();
  const ids = first.map(({ files_id }) => files_id);
  const whole = await logFiles(db)
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  const wholeIds = new Set(whole.map(({ _id }) => String(_id)));
  return ids.filter((id) => !wholeIds.has(String(id)));
}
