/**
 * JPEG without metadata. Of the application segments only those stay that decoding needs: JFIF (APP0), the color profile (APP2) and
 * Adobe's color transform (APP14). Exif, XMP, IPTC, comments, and what follows the picture are left out: phones append further
 * pictures there, each with its own metadata.
 */
import { isTurned, orientationExif } from './orientation.js';
import { type ByteReader, type Piece, Pieces, UnusualStructure } from './piece.js';

const MARKER = 0xff;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;

const PROFILE = 'ICC_PROFILE\0';
const EXIF = 'Exif\0\0';

const isApplication = (marker: number) => marker >= APP0 && marker <= APP15;
/** Stuffed zero bytes and restart markers are part of the compressed data. */
const isData = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

export async function piecesOfJpeg(reader: ByteReader, orientation: number | undefined): Promise<Piece[]> {
  const start = await reader.read(0, 2);
  if (start[0] !== MARKER || start[1] !== SOI) throw new UnusualStructure('No start of image');
  const pieces = new Pieces();
  pieces.keep(0, 2);
  let at = 2;
  let isOrientationDue = isTurned(orientation);
  for (;;) {
    const marker = await markerAt(reader, at);
    // Exif follows JFIF, which must be the first segment.
    if (isOrientationDue && marker !== APP0) {
      pieces.insert(exifSegment(orientation as number));
      isOrientationDue = false;
    }
    if (marker === EOI) {
      pieces.keep(at, at + 2);
      return pieces.list;
    }
    const length = (await reader.read(at + 2, 2)).readUInt16BE();
    if (length < 2) throw new UnusualStructure('A segment is too short');
    const next = marker === SOS ? await endOfData(reader, at + 2 + length) : at + 2 + length;
    if (await isNeeded(reader, marker, at + 4, length - 2)) pieces.keep(at, next);
    at = next;
  }
}

async function markerAt(reader: ByteReader, at: number): Promise<number> {
  const bytes = await reader.read(at, 2);
  const marker = bytes[1] ?? 0;
  if (bytes[0] !== MARKER || isData(marker) || marker === MARKER) throw new UnusualStructure('A marker is missing');
  return marker;
}

async function isNeeded(reader: ByteReader, marker: number, at: number, length: number): Promise<boolean> {
  if (marker === COM) return false;
  if (!isApplication(marker)) return true;
  const startsWith = async (text: string) =>
    length >= text.length && (await reader.read(at, text.length)).toString('latin1') === text;
  if (marker === APP0) return startsWith('JFIF\0');
  if (marker === APP2) return startsWith(PROFILE);
  return marker === APP14 && startsWith('Adobe');
}

/** The position of the marker after the compressed data. */
async function endOfData(reader: ByteReader, from: number): Promise<number> {
  for (let at = from; ; at += 1) {
    at = await reader.find(MARKER, at);
    const marker = (await reader.read(at, 2))[1] ?? 0;
    if (!isData(marker) && marker !== MARKER) return at;
    if (marker !== MARKER) at += 1;
  }
}

function exifSegment(orientation: number): Buffer {
  const payload = Buffer.concat([Buffer.from(EXIF, 'latin1'), orientationExif(orientation)]);
  const head = Buffer.from([MARKER, APP1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}
