/** Several files that are read as one, each beginning on a line of its own. */
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { openUnpacked } from '../../models/analytics/log-import/log-source.js';
import { DiskFile } from './log-file.js';

const LINE_FEED = 0x0a;

export class JoinedFiles {
  readonly name: string;
  #files: DiskFile[] = [];
  /** The number of lines before each file. */
  readonly #linesBefore: number[] = [];

  constructor(private readonly paths: readonly string[]) {
    this.name = paths.map((path) => basename(path)).join(' + ');
  }

  /** The caller closes them. @throws LogFileError one does not exist, or may not be read */
  async find(): Promise<this> {
    try {
      for (const path of this.paths) this.#files.push(await DiskFile.find(path));
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  open(): Readable {
    return Readable.from(this.#bytes(), { objectMode: false });
  }

  async close(): Promise<void> {
    const files = this.#files;
    this.#files = [];
    for (const file of files) await file.close();
  }

  /** After they were read. @returns the file and its line that became a line of the whole. Of a single file, only the line */
  placeOf(line: number): { readonly file?: string; readonly line: number } {
    const index = this.#linesBefore.findLastIndex((before) => before < line);
    const file = this.paths[index];
    return this.paths.length < 2 || file === undefined
      ? { line }
      : { file, line: line - (this.#linesBefore[index] ?? 0) };
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    let lines = 0;
    for (const file of this.#files) {
      this.#linesBefore.push(lines);
      const { bytes } = await openUnpacked(file);
      let last = LINE_FEED;
      for await (const chunk of bytes) {
        lines += countLines(chunk);
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
      if (last === LINE_FEED) continue;
      lines += 1;
      yield Buffer.of(LINE_FEED);
    }
  }
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
