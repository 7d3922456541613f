/** Storing an uploaded picture. Until the last step, which makes it visible, there is nothing to be seen of it. */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Db } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type AssetDocument, assetFiles, UNUSED_KEPT_MS } from './asset.js';
import { CHUNK_BYTES, discardFile, writeFile } from './asset-file.js';
import { piecesWithoutMetadata } from './metadata/picture-pieces.js';
import { lengthOf, type Piece, readPieces, UnusualStructure } from './metadata/piece.js';
import { inspectPicture, type NotAPicture, type Picture, reencodePicture } from './pictures/picture.js';
import type { PictureTurns } from './pictures/picture-turns.js';
import { SpooledPicture } from './pictures/spooled-picture.js';

export interface PictureBounds {
  readonly MAX_PICTURE_BYTES: number;
  readonly MAX_PICTURE_PIXELS: number;
}

export interface NewPicture {
  /** For people only. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly ownerId: string;
  /** Stores the file with all of its metadata. */
  readonly keepLocation: boolean;
}

/**
 * Stores a picture. Memory does not grow with its size.
 * @throws LimitError it has too many bytes or pixels
 * @throws BusyError too many pictures are waiting
 * @throws the stream's error; nothing is kept
 */
export function storePicture(
  db: Db,
  picture: NewPicture,
  bounds: PictureBounds,
  turns: PictureTurns,
  now: Date,
): Promise<AssetDocument | NotAPicture> {
  return SpooledPicture.use(picture.bytes, bounds.MAX_PICTURE_BYTES, async (spooled) => {
    const inspected = await turns.take(() => inspectPicture(spooled, bounds.MAX_PICTURE_PIXELS));
    if ('__typename' in inspected) return inspected;
    if (picture.keepLocation) return storeAsset(db, spooled, wholeOf(spooled), { picture, inspected, now });
    const pieces = await piecesWithoutMetadata(spooled, inspected.type, inspected.orientation).catch(nullIfUnusual);
    if (pieces) return storeAsset(db, spooled, pieces, { picture, inspected, now });
    return reencoded(spooled, inspected, bounds, turns, (anew) =>
      storeAsset(db, anew, wholeOf(anew), { picture, inspected, now }),
    );
  });
}

const wholeOf = ({ bytes }: SpooledPicture): Piece[] => [{ from: 0, to: bytes }];

function nullIfUnusual(error: unknown): null {
  if (error instanceof UnusualStructure) return null;
  throw error;
}

/** A file from which metadata cannot be cut out: sharp could read it, so it writes it anew. */
async function reencoded<T>(
  spooled: SpooledPicture,
  { type }: Picture,
  { MAX_PICTURE_PIXELS, MAX_PICTURE_BYTES }: PictureBounds,
  turns: PictureTurns,
  work: (anew: SpooledPicture) => Promise<T>,
): Promise<T> {
  const path = `${spooled.path}-anew`;
  try {
    await turns.take(() => reencodePicture(spooled, type, MAX_PICTURE_PIXELS, path));
    const handle = await open(path, 'r');
    try {
      return await SpooledPicture.use(handle.createReadStream({ autoClose: false }), MAX_PICTURE_BYTES, work);
    } finally {
      await handle.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

interface Origin {
  readonly picture: NewPicture;
  readonly inspected: Picture;
  readonly now: Date;
}

async function storeAsset(
  db: Db,
  spooled: SpooledPicture,
  pieces: readonly Piece[],
  { picture, inspected, now }: Origin,
): Promise<AssetDocument> {
  const asset: AssetDocument = {
    _id: randomUUID(),
    length: lengthOf(pieces),
    chunkSize: CHUNK_BYTES,
    uploadDate: now,
    filename: picture.name,
    metadata: {
      state: 'STORING',
      content_type: inspected.type,
      sha256: '',
      width: inspected.width,
      height: inspected.height,
      owner_id: picture.ownerId,
      used_at: now,
      check_at: now,
      scaled: [],
    },
  };
  try {
    const sha256 = await writeFile(db, asset, readPieces(spooled.handle, pieces));
    return await makeVisible(db, asset, sha256, now);
  } catch (error) {
    await discardFile(db, asset._id, now).catch(() => undefined); // the database is away: a worker removes it
    throw error;
  }
}

async function makeVisible(db: Db, asset: AssetDocument, sha256: string, now: Date): Promise<AssetDocument> {
  const stored = await assetFiles(db).findOneAndUpdate(
    { _id: asset._id, 'metadata.state': 'STORING' }, // guard: no worker has begun to remove it
    {
      $set: {
        'metadata.state': 'STORED',
        'metadata.sha256': sha256,
        'metadata.check_at': new Date(now.getTime() + UNUSED_KEPT_MS),
      },
    },
    { returnDocument: 'after' },
  );
  failpoint('assets.asset.stored');
  if (!stored) throw new BusyError('The picture was not stored in time');
  return stored as AssetDocument;
}
