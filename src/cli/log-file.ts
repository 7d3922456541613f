/** A log file on disk. */
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { LogFileError, type LogSource } from '../models/analytics/log-source.js';

/** Knows how much of it was read, packed or not: of a gzip file nothing else tells how far it is. */
export class CountedFile implements LogSource {
  readonly name: string;
  #stream: ReadStream | null = null;

  private constructor(
    readonly path: string,
    readonly size: number,
  ) {
    this.name = basename(path);
  }

  /** @throws LogFileError there is no such file, or it may not be read */
  static async find(path: string): Promise<CountedFile> {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new LogFileError(`The file cannot be read: ${error.message}`);
    });
    if (!found.isFile()) throw new LogFileError('It is not a file');
    return new CountedFile(path, found.size);
  }

  /** From 0 to 1. */
  get done(): number {
    return Math.min(1, (this.#stream?.bytesRead ?? 0) / this.size);
  }

  open(): Readable {
    this.#stream = createReadStream(this.path);
    return this.#stream;
  }
}
