/**
 * What is left of a picture without its metadata, as a list of pieces: ranges of the file, and bytes that replace others. Only the
 * headers are read for it, so it needs little memory.
 */
import type { FileHandle } from 'node:fs/promises';

/** From `from` to before `to`, of the file; or other bytes. */
export type Piece = { readonly from: number; readonly to: number } | Buffer;

/** The file does not have the structure that its format demands, or has parts that cannot be told apart from metadata. */
export class UnusualStructure extends Error {
  override name = 'UnusualStructure';
}

const WINDOW_BYTES = 65_536;
/** A picture that needs more is not worth it: it is encoded anew. */
const PIECES_MAX = 10_000;

/** Reads a file forward in windows. */
export class ByteReader {
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  constructor(
    private readonly handle: FileHandle,
    readonly end: number,
  ) {}

  /** @throws UnusualStructure the file ends before */
  async read(at: number, length: number): Promise<Buffer> {
    if (at + length > this.end) throw new UnusualStructure('The file ends early');
    if (at < this.#start || at + length > this.#start + this.#window.length) await this.#load(at, length);
    return this.#window.subarray(at - this.#start, at - this.#start + length);
  }

  /** The position of the next byte of this value, or the end. */
  async find(byte: number, from: number): Promise<number> {
    for (let at = from; at < this.end; ) {
      if (at < this.#start || at >= this.#start + this.#window.length) await this.#load(at, 1);
      const found = this.#window.indexOf(byte, at - this.#start);
      if (found >= 0) return this.#start + found;
      at = this.#start + this.#window.length;
    }
    return this.end;
  }

  async #load(at: number, length: number): Promise<void> {
    const window = Buffer.alloc(Math.min(Math.max(length, WINDOW_BYTES), this.end - at));
    const { bytesRead } = await this.handle.read(window, 0, window.length, at);
    if (bytesRead < length) throw new UnusualStructure('The file ends early');
    this.#start = at;
    this.#window = window.subarray(0, bytesRead);
  }
}

/** Collects pieces; ranges that follow each other become one. */
export class Pieces {
  readonly list: Piece[] = [];

  keep(from: number, to: number): void {
    const last = this.list.at(-1);
    if (last && !Buffer.isBuffer(last) && last.to === from) this.list[this.list.length - 1] = { from: last.from, to };
    else this.#add({ from, to });
  }

  insert(bytes: Buffer): void {
    this.#add(bytes);
  }

  #add(piece: Piece): void {
    if (this.list.length === PIECES_MAX) throw new UnusualStructure('The file has too many parts');
    this.list.push(piece);
  }
}

export const lengthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.to - piece.from), 0);

/** The bytes of the pieces, in parts of at most a window. */
export async function* readPieces(handle: FileHandle, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      yield piece;
      continue;
    }
    for (let at = piece.from; at < piece.to; ) {
      const part = Buffer.alloc(Math.min(WINDOW_BYTES, piece.to - at));
      const { bytesRead } = await handle.read(part, 0, part.length, at);
      if (bytesRead === 0) throw new Error('A temporary file has become shorter');
      yield part.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}
