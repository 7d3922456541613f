/** Pictures for tests, with metadata that tells where they were taken, and an `Assets` without a server. */
import { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import sharp, { type Sharp } from 'sharp';
import type { AssetUses } from '../../../src/models/domain.js';
import type { AssetDocument } from '../../../src/models/system/assets/asset.js';
import { Assets } from '../../../src/models/system/assets/assets.js';
import type { PictureType } from '../../../src/models/system/assets/pictures/picture-type.js';

/** Placed in the Exif and in the XMP of each picture. */
export const SECRET_PLACE = 'Nightingale Lane 7';
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:City="${SECRET_PLACE}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

export interface PictureShape {
  readonly width?: number;
  readonly height?: number;
  /** As in Exif, 1 to 8. */
  readonly orientation?: number;
}

/** Noise, so that a picture has many bytes and two have different ones. */
export function noise({ width = 64, height = 48 }: PictureShape = {}, seed = 1): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[at] = state >> 16;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A picture with Exif, XMP and a color profile. */
export function makePicture(type: PictureType, shape: PictureShape = {}, seed = 1): Promise<Buffer> {
  const picture = noise(shape, seed);
  if (type === 'image/gif') return picture.gif().toBuffer();
  const marked = picture
    .withExif({ IFD0: { Copyright: SECRET_PLACE }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withXmp(XMP)
    .withMetadata({ orientation: shape.orientation ?? 1 });
  if (type === 'image/jpeg') return marked.jpeg().toBuffer();
  if (type === 'image/png') return marked.png().toBuffer();
  if (type === 'image/webp') return marked.webp({ quality: 60 }).toBuffer();
  return marked.avif({ effort: 0 }).toBuffer();
}

export const OWNER = 'ann';
export const BOUNDS = { MAX_PICTURE_BYTES: 20_971_520, MAX_PICTURE_PIXELS: 64_000_000 };

export const openAssets = (db: Db, now: () => Date = () => new Date(), uses: readonly AssetUses[] = []) =>
  Assets.open(db, now, BOUNDS, { all: uses, running: uses });

/** In parts of 10,000 bytes. */
export function partsOf(bytes: Buffer): Readable {
  const starts = Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, index) => index * 10_000);
  return Readable.from(starts.map((at) => bytes.subarray(at, at + 10_000)));
}

export async function store(
  assets: Assets,
  db: Db,
  bytes: Buffer,
  keepLocation = false,
  ownerId = OWNER,
): Promise<AssetDocument> {
  const stored = await assets.store(db, { name: 'a.jpg', bytes: partsOf(bytes), ownerId, keepLocation });
  if ('__typename' in stored) throw new Error(stored.message);
  return stored;
}
