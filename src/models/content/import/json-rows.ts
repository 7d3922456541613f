/** The rows of a file of JSON lines. */
import { readLines } from '../../system/work/file-lines.js';
import type { HeldWork } from '../../work.js';
import { type ImportRow, type PictureRow, type RedirectRow, RowError, type RowPosition } from './import-row.js';
import { readRow } from './json-row.js';
import { LineSource, PictureSource } from './picture-source.js';
import type { ReadRow } from './read-row.js';

const RAW_LENGTH_MAX = 5000; // somewhat more than what is kept of it
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Empty lines are no rows. A picture is one row, whose bytes the caller reads, or not, before it asks for the next one. */
export async function* readJsonRows(held: HeldWork, from: RowPosition): AsyncGenerator<ReadRow, undefined> {
  const lines = new LineSource(readLines(held.db, held.work._id, from));
  let { rows } = from;
  try {
    for (let next = await lines.take(); next; next = await lines.take()) {
      const { line, bytes, isTooLong, end } = next;
      if (bytes.every((byte) => byte === 0x20 || byte === 0x09)) continue;
      rows += 1;
      const position = { rows, lines: line, bytes: end };
      const raw = bytes.toString('utf8', 0, RAW_LENGTH_MAX);
      const row = isTooLong ? new RowError('TOO_LONG') : parsed(bytes);
      if (!('picture' in row)) {
        yield { line, raw, row, position };
        continue;
      }
      const picture = new PictureSource(row, lines, position);
      yield { line, raw, row: picture, position };
      await picture.skip();
    }
  } finally {
    await lines.close();
  }
}

function parsed(bytes: Buffer): ImportRow | RedirectRow | PictureRow | RowError {
  try {
    return readRow(decoded(bytes));
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes); // skips a byte order mark
  } catch {
    throw new RowError('NOT_UTF8');
  }
}
