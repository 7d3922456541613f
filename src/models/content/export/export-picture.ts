/** A picture in an export: a line that describes it, and lines with its bytes, each of which is far below the limit of a line. */
import type { Db } from 'mongodb';
import { toGlobalId } from '../../../shared/global-id.js';
import type { AssetDocument } from '../../system/assets/asset.js';
import { readFile } from '../../system/assets/asset-file.js';
import type { PicturePart } from '../import/json-row.js';

export interface PicturePosition {
  readonly id: string;
  /** The number of bytes that are written. */
  readonly from: number;
}

export interface PictureLine {
  readonly row: object;
  /** After it. */
  readonly position: PicturePosition;
}

/** @param begin null: with the description @throws FileGoneError it was removed in the meantime */
export async function* readPicture(
  db: Db,
  asset: AssetDocument,
  begin: number | null,
): AsyncGenerator<PictureLine, undefined> {
  const { _id: id, filename: name, length: bytes, uploadDate: at, metadata } = asset;
  const picture = toGlobalId('Asset', id);
  if (begin === null) yield { row: { picture, name, bytes, sha256: metadata.sha256, at }, position: { id, from: 0 } };
  let from = begin ?? 0;
  for await (const chunk of readFile(db, asset, from, bytes)) {
    from += chunk.length;
    yield { row: { picture, data: chunk.toString('base64') } satisfies PicturePart, position: { id, from } };
  }
}
