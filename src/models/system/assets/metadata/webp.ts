/** WebP without metadata: the chunks with Exif and XMP, and those of unknown types, are left out, and its header says so. */
import { isTurned, orientationExif } from './orientation.js';
import { type ByteReader, lengthOf, type Piece, Pieces, UnusualStructure } from './piece.js';

const FILE_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const EXTENDED_BYTES = 10;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const NEEDED = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

export async function piecesOfWebp(reader: ByteReader, orientation: number | undefined): Promise<Piece[]> {
  const pieces = new Pieces();
  const end = Math.min(reader.end, CHUNK_HEAD_BYTES + (await reader.read(4, 4)).readUInt32LE());
  let isExtended = false;
  for (let at = FILE_HEAD_BYTES; at + CHUNK_HEAD_BYTES <= end; ) {
    const head = await reader.read(at, CHUNK_HEAD_BYTES);
    const type = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    const next = at + CHUNK_HEAD_BYTES + size + (size % 2);
    if (next > reader.end) throw new UnusualStructure('A chunk is longer than the file');
    if (type === 'VP8X') {
      isExtended = true;
      pieces.insert(await extendedHead(reader, at, size, orientation));
    } else if (NEEDED.has(type)) pieces.keep(at, next);
    at = next;
  }
  // Only the extended form can say how to turn the picture.
  if (isExtended && isTurned(orientation)) pieces.insert(exifChunk(orientation));
  return [fileHead(lengthOf(pieces.list)), ...pieces.list];
}

async function extendedHead(
  reader: ByteReader,
  at: number,
  size: number,
  orientation: number | undefined,
): Promise<Buffer> {
  if (size !== EXTENDED_BYTES) throw new UnusualStructure('The extended header has another length');
  const chunk = Buffer.from(await reader.read(at, CHUNK_HEAD_BYTES + EXTENDED_BYTES));
  const flags = (chunk[CHUNK_HEAD_BYTES] ?? 0) & ~EXIF_FLAG & ~XMP_FLAG;
  chunk[CHUNK_HEAD_BYTES] = isTurned(orientation) ? flags | EXIF_FLAG : flags;
  return chunk;
}

function exifChunk(orientation: number): Buffer {
  const data = orientationExif(orientation); // of even length, so it needs no padding
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

function fileHead(chunksBytes: number): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(chunksBytes + 4, 4);
  return head;
}
