/** Settings of pictures. */
import { whole } from './values.js';

export const systemSettings = {
  MAX_PICTURE_BYTES: whole(20_971_520, 10_000, 1_000_000_000).describe('the maximum size of an uploaded picture'),
  MAX_PICTURE_PIXELS: whole(64_000_000, 1_000_000, 268_000_000).describe(
    'the maximum number of pixels of an uploaded picture, of all frames together; decoding takes up to 4 bytes per pixel',
  ),
};
