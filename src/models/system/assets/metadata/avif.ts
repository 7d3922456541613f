/**
 * AVIF without metadata. Its items are found by their position in the file, so nothing may move: the bytes of items that are no
 * pictures (Exif, XMP) are overwritten with zeros, and boxes besides the picture become free space. How to turn the picture is a
 * property of it, and stays.
 */
import { type ByteReader, type Piece, Pieces, UnusualStructure } from './piece.js';

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Box extends Range {
  readonly type: string;
  /** Where its content starts. */
  readonly content: number;
}

const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;
const META_BYTES_MAX = 1024 * 1024;
const ITEMS_MAX = 10_000;
/** Pictures, and pictures that are put together from others. */
const PICTURES = new Set(['av01', 'grid', 'iovl', 'tmap']);
const ZEROS = Buffer.alloc(65_536);
const FREE = Buffer.from('free', 'latin1');

export async function piecesOfAvif(reader: ByteReader): Promise<Piece[]> {
  const boxes = await readBoxes(reader, 0, reader.end);
  const meta = boxes.filter(({ type }) => type === 'meta');
  const [only] = meta;
  if (!only || meta.length > 1) throw new UnusualStructure('Not exactly one box describes the picture');
  if (boxes.some(({ type }) => type === 'moov')) throw new UnusualStructure('It is a film');
  const useless = boxes.filter(({ type }) => !['ftyp', 'meta', 'mdat'].includes(type));
  const hidden = await rangesOfMetadata(reader, only);
  return withZeros(reader.end, [...hidden, ...useless.map(({ content, to }) => ({ from: content, to }))], useless);
}

/** @param renamed boxes that become free space */
function withZeros(end: number, ranges: readonly Range[], renamed: readonly Box[]): Piece[] {
  const replacements = [
    ...ranges.map((range) => ({ ...range, isName: false })),
    ...renamed.map(({ from }) => ({ from: from + 4, to: from + HEAD_BYTES, isName: true })),
  ].sort((one, other) => one.from - other.from);
  const pieces = new Pieces();
  let at = 0;
  for (const { from, to, isName } of replacements) {
    if (from < at) throw new UnusualStructure('Two parts overlap');
    if (from > at) pieces.keep(at, from);
    if (isName) pieces.insert(FREE);
    else for (let left = to - from; left > 0; left -= ZEROS.length) pieces.insert(ZEROS.subarray(0, left));
    at = to;
  }
  if (at < end) pieces.keep(at, end);
  return pieces.list;
}

async function readBoxes(reader: ByteReader, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let from = start; from < end; ) {
    const head = await reader.read(from, HEAD_BYTES);
    const type = head.toString('latin1', 4);
    const short = head.readUInt32BE();
    const isLong = short === 1;
    const size = isLong ? Number((await reader.read(from + HEAD_BYTES, 8)).readBigUInt64BE()) : short || end - from;
    const content = from + (isLong ? LONG_HEAD_BYTES : HEAD_BYTES);
    const to = from + size;
    if (to > end || to < content || boxes.length === ITEMS_MAX) throw new UnusualStructure('A box has a wrong length');
    boxes.push({ type, from, content, to });
    from = to;
  }
  return boxes;
}

/** Where the items are that are no pictures. */
async function rangesOfMetadata(reader: ByteReader, meta: Box): Promise<Range[]> {
  if (meta.to - meta.from > META_BYTES_MAX) throw new UnusualStructure('The description is too long');
  const boxes = await readBoxes(reader, meta.content + 4, meta.to); // after version and flags
  const find = (name: string) => boxes.find(({ type }) => type === name);
  const [information, location, data] = [find('iinf'), find('iloc'), find('idat')];
  if (!information || !location) throw new UnusualStructure('The items are not described');
  const types = await readTypes(reader, information);
  const extents = readExtents(await fieldsOf(reader, location), data);
  const isPicture = ({ item }: Extent) => PICTURES.has(types.get(item) ?? '');
  const pictures = extents.filter(isPicture);
  const others = extents.filter((extent) => !isPicture(extent));
  const overlap = (one: Range, other: Range) => one.from < other.to && other.from < one.to;
  if (others.some((other) => other.to > reader.end || pictures.some((picture) => overlap(picture, other))))
    throw new UnusualStructure('Metadata overlaps the picture');
  return others;
}

/** The type of each item. */
async function readTypes(reader: ByteReader, information: Box): Promise<Map<number, string>> {
  const version = (await reader.read(information.content, 1))[0];
  const entries = await readBoxes(reader, information.content + (version === 0 ? 6 : 8), information.to);
  const types = new Map<number, string>();
  for (const entry of entries) {
    const fields = await fieldsOf(reader, entry);
    const entryVersion = fields.number(1);
    if (entryVersion < 2) throw new UnusualStructure('An item has no type');
    fields.skip(3);
    const item = fields.number(entryVersion === 2 ? 2 : 4);
    fields.skip(2);
    types.set(item, fields.text(4));
  }
  return types;
}

interface Extent extends Range {
  readonly item: number;
}

function readExtents(fields: Fields, data: Box | undefined): Extent[] {
  const version = fields.number(1);
  fields.skip(3);
  const [sizes, baseSizes] = [fields.number(1), fields.number(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, baseSizes >> 4];
  const indexBytes = version === 0 ? 0 : baseSizes & 15;
  const items = fields.number(version < 2 ? 2 : 4);
  const extents: Extent[] = [];
  for (let left = items; left > 0; left -= 1) {
    const item = fields.number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : fields.number(2) & 15;
    fields.skip(2);
    const start = fields.number(baseBytes) + originOf(method, data);
    for (let more = fields.number(2); more > 0; more -= 1) {
      fields.skip(indexBytes);
      const from = start + fields.number(offsetBytes);
      const length = fields.number(lengthBytes);
      if (length === 0 || extents.length === ITEMS_MAX) throw new UnusualStructure('An item has no length');
      extents.push({ item, from, to: from + length });
    }
  }
  return extents;
}

/** An item is in the file (0), or in a box of the description (1). */
function originOf(method: number, data: Box | undefined): number {
  if (method === 0) return 0;
  if (method === 1 && data) return data.content;
  throw new UnusualStructure('An item is part of another');
}

const fieldsOf = async (reader: ByteReader, { content, to }: Box): Promise<Fields> =>
  new Fields(Buffer.from(await reader.read(content, to - content)));

/** The fields of a box, one after the other. */
class Fields {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  number(length: number): number {
    if (length === 8) return this.number(4) * 2 ** 32 + this.number(4);
    return length === 0 ? 0 : this.#take(length).readUIntBE(0, length);
  }

  text(length: number): string {
    return this.#take(length).toString('latin1');
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.bytes.length) throw new UnusualStructure('A box ends early');
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }
}
