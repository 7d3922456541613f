/** PNG without metadata: only the chunks that decoding, color and animation need. Texts, XMP and Exif are left out. */
import { crc32 } from 'node:zlib';
import { isTurned, orientationExif } from './orientation.js';
import { type ByteReader, type Piece, Pieces, UnusualStructure } from './piece.js';

const SIGNATURE_BYTES = 8;
const HEAD_BYTES = 8; // length and type
const CHECKSUM_BYTES = 4;

const NEEDED = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'sBIT', 'pHYs'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

export async function piecesOfPng(reader: ByteReader, orientation: number | undefined): Promise<Piece[]> {
  const pieces = new Pieces();
  pieces.keep(0, SIGNATURE_BYTES);
  for (let at = SIGNATURE_BYTES; ; ) {
    const head = await reader.read(at, HEAD_BYTES);
    const type = head.toString('latin1', 4);
    const next = at + HEAD_BYTES + head.readUInt32BE() + CHECKSUM_BYTES;
    if (next > reader.end) throw new UnusualStructure('A chunk is longer than the file');
    if (NEEDED.has(type)) pieces.keep(at, next);
    if (type === 'IHDR' && isTurned(orientation)) pieces.insert(exifChunk(orientation));
    if (type === 'IEND') return pieces.list;
    at = next;
  }
}

function exifChunk(orientation: number): Buffer {
  const data = orientationExif(orientation);
  const chunk = Buffer.alloc(HEAD_BYTES + data.length + CHECKSUM_BYTES);
  chunk.writeUInt32BE(data.length);
  chunk.write('eXIf', 4, 'latin1');
  data.copy(chunk, HEAD_BYTES);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, HEAD_BYTES + data.length)), HEAD_BYTES + data.length);
  return chunk;
}
