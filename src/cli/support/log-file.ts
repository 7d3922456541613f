/** A log file on disk. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { LogFileError, type LogSource } from '../../models/analytics/log-import/log-source.js';

const CHUNK_BYTES = 65_536; // like Node.js file streams

/** Opened once, so that it stays the same file when the log is rotated and another file gets its name. */
export class DiskFile implements LogSource {
  readonly name: string;
  readonly #file: FileHandle;

  private constructor(
    readonly path: string,
    readonly size: number,
    file: FileHandle,
  ) {
    this.name = basename(path);
    this.#file = file;
  }

  /** The caller closes it. @throws LogFileError the file does not exist, or may not be read */
  static async find(path: string): Promise<DiskFile> {
    try {
      if (!(await stat(path)).isFile()) throw new LogFileError('It is not a file'); // opening a pipe waits for a writer
      const file = await open(path);
      return new DiskFile(path, (await file.stat()).size, file);
    } catch (error) {
      if (error instanceof LogFileError) throw error;
      throw new LogFileError(`The file cannot be read: ${(error as Error).message}`);
    }
  }

  /** Not `createReadStream`, which would close the file when it ends. */
  open(): Readable {
    return Readable.from(this.#chunks());
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
