/**
 * Cuts a file into batches of lines, and proves with a running SHA-256 that it begins as it did when it was read before.
 * Holds one batch at a time, whatever the file's size and the lines' lengths.
 */
import { createHash, type Hash } from 'node:crypto';
import { LINE_BYTES_MAX } from './log-line.js';
import { LogFileError } from './log-source.js';

/** How far a file was read: all of it is whole lines. */
export interface Checkpoint {
  /** Unpacked. */
  readonly bytes: number;
  readonly lines: number;
  /** The SHA-256 of these bytes, in hex. */
  readonly sha256: string;
}

/** Where reading begins: the SHA-256 of nothing. */
export const BEGINNING: Checkpoint = { bytes: 0, lines: 0, sha256: createHash('sha256').digest('hex') };

export interface LineBatch {
  /** Without their line feeds. One that is too long has its first LINE_BYTES_MAX + 1 bytes. */
  readonly lines: readonly Buffer[];
  /** The number of the first, from 1. */
  readonly firstLine: number;
  /** Where the batch begins. */
  readonly from: Checkpoint;
  /** Where it ends. */
  readonly to: Checkpoint;
  /** The last line of the file when no line feed ends it: it may grow yet. It is alone in its batch. */
  readonly isTail: boolean;
}

export const BATCH_LINES_MAX = 1000;
const BATCH_BYTES_MAX = 2 * 1024 * 1024; // bounds the memory, and the transaction that stores it
const LINE_BYTES_LIMIT = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The file does not begin with what was read of it before. */
export class ChangedFileError extends LogFileError {
  override name = 'ChangedFileError';
}

/**
 * @param from where reading begins: what stands before it is only proven
 * @throws ChangedFileError the file does not begin with what `from` describes
 * @throws LogFileError a line has more than 16 MiB
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
  if (proven < from.bytes) throw new ChangedFileError('The file has become shorter than what was read of it');
  yield* cutter.end(hash);
}

function requireEqual(hash: Hash, { sha256 }: Checkpoint): void {
  if (hash.copy().digest('hex') !== sha256) {
    throw new ChangedFileError('The file does not begin with what was read of it before');
  }
}

/** Gathers lines until a batch is full. */
class LineCutter {
  #lines: Buffer[] = [];
  #gathered = 0;
  /** The beginning of a line whose end has not come yet, at most LINE_BYTES_MAX + 1 bytes of it, and its full length. */
  #rest = Buffer.alloc(0);
  #restLength = 0;
  #position: number;
  #from: Checkpoint;
  /** The hash at the end of the last whole line. */
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
      throw new LogFileError(`Line ${line} has more than 16 MiB: this is not an access log`);
    }
    // A copy, so that a few bytes do not hold a whole chunk; never more than a line may have.
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
 * Hashes beginnings of a file.
 * @param lengths of the beginnings, in bytes; one that is longer than the file has no digest
 * @returns the SHA-256 of each, in hex, and how many bytes were seen: more than the longest unless the file ends there
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
