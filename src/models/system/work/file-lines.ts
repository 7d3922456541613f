/** The lines of a stored file, from any position on, with bounded memory however long a line is. */
import type { Db } from 'mongodb';
import { PART_BYTES, readParts } from './work-file.js';

export interface FileLine {
  /** Starting at 1. */
  readonly line: number;
  /** Without its end. At most LINE_BYTES_MAX: of a longer line, its beginning. */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
  /** Where the next line starts. */
  readonly end: number;
}

export interface LinePosition {
  /** The number of lines before it. */
  readonly lines: number;
  /** The number of bytes before it. */
  readonly bytes: number;
}

export const LINE_BYTES_MAX = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** @param work whose parts are all of PART_BYTES, except the last: an uploaded file */
export async function* readLines(
  db: Db,
  work: string,
  { lines, bytes }: LinePosition,
): AsyncGenerator<FileLine, undefined> {
  const assembly = new LineAssembly(lines, bytes);
  let skip = bytes % PART_BYTES;
  for await (const part of readParts(db, work, Math.floor(bytes / PART_BYTES))) {
    yield* assembly.take(part.subarray(skip));
    skip = 0;
  }
  yield* assembly.finish();
}

class LineAssembly {
  #line: number;
  #end: number;
  #pieces: Buffer[] = [];
  #kept = 0;
  #length = 0;

  constructor(lines: number, bytes: number) {
    this.#line = lines;
    this.#end = bytes;
  }

  *take(chunk: Buffer): Generator<FileLine> {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, at));
      from = at + 1;
      yield this.#complete(1);
    }
    this.#keep(chunk.subarray(from));
  }

  /** The last line may lack a line feed. */
  *finish(): Generator<FileLine> {
    if (this.#length > 0) yield this.#complete(0);
  }

  #keep(piece: Buffer): void {
    const room = LINE_BYTES_MAX - this.#kept;
    if (room > 0 && piece.length > 0) this.#pieces.push(piece.subarray(0, room));
    this.#kept += Math.min(room, piece.length);
    this.#length += piece.length;
  }

  #complete(lineFeeds: number): FileLine {
    const all = Buffer.concat(this.#pieces, this.#kept);
    const isTooLong = this.#length > this.#kept;
    const bytes = all.at(-1) === CARRIAGE_RETURN && !isTooLong ? all.subarray(0, -1) : all;
    this.#line += 1;
    this.#end += this.#length + lineFeeds;
    this.#pieces = [];
    this.#kept = 0;
    this.#length = 0;
    return { line: this.#line, bytes, isTooLong, end: this.#end };
  }
}
