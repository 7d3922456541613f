/** A picture without its metadata, in any of the formats. */
import type { PictureType } from '../pictures/picture-type.js';
import type { SpooledPicture } from '../pictures/spooled-picture.js';
import { piecesOfAvif } from './avif.js';
import { piecesOfGif } from './gif.js';
import { piecesOfJpeg } from './jpeg.js';
import { ByteReader, type Piece } from './piece.js';
import { piecesOfPng } from './png.js';
import { piecesOfWebp } from './webp.js';

type PiecesOf = (reader: ByteReader, orientation: number | undefined) => Promise<Piece[]>;

const byType: Readonly<Record<PictureType, PiecesOf>> = {
  'image/jpeg': piecesOfJpeg,
  'image/png': piecesOfPng,
  'image/gif': piecesOfGif,
  'image/webp': piecesOfWebp,
  'image/avif': piecesOfAvif,
};

/** @param orientation 1 to 8, as in Exif @throws UnusualStructure */
export const piecesWithoutMetadata = (
  { handle, bytes }: SpooledPicture,
  type: PictureType,
  orientation: number | undefined,
): Promise<Piece[]> => byType[type](new ByteReader(handle, bytes), orientation);
