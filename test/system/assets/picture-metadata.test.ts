/** Metadata is cut out of pictures without touching their pixels. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { piecesWithoutMetadata } from '../../../src/models/system/assets/metadata/picture-pieces.js';
import { type Piece, readPieces, UnusualStructure } from '../../../src/models/system/assets/metadata/piece.js';
import { inspectPicture } from '../../../src/models/system/assets/pictures/picture.js';
import { type PictureType, pictureTypes } from '../../../src/models/system/assets/pictures/picture-type.js';
import { SpooledPicture } from '../../../src/models/system/assets/pictures/spooled-picture.js';
import { BOUNDS, makePicture, noise, partsOf, SECRET_PLACE } from './picture-support.js';

/** @param type what the bytes are taken for */
async function stripped(bytes: Buffer, type: PictureType, orientation?: number): Promise<Buffer> {
  return SpooledPicture.use(partsOf(bytes), BOUNDS.MAX_PICTURE_BYTES, async (spooled) => {
    const pieces: Piece[] = await piecesWithoutMetadata(spooled, type, orientation);
    const parts: Buffer[] = [];
    for await (const part of readPieces(spooled.handle, pieces)) parts.push(part);
    return Buffer.concat(parts);
  });
}

const pixels = async (bytes: Buffer) =>
  createHash('sha256')
    .update(await sharp(bytes, { pages: -1 }).raw().toBuffer())
    .digest('hex');

const withMetadata = pictureTypes.filter((type) => type !== 'image/gif');

describe.each(withMetadata)('%s with Exif and XMP', (type) => {
  it('has neither afterwards, and the same pixels and color profile', async () => {
    const bytes = await makePicture(type);
    expect((await sharp(bytes).metadata()).xmp?.toString()).toContain(SECRET_PLACE);
    expect(bytes.includes(SECRET_PLACE)).toBe(true);
    const clean = await stripped(bytes, type);
    expect(clean.includes(SECRET_PLACE)).toBe(false);
    expect(clean.includes('Lane')).toBe(false);
    const { xmp, exif, icc } = await sharp(clean).metadata();
    expect([...(xmp ?? []), ...(exif ?? [])].some((byte) => byte !== 0)).toBe(false); // AVIF's are overwritten with zeros
    expect(icc).toEqual((await sharp(bytes).metadata()).icc);
    expect(await pixels(clean)).toBe(await pixels(bytes));
  });

  it('that is cut off anywhere is refused as unusual, or left as short as it is', async () => {
    const whole = await makePicture(type);
    for (let length = 0; length < whole.length; length += 97) {
      const outcome = await stripped(whole.subarray(0, length), type).catch((error: unknown) => error);
      if (Buffer.isBuffer(outcome)) expect(outcome.length).toBeLessThan(length + 20);
      else expect(outcome).toBeInstanceOf(UnusualStructure);
    }
  });
});

describe('a picture that lies on its side', () => {
  it.each(['image/jpeg', 'image/png', 'image/webp'] as const)('%s still says how to turn it', async (type) => {
    for (const orientation of [3, 6, 8]) {
      const clean = await stripped(await makePicture(type, { orientation }), type, orientation);
      expect(clean.includes(SECRET_PLACE)).toBe(false);
      expect((await sharp(clean).metadata()).orientation).toBe(orientation);
    }
  });

  it('is measured as it is displayed', async () => {
    const bytes = await makePicture('image/jpeg', { width: 60, height: 40, orientation: 6 });
    const inspected = await SpooledPicture.use(partsOf(bytes), BOUNDS.MAX_PICTURE_BYTES, (spooled) =>
      inspectPicture(spooled, BOUNDS.MAX_PICTURE_PIXELS),
    );
    expect(inspected).toEqual({ type: 'image/jpeg', width: 40, height: 60, orientation: 6 });
  });
});

describe('JPEG', () => {
  it('loses what follows the picture, where phones put further pictures with their own metadata', async () => {
    const bytes = await makePicture('image/jpeg');
    const clean = await stripped(Buffer.concat([bytes, await makePicture('image/jpeg', {}, 2)]), 'image/jpeg');
    expect(clean).toEqual(await stripped(bytes, 'image/jpeg'));
  });

  it('loses comments, and keeps all scans of a progressive picture', async () => {
    const progressive = await noise({ width: 200, height: 200 }).jpeg({ progressive: true }).toBuffer();
    const comment = Buffer.from([0xff, 0xfe, 0, 12, ...Buffer.from('My secret ')]);
    const bytes = Buffer.concat([progressive.subarray(0, 2), comment, progressive.subarray(2)]);
    const clean = await stripped(bytes, 'image/jpeg');
    expect(clean.includes('secret')).toBe(false);
    expect(await pixels(clean)).toBe(await pixels(progressive));
  });
});

describe('an animation', () => {
  const frames = async () =>
    sharp(await Promise.all([1, 2, 3].map((seed) => noise({ width: 40, height: 30 }, seed).png().toBuffer())), {
      join: { animated: true },
    });

  it('in GIF keeps its frames and its loop, and loses comments and XMP', async () => {
    const gif = await (await frames()).gif({ loop: 3, delay: [100, 100, 100] }).toBuffer();
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 9]), Buffer.from('My secret'), Buffer.from([0])]);
    const xmp = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from('XMP DataXMP'),
      Buffer.from(`<x>${SECRET_PLACE}</x>`),
      Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]), // the magic trailer
    ]);
    const bytes = Buffer.concat([gif.subarray(0, -1), comment, xmp, gif.subarray(-1)]);
    const clean = await stripped(bytes, 'image/gif');
    expect(clean).toEqual(gif);
    expect(await sharp(clean, { pages: -1 }).metadata()).toMatchObject({ pages: 3, loop: 3 });
  });

  it('in WebP keeps its frames', async () => {
    const webp = await (await frames()).webp({ loop: 2 }).withXmp(`<x>${SECRET_PLACE}</x>`).toBuffer();
    const clean = await stripped(webp, 'image/webp');
    expect(clean.includes(SECRET_PLACE)).toBe(false);
    expect(await sharp(clean, { pages: -1 }).metadata()).toMatchObject({ pages: 3, loop: 2, pageHeight: 30 });
    expect(await pixels(clean)).toBe(await pixels(webp));
  });
});
