/** Pictures that are scaled down: made when a width is requested for the first time, and kept as long as their asset. */
import { createHash, randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type AssetDocument, assetFiles, findAsset, type ScaledFileDocument, type ScaledPicture } from './asset.js';
import { CHUNK_BYTES, discardFile, readFile, writeFile } from './asset-file.js';
import type { PictureBounds } from './asset-storing.js';
import { type EncodedPicture, scalePicture } from './pictures/picture.js';
import type { PictureTurns } from './pictures/picture-turns.js';
import type { ScaledWidth } from './pictures/picture-type.js';
import { SpooledPicture } from './pictures/spooled-picture.js';

/** A width that is not smaller than the picture's is served as it was stored. */
export const needsScaling = ({ metadata }: AssetDocument, width: ScaledWidth): boolean => metadata.width > width;

export const findScaled = ({ metadata }: AssetDocument, width: ScaledWidth): ScaledPicture | null =>
  metadata.scaled.find((scaled) => scaled.width === width) ?? null;

/**
 * Makes the scaled picture. If another process makes the same one at the same time, the first to finish wins, and both return it.
 * @returns null when the asset no longer exists
 * @throws BusyError too many pictures are waiting
 */
export async function makeScaled(
  db: Db,
  asset: AssetDocument,
  width: ScaledWidth,
  bounds: PictureBounds,
  turns: PictureTurns,
  now: Date,
): Promise<ScaledPicture | null> {
  const { content_type: type } = asset.metadata;
  const whole = readFile(db, asset, 0, asset.length);
  const encoded = await turns.take(() =>
    SpooledPicture.use(whole, asset.length, (spooled) => scalePicture(spooled, type, width, bounds.MAX_PICTURE_PIXELS)),
  );
  const file = fileOf(asset._id, encoded, now);
  let isListed = false;
  try {
    await writeFile(
      db,
      file,
      (async function* () {
        yield encoded.bytes;
      })(),
    );
    isListed = await list(db, file, width);
  } finally {
    if (!isListed) await discardFile(db, file._id, now).catch(() => undefined); // the database is away: a worker removes it
  }
  const current = await findAsset(db, asset._id);
  return current && findScaled(current, width);
}

const fileOf = (assetId: string, { type, bytes }: EncodedPicture, now: Date): ScaledFileDocument => ({
  _id: randomUUID(),
  length: bytes.length,
  chunkSize: CHUNK_BYTES,
  uploadDate: now,
  filename: assetId,
  metadata: {
    state: 'STORING',
    content_type: type,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    check_at: now,
    of: assetId,
  },
});

/** @returns false when the asset has such a picture already, or is being removed: then nothing has changed */
async function list(db: Db, file: ScaledFileDocument, width: ScaledWidth): Promise<boolean> {
  const { content_type, sha256, of } = file.metadata;
  const scaled: ScaledPicture = {
    file: file._id,
    width,
    content_type,
    bytes: file.length,
    chunk_bytes: file.chunkSize,
    sha256,
  };
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const asset = await assetFiles(db).updateOne(
      // Guard: the asset is there and lists no picture of this width. Of several at the same time only the first commits.
      { _id: of, 'metadata.state': 'STORED', 'metadata.scaled.width': { $ne: width } },
      { $push: { 'metadata.scaled': scaled } as never },
      { session },
    );
    if (asset.matchedCount === 0) return false;
    const own = await assetFiles(db).updateOne(
      { _id: file._id, 'metadata.state': 'STORING' }, // guard: no worker has begun to remove it
      { $set: { 'metadata.state': 'STORED' }, $unset: { 'metadata.check_at': true } },
      { session },
    );
    if (own.matchedCount === 0) throw new Error(`The scaled picture ${file._id} was not stored in time`);
    return true;
  });
  failpoint('assets.scaled.listed');
  return value;
}
