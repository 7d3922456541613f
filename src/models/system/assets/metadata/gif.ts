/** GIF without metadata: of the extensions only the control of frames, the loop of animations and the color profile stay. */
import { type ByteReader, type Piece, Pieces, UnusualStructure } from './piece.js';

const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const PLAIN_TEXT = 0x01;
const APPLICATION = 0xff;
const APPLICATION_NAME_BYTES = 11;
const NEEDED_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** The size of a color table, from the flags of what it belongs to. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
const byteAt = async (reader: ByteReader, at: number) => (await reader.read(at, 1))[0] ?? 0;

export async function piecesOfGif(reader: ByteReader): Promise<Piece[]> {
  const pieces = new Pieces();
  let at = HEADER_BYTES + tableBytes(await byteAt(reader, 10));
  pieces.keep(0, at);
  for (;;) {
    const kind = await byteAt(reader, at);
    if (kind === TRAILER) {
      pieces.keep(at, at + 1);
      return pieces.list;
    }
    const next = kind === IMAGE ? await endOfImage(reader, at) : await endOfExtension(reader, at, kind);
    if (kind === IMAGE || (await isNeeded(reader, at))) pieces.keep(at, next);
    at = next;
  }
}

async function endOfImage(reader: ByteReader, at: number): Promise<number> {
  const flags = await byteAt(reader, at + 9);
  return endOfBlocks(reader, at + 10 + tableBytes(flags) + 1); // one byte tells the width of the codes
}

async function endOfExtension(reader: ByteReader, at: number, kind: number): Promise<number> {
  if (kind !== EXTENSION) throw new UnusualStructure('A block is of an unknown kind');
  return endOfBlocks(reader, at + 2);
}

async function endOfBlocks(reader: ByteReader, from: number): Promise<number> {
  for (let at = from; ; ) {
    const length = await byteAt(reader, at);
    at += length + 1;
    if (length === 0) return at;
  }
}

async function isNeeded(reader: ByteReader, at: number): Promise<boolean> {
  const label = await byteAt(reader, at + 1);
  if (label !== APPLICATION) return label === CONTROL || label === PLAIN_TEXT;
  const length = await byteAt(reader, at + 2);
  if (length !== APPLICATION_NAME_BYTES) return false;
  return NEEDED_APPLICATIONS.has((await reader.read(at + 3, length)).toString('latin1'));
}
