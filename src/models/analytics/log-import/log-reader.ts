/**
 * Splits a file into batches of lines, and verifies with a running SHA-256 that the part read earlier is unchanged.
 * Holds one batch at a time, regardless of the size of the file and the length of its lines.
 */
import { createHash, type Hash } from 'node:crypto';
import { LINE_BYTES_MAX } from '../log/log-line.js';
import { LogFileError } from './log-source.js';

/** How far a file was read, in complete lines. */
export interface Checkpoint {
  /** Uncompressed. */
  readonly bytes: number;
  readonly lines: number;
  /** The SHA-256 of these bytes, in hex. */
  readonly sha256: string;
}

/** The start of a file, with the SHA-256 of the empty string. */
export const BEGINNING: Checkpoint = { bytes: 0, lines: 0, sha256: createHash('sha256').digest('hex') };

export interface LineBatch {
  /** Without line feeds. A line that is too long is cut to LINE_BYTES_MAX + 1 bytes. */
  readonly lines: readonly Buffer[];
  /** The number of the first line, starting at 1. */
  readonly firstLine: number;
  /** The start of the batch. */
  readonly from: Checkpoint;
  /** The end of the batch. */
  readonly to: Checkpoint;
  /** Whether this is the last line without a line feed, which may still grow. It is a batch by itself. */
  readonly isTail: boolean;
}

export const BATCH_LINES_MAX = 1000;
const BATCH_BYTES_MAX = 2 * 1024 * 1024; // limits memory and the size of the transaction
const LINE_BYTES_LIMIT = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The file does not start with the content read earlier. */
export class ChangedFileError extends LogFileError {
  override name = 'ChangedFileError';
}

/**
 * @param from where reading starts: content before it is only verified
 * @throws ChangedFileError the file does not start with the content that `from` describes
 * @throws LogFileError a line exceeds 16 MiB
 */
export async function* readBatches(chunks: AsyncIterable<Buffer>, from: Checkpoint): AsyncGenerator<LineBatch> {
  const hash = createHash('sha256');
  const cutter = new LineCutter(from);
  let proven = 0;
  for await (const whole of chunks) {
    const before = Math.min(whole.length, from.bytes - proven);
    if (before > 0) {
      hash.update(whole.subarray(0, before));
      proven += before;
      if (proven === from.bytes) requireEqual(hash, from);
    }
    if (before < whole.length) yield* cutter.take(whole.subarray(Math.max(before, 0)), hash);
  }
  if (proven < from.bytes) throw new ChangedFileError('The file is shorter than the part already read');
  yield* cutter.end(hash);
}

function requireEqual(hash: Hash, { sha256 }: Checkpoint): void {
  if (hash.copy().digest('hex') !== sha256) {
    throw new ChangedFileError('The file does not start with the part already read');
  }
}

/** Collects lines until a batch is full. */
class LineCutter {
  #lines: Buffer[] = [];
  #gathered = 0;
  /** The start of an incomplete line, at most LINE_BYTES_MAX + 1 bytes of it, and its full length. */
  #rest = Buffer.alloc(0);
  #restLength = 0;
  #position: number;
  #from: Checkpoint;
  /** The hash at the end of the last complete line. */
  #atLineEnd: Hash | null = null;

  constructor(from: Checkpoint) {
    this.#from = from;
    this.#position = from.bytes;
  }

  *take(chunk: Buffer, hash: Hash): Generator<LineBatch> {
    let start = 0;
    let hashed = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#position += end + 1 - start;
      this.#add(this.#joined(chunk.subarray(start, end)));
      start = end + 1;
      if (this.#lines.length < BATCH_LINES_MAX && this.#gathered < BATCH_BYTES_MAX) continue;
      hash.update(chunk.subarray(hashed, start));
      hashed = start;
      yield this.#batch(this.#position, hash, false);
    }
    hash.update(chunk.subarray(hashed, start));
    if (start > 0) this.#atLineEnd = hash.copy();
    hash.update(chunk.subarray(start));
    this.#keepRest(chunk.subarray(start));
  }

  *end(hash: Hash): Generator<LineBatch> {
    if (this.#lines.length > 0 && this.#atLineEnd) yield this.#batch(this.#position, this.#atLineEnd, false);
    if (this.#restLength === 0) return;
    this.#position += this.#restLength;
    this.#add(this.#rest);
    yield this.#batch(this.#position, hash, true);
  }

  #joined(line: Buffer): Buffer {
    if (this.#restLength === 0) return line.subarray(0, LINE_BYTES_MAX + 1);
    this.#position += this.#restLength;
    const joined = Buffer.concat([this.#rest, line.subarray(0, LINE_BYTES_MAX + 1 - this.#rest.length)]);
    this.#rest = Buffer.alloc(0);
    this.#restLength = 0;
    return joined;
  }

  #keepRest(part: Buffer): void {
    if (part.length === 0) return;
    this.#restLength += part.length;
    if (this.#restLength > LINE_BYTES_LIMIT) {
      const line = this.#from.lines + this.#lines.length + 1;
      throw new LogFileError(`Line ${line} exceeds 16 MiB: this is not an access log`);
    }
    // A copy, so that a few bytes do not retain a whole chunk; never longer than a line may be.
    this.#rest = Buffer.concat([this.#rest, part.subarray(0, LINE_BYTES_MAX + 1 - this.#rest.length)]);
  }

  #add(line: Buffer): void {
    this.#lines.push(line);
    this.#gathered += line.length;
  }

  #batch(bytes: number, hash: Hash, isTail: boolean): LineBatch {
    const from = this.#from;
    const to = { bytes, lines: from.lines + this.#lines.length, sha256: hash.copy().digest('hex') };
    const batch = { lines: this.#lines, firstLine: from.lines + 1, from, to, isTail };
    this.#lines = [];
    this.#gathered = 0;
    this.#from = to;
    return batch;
  }
}

/**
 * Hashes prefixes of a file.
 * @param lengths of the prefixes, in bytes; a prefix longer than the file has no digest
 * @returns the SHA-256 of each, in hex, and the number of bytes read: more than the longest unless the file ends there
 */
export async function hashBeginnings(
  chunks: AsyncIterable<Buffer>,
  lengths: readonly number[],
): Promise<{ readonly digests: ReadonlyMap<number, string>; readonly seen: number }> {
  const open = [...new Set(lengths)].sort((left, right) => left - right);
  const longest = open.at(-1) ?? 0;
  const digests = new Map<number, string>();
  const hash = createHash('sha256');
  let seen = 0;
  for await (const chunk of chunks) {
    let hashed = 0;
    for (let next = open[0]; next !== undefined && next <= seen + chunk.length; next = open[0]) {
      hash.update(chunk.subarray(hashed, next - seen));
      hashed = next - seen;
      digests.set(next, hash.copy().digest('hex'));
      open.shift();
    }
    hash.update(chunk.subarray(hashed));
    seen += chunk.length;
    if (seen > longest) break;
  }
  return { digests, seen };
}
