/**
 * Reading and scaling pictures with sharp. A picture may be hostile: its type is sniffed, only the decoders of the five formats are
 * enabled, its pixels are counted before they are decoded, and decoding ends after DECODE_SECONDS. One at a time, in each process,
 * because a decoded picture takes far more memory than its file.
 */
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { LimitError } from '../../../../shared/errors.js';
import { type Refusal, refuse } from '../../../../shared/outcome.js';
import { type PictureType, pictureTypes, type ScaledWidth } from './picture-type.js';
import type { SpooledPicture } from './spooled-picture.js';

sharp.cache(false); // each picture is decoded once
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].flatMap((decoder) => [
    `VipsForeignLoad${decoder}File`,
    `VipsForeignLoad${decoder}Buffer`,
  ]),
});

/** What file-type needs at most to tell a picture from other files. */
const SNIFFED_BYTES = 4100;
const DECODE_SECONDS = 30;
/** A scaled picture is at most this many times as high as wide: no format stores pictures of any height. */
const HEIGHT_PER_WIDTH_MAX = 6;
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 80;

export interface Picture {
  readonly type: PictureType;
  /** In pixels, as displayed. */
  readonly width: number;
  /** In pixels, as displayed. */
  readonly height: number;
  /** As in Exif, 1 to 8. */
  readonly orientation: number | undefined;
}

export type NotAPicture = Refusal<'NotAPicture', { found: string | null }>;

/** Only these hold several frames that sharp can read and write. */
const isAnimatable = (type: PictureType) => type === 'image/gif' || type === 'image/webp';

function open({ path }: SpooledPicture, type: PictureType, pixelsMax: number): Sharp {
  const options: SharpOptions = {
    failOn: 'error',
    limitInputPixels: pixelsMax, // of all frames together
    sequentialRead: true,
    pages: isAnimatable(type) ? -1 : 1,
  };
  return sharp(path, options).timeout({ seconds: DECODE_SECONDS });
}

/**
 * Determines what the bytes are, and decodes them once.
 * @throws LimitError the picture has more than `pixelsMax` pixels
 */
export async function inspectPicture(spooled: SpooledPicture, pixelsMax: number): Promise<Picture | NotAPicture> {
  const found = await sniff(spooled);
  const type = pictureTypes.find((each) => each === found);
  if (!type) return refuse('NotAPicture', 'The file is not a JPEG, PNG, GIF, WebP or AVIF picture', { found });
  try {
    const metadata = await open(spooled, type, Number.MAX_SAFE_INTEGER).metadata(); // decodes no pixels
    const { autoOrient, orientation, pageHeight, pages = 1, width, height } = metadata;
    const pixels = width * (pageHeight ? pageHeight * pages : height);
    if (pixels > pixelsMax)
      throw new LimitError(`The picture has ${pixels} pixels; at most ${pixelsMax} are allowed`, pixelsMax);
    await decode(open(spooled, type, pixelsMax));
    return { type, width: autoOrient.width, height: pageHeight ?? autoOrient.height, orientation };
  } catch (error) {
    if (error instanceof LimitError) throw error;
    return refuse('NotAPicture', 'The picture is damaged', { found });
  }
}

async function sniff({ handle, bytes }: SpooledPicture): Promise<string | null> {
  const start = Buffer.alloc(Math.min(bytes, SNIFFED_BYTES));
  await handle.read(start, 0, start.length, 0);
  return (await fileTypeFromBuffer(start))?.mime ?? null;
}

/** All pixels are decoded, whatever the size of the result. */
const decode = (picture: Sharp): Promise<Buffer> =>
  picture.resize({ width: 16, height: 16, fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: false }).raw().toBuffer();

export interface EncodedPicture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

/** JPEG stays JPEG. All others become WebP, which has transparency and animations, too. Metadata is left out. */
export async function scalePicture(
  spooled: SpooledPicture,
  type: PictureType,
  width: ScaledWidth,
  pixelsMax: number,
): Promise<EncodedPicture> {
  const scaled = open(spooled, type, pixelsMax)
    .autoOrient()
    .resize({ width, height: width * HEIGHT_PER_WIDTH_MAX, fit: 'inside', withoutEnlargement: true });
  if (type === 'image/jpeg')
    return { type, bytes: await scaled.jpeg({ quality: JPEG_QUALITY, mozjpeg: true }).toBuffer() };
  return { type: 'image/webp', bytes: await scaled.webp({ quality: WEBP_QUALITY }).toBuffer() };
}

/** Encodes a picture anew in its format, upright and without metadata except its color profile. The result is at `path`. */
export async function reencodePicture(
  spooled: SpooledPicture,
  type: PictureType,
  pixelsMax: number,
  path: string,
): Promise<void> {
  const upright = open(spooled, type, pixelsMax).autoOrient().keepIccProfile();
  const quality = 90;
  const encoded = {
    'image/jpeg': () => upright.jpeg({ quality }),
    'image/png': () => upright.png(),
    'image/gif': () => upright.gif(),
    'image/webp': () => upright.webp({ quality }),
    'image/avif': () => upright.avif({ quality: 70, effort: 2 }),
  }[type]();
  await encoded.toFile(path);
}
