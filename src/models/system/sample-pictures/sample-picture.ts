/** Stores drawn pictures for the sample data of the domains. */
import { failpoint } from '../../../shared/failpoint.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { storePicture } from '../assets/asset-storing.js';
import { PictureTurns } from '../assets/pictures/picture-turns.js';
import { type DrawingName, drawPicture } from './drawing.js';

/** The drawn pictures are far smaller. The limits for uploads may be smaller than the pictures. */
const BOUNDS = { MAX_PICTURE_BYTES: 1_000_000, MAX_PICTURE_PIXELS: 1_000_000 };

/**
 * Each repetition stores another asset. One that nothing refers to is removed after a day.
 * @param name of the file, without its type @returns the id of the asset
 */
export async function storeSamplePicture(
  { db, work, now }: Pick<HeldWork, 'db' | 'work' | 'now'>,
  name: string,
  drawing: DrawingName,
): Promise<string> {
  const bytes = await drawPicture(drawing);
  const picture = {
    name: `${name}.webp`,
    bytes: inOnePart(bytes),
    ownerId: work.owner ?? '',
    keepLocation: false,
  };
  const asset = await storePicture(db, picture, BOUNDS, new PictureTurns(), now());
  if ('__typename' in asset) throw new WorkFailure(asset.message);
  failpoint('seed.picture-stored');
  return asset._id;
}

async function* inOnePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
