/** The source of a log's lines: a file that can be read repeatedly from the start, plain or gzip. */
import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { LINE_BYTES_MAX } from '../log/log-line.js';

export interface LogSource {
  /** For display. */
  readonly name: string;
  /** Its size as stored, compressed or not. Null while unknown. */
  readonly size: number | null;
  /** The bytes from the start, on each call. */
  open(): Readable;
}

/** The file cannot be read completely, or has changed. The message is shown to the user who imports it. */
export class LogFileError extends Error {
  override name = 'LogFileError';
}

export interface Unpacked {
  readonly bytes: AsyncIterable<Buffer>;
  /** The uncompressed size; null for gzip, which does not report it reliably. */
  readonly size: number | null;
  /** The uncompressed size estimated from the data read so far. Null before that, or if the compressed size is unknown. */
  expectedSize(): number | null;
}

/** Opens a source. Gzip is recognized by its first two bytes and may have several members. */
export async function openUnpacked(source: LogSource): Promise<Unpacked> {
  const { size } = source;
  if (!(await isGzip(source))) return { bytes: source.open(), size, expectedSize: () => size };
  const gunzip = createGunzip();
  // The callback is only for the end of the stream. Errors reach the iterating caller.
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
    if (code === 'Z_BUF_ERROR') throw new LogFileError('The gzip file is truncated');
    if (code === 'Z_DATA_ERROR') throw new LogFileError('The gzip file is corrupt');
    throw error;
  }
}

const SAMPLE_BYTES = LINE_BYTES_MAX + 1;
const CONTROL_SHARE_MAX = 0.05; // compressed and binary files have 10 % or more; a log damaged by a crash has a few

/**
 * Reads the start of a file.
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

/** Identifies a file's first line. @param line without its line feed; if too long, its first LINE_BYTES_MAX + 1 bytes */
export const sha256OfLine = (line: Buffer): string => createHash('sha256').update(line).digest('hex');

const LINE_FEED = 0x0a;
const BLANK = 0x20;
const SPACING = new Set([0x09, LINE_FEED, 0x0d]);

function controlShare(sample: Buffer): number {
  let controls = 0;
  for (const byte of sample) if (byte < BLANK && !SPACING.has(byte)) controls += 1;
  return controls / sample.length;
}
