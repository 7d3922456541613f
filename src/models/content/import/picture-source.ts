/** A picture in a file of JSON lines: a line that describes it, and lines with its bytes. Read as they are asked for. */

import { toGlobalId } from '../../../shared/global-id.js';
import type { FileLine } from '../../system/work/file-lines.js';
import type { RowPosition } from '../../system/work/rows/row-error.js';
import { type PictureRow, RowError } from './import-row.js';
import { readPart } from './json-row.js';

/** Lines, one of which may be given back. */
export class LineSource {
  #next: FileLine | null = null;

  constructor(private readonly lines: AsyncGenerator<FileLine, undefined>) {}

  async take(): Promise<FileLine | null> {
    const next = this.#next;
    this.#next = null;
    return next ?? (await this.lines.next()).value ?? null;
  }

  giveBack(line: FileLine): void {
    this.#next = line;
  }

  async close(): Promise<void> {
    await this.lines.return(undefined);
  }
}

export class PictureSource {
  #position: RowPosition;

  constructor(
    readonly row: PictureRow,
    private readonly lines: LineSource,
    begin: RowPosition,
  ) {
    this.#position = begin;
  }

  /** After what was read of it. */
  get position(): RowPosition {
    return this.#position;
  }

  /** Its bytes, to be read once. @throws RowError there are fewer or more */
  async *bytes(): AsyncGenerator<Buffer, undefined> {
    let length = 0;
    for (let part = await this.#part(); part; part = await this.#part()) {
      length += part.length;
      if (length > this.row.bytes) throw new RowError('DAMAGED_PICTURE', 'data');
      yield part;
    }
    if (length < this.row.bytes) throw new RowError('DAMAGED_PICTURE', 'data');
  }

  /** Passes over what was not read. */
  async skip(): Promise<void> {
    while (await this.#part());
  }

  async #part(): Promise<Buffer | null> {
    const line = await this.lines.take();
    if (!line) return null;
    const part = line.isTooLong ? null : readPart(line.bytes.toString('utf8'), toGlobalId('Asset', this.row.picture));
    if (part) this.#position = { rows: this.#position.rows, lines: line.line, bytes: line.end };
    else this.lines.giveBack(line);
    return part;
  }
}
