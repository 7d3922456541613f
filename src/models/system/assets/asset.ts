/**
 * Assets: stored pictures, in the GridFS bucket `cms.assets` (`cms.assets.files`, with their bytes in `cms.assets.chunks`). The bytes
 * of an asset never change. A picture that was scaled down is a file of its own, which its asset lists.
 * Invariants: a stored file has all of its chunks; every chunk belongs to a file; a stored scaled file is listed by its asset, once.
 * A file that is being stored or removed may lack chunks: it is invisible, and its removal can be resumed (`asset-removal.ts`).
 */
import type { Binary, Db, ObjectId } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { DAY_MS } from '../../../shared/time.js';
import type { PictureType, ScaledWidth } from './pictures/picture-type.js';

/** A picture that was scaled down, in the document of its asset. */
export interface ScaledPicture {
  /** The `_id` of its file. */
  file: string;
  /** At most so wide. */
  width: ScaledWidth;
  content_type: PictureType;
  bytes: number;
  /** Of each of its chunks but the last. */
  chunk_bytes: number;
  /** SHA-256 in hex. */
  sha256: string;
}

/** What a stored file is: `STORING` and `REMOVING` are invisible. */
export type AssetState = 'STORING' | 'STORED' | 'REMOVING';

interface FileMetadata {
  state: AssetState;
  content_type: PictureType;
  /** SHA-256 of the bytes in hex. */
  sha256: string;
  /** When a worker looks at it next. Absent on a stored scaled file, which exists as long as its asset. */
  check_at?: Date;
}

/** The fields outside `metadata` are those of GridFS. */
interface GridFile {
  /** A random UUID: its address cannot be guessed. */
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  /** Of the file as uploaded; for people only. */
  filename: string;
}

export interface AssetDocument extends GridFile {
  metadata: FileMetadata & {
    /** In pixels, as displayed. */
    width: number;
    /** In pixels, as displayed. */
    height: number;
    /** Who uploaded it. Empty if nobody with an account did, or the account was deleted. */
    owner_id: string;
    /** When a document last began to refer to it (`claimAssets`); until then, when it was stored. */
    used_at: Date;
    scaled: ScaledPicture[];
  };
}

export interface ScaledFileDocument extends GridFile {
  metadata: FileMetadata & {
    /** Its asset. */
    of: string;
  };
}

interface ChunkDocument {
  _id: ObjectId;
  files_id: string;
  n: number;
  data: Binary;
}

/** Both kinds of files, as GridFS wants it. */
export const assetFiles = defineCollection<AssetDocument | ScaledFileDocument>('cms.assets.files', [
  { key: { filename: 1, uploadDate: 1 } }, // required by GridFS
  { key: { 'metadata.state': 1, 'metadata.check_at': 1 } }, // findDue: what is to be checked, and what was interrupted
  { key: { 'metadata.owner_id': 1, _id: 1 }, partialFilterExpression: { 'metadata.owner_id': { $gt: '' } } }, // own-data.ts
]);
export const assetChunks = defineCollection<ChunkDocument>(
  'cms.assets.chunks',
  [{ key: { files_id: 1, n: 1 }, unique: true }], // GridFS: a file's bytes in order
  { shardKey: { files_id: 1 } },
);

/** An asset that nothing refers to is kept for this long. */
export const UNUSED_KEPT_MS = DAY_MS;

export const isAsset = (file: AssetDocument | ScaledFileDocument): file is AssetDocument => !('of' in file.metadata);

const isVisible = (file: AssetDocument | ScaledFileDocument): file is AssetDocument =>
  isAsset(file) && file.metadata.state === 'STORED';

/** Stored assets, in the order of their ids. Null for one that does not exist. */
export async function findAssets(db: Db, ids: readonly string[]): Promise<(AssetDocument | null)[]> {
  const found = await assetFiles(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
  const byId = new Map(found.filter(isVisible).map((asset) => [asset._id, asset]));
  return ids.map((id) => byId.get(id) ?? null);
}

export async function findAsset(db: Db, id: string): Promise<AssetDocument | null> {
  const [asset] = await findAssets(db, [id]);
  return asset ?? null;
}
