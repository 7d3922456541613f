/**
 * Copies of assets that an import brings: stored under the id that they had, so that the texts that show them need no change. Their
 * bytes were an asset's, and stay as they are. They are not trusted for that: they pass the same checks as an upload.
 */
import { createHash, type Hash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type AssetDocument, assetFiles, UNUSED_KEPT_MS } from './asset.js';
import { CHUNK_BYTES, insertFile } from './asset-file.js';
import { endRemoval } from './asset-removal.js';
import type { PictureBounds } from './asset-storing.js';
import { readPieces } from './metadata/piece.js';
import { inspectPicture, type NotAPicture } from './pictures/picture.js';
import type { PictureTurns } from './pictures/picture-turns.js';
import { SpooledPicture } from './pictures/spooled-picture.js';

/** What a process needs to check pictures. */
export interface PictureCheck {
  readonly bounds: PictureBounds;
  readonly turns: PictureTurns;
}

export interface AssetCopy {
  readonly id: string;
  readonly name: string;
  /** Of the bytes, in hex. */
  readonly sha256: string;
  readonly uploadedAt: Date;
  readonly ownerId: string;
}

export type CopyDamaged = Refusal<'CopyDamaged'>;
export type AssetIdTaken = Refusal<'AssetIdTaken'>;

/** A copy is written in one transaction, which takes memory of the database and may last 60 seconds. */
export const COPY_BYTES_MAX = 64 * 1024 ** 2;

/** Random UUIDs, as `asset-storing.ts` makes them. */
export const isAssetId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** Writes the copy in the transaction. @returns whether it was there already */
export type WriteCopy = (session: ClientSession) => Promise<'STORED' | 'PRESENT' | AssetIdTaken>;

/**
 * Checks a copy, and then calls `work`, which writes it.
 * @throws LimitError it has too many bytes or pixels
 * @throws BusyError too many pictures are waiting
 * @throws the source's error, or that of `work`
 */
export async function withCopy<T>(
  db: Db,
  copy: AssetCopy,
  bytes: AsyncIterable<Uint8Array>,
  { bounds, turns }: PictureCheck,
  now: Date,
  work: (write: WriteCopy) => Promise<T>,
): Promise<T | NotAPicture | CopyDamaged> {
  const bytesMax = Math.min(bounds.MAX_PICTURE_BYTES, COPY_BYTES_MAX);
  await endRemoval(db, copy.id);
  const hash = createHash('sha256');
  return SpooledPicture.use(hashed(bytes, hash), bytesMax, async (spooled) => {
    if (hash.digest('hex') !== copy.sha256)
      return refuse('CopyDamaged', 'The bytes of the picture are not those that were exported');
    const inspected = await turns.take(() => inspectPicture(spooled, bounds.MAX_PICTURE_PIXELS));
    if ('__typename' in inspected) return inspected;
    const { type, width, height } = inspected;
    const asset: AssetDocument = {
      _id: copy.id,
      length: spooled.bytes,
      chunkSize: CHUNK_BYTES,
      uploadDate: copy.uploadedAt,
      filename: copy.name,
      metadata: {
        state: 'STORED',
        content_type: type,
        sha256: copy.sha256,
        width,
        height,
        owner_id: copy.ownerId,
        used_at: now,
        check_at: new Date(now.getTime() + UNUSED_KEPT_MS),
        scaled: [],
      },
    };
    return work(async (session) => {
      const present = await holdCopy(db, session, copy, now);
      if (present !== null) return present;
      await insertFile(db, session, asset, readPieces(spooled.handle, [{ from: 0, to: spooled.bytes }])); // guard: `_id`; nobody has stored it since
      return 'STORED';
    });
  });
}

/**
 * Keeps an asset for a day that is there already, in a transaction.
 * @returns null if there is none of this id @throws BusyError it is being removed
 */
export async function holdCopy(
  db: Db,
  session: ClientSession,
  { id, sha256 }: Pick<AssetCopy, 'id' | 'sha256'>,
  now: Date,
): Promise<'PRESENT' | AssetIdTaken | null> {
  const { matchedCount } = await assetFiles(db).updateOne(
    // Guard: as `claimAssets`. The same bytes: what the texts of the import show.
    { _id: id, 'metadata.state': 'STORED', 'metadata.sha256': sha256, 'metadata.of': { $exists: false } },
    { $set: { 'metadata.used_at': now, 'metadata.check_at': new Date(now.getTime() + UNUSED_KEPT_MS) } },
    { session },
  );
  if (matchedCount === 1) return 'PRESENT';
  const other = await assetFiles(db).findOne({ _id: id }, { session });
  if (other && other.metadata.state !== 'STORED') throw new BusyError('The picture is being removed');
  return other && refuse('AssetIdTaken', 'Another picture has this id');
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
}
