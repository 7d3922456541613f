/** Where the lines of a log come from: a file that can be read from its beginning again, plain or gzip. */
import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { LINE_BYTES_MAX } from './log-line.js';

export interface LogSource {
  /** For show. */
  readonly name: string;
  /** Its size as it is stored, packed or not. Null while it is not known. */
  readonly size: number | null;
  /** The bytes from the beginning, at each call. */
  open(): Readable;
}

/** The file cannot be read to its end, or is not what it was. The message is shown to whoever imports it. */
export class LogFileError extends Error {
  override name = 'LogFileError';
}

export interface Unpacked {
  readonly bytes: AsyncIterable<Buffer>;
  /** The unpacked size; null when it is packed, since gzip does not tell it reliably. */
  readonly size: number | null;
  /** What the unpacked size is likely to be, by what was unpacked so far. Null before, and where the packed size is not known. */
  expectedSize(): number | null;
}

/** Opens a source; gzip is told by its first two bytes, and may have several members. */
export async function openUnpacked(source: LogSource): Promise<Unpacked> {
  const { size } = source;
  if (!(await isGzip(source))) return { bytes: source.open(), size, expectedSize: () => size };
  const gunzip = createGunzip();
  // The callback is for the stream's end: its errors reach whoever iterates.
  const unpacked = pipeline(source.open(), gunzip, () => undefined);
  let seen = 0;
  const onBytes = (count: number) => {
    seen += count;
  };
  const expectedSize = () => (size && gunzip.bytesWritten > 0 ? seen * Math.max(1, size / gunzip.bytesWritten) : null);
  return { bytes: unpackedBytes(unpacked, onBytes), size: null, expectedSize };
}

async function isGzip(source: LogSource): Promise<boolean> {
  const head: Buffer[] = [];
  for await (const chunk of source.open()) {
    head.push(chunk as Buffer);
    if (Buffer.concat(head).length >= 2) break; // leaving the loop closes the stream
  }
  const [first, second] = Buffer.concat(head);
  return first === 0x1f && second === 0x8b;
}

async function* unpackedBytes(stream: AsyncIterable<Buffer>, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new LogFileError('The gzip file is cut off');
    if (code === 'Z_DATA_ERROR') throw new LogFileError('The gzip file is damaged');
    throw error;
  }
}

const SAMPLE_BYTES = LINE_BYTES_MAX + 1;
const CONTROL_SHARE_MAX = 0.05; // packed and binary files have 10 % or more; a log that a crash has damaged has a few

/**
 * Looks at the beginning of a file.
 * @returns the SHA-256 of its first line, in hex
 */
export async function identifyFirstLine(source: LogSource): Promise<{ sha256: string } | Refusal<'LogFileRefused'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  const { bytes } = await openUnpacked(source);
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= SAMPLE_BYTES) break;
  }
  const sample = Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
  if (sample.length === 0) return refuse('LogFileRefused', 'The file is empty');
  if (controlShare(sample) > CONTROL_SHARE_MAX) return refuse('LogFileRefused', 'The file is not text');
  const end = sample.indexOf(LINE_FEED);
  const line = end === -1 ? sample : sample.subarray(0, end);
  return { sha256: sha256OfLine(line) };
}

/** What a file's first line is known by. @param line without its line feed; of one that is too long its first LINE_BYTES_MAX + 1 bytes */
export const sha256OfLine = (line: Buffer): string => createHash('sha256').update(line).digest('hex');

const LINE_FEED = 0x0a;
const BLANK = 0x20;
const SPACING = new Set([0x09, LINE_FEED, 0x0d]);

function controlShare(sample: Buffer): number {
  let controls = 0;
  for (const byte of sample) if (byte < BLANK && !SPACING.has(byte)) controls += 1;
  return controls / sample.length;
}
