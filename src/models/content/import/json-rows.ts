/** The rows of a file of JSON lines. */
import { type FileLine, readLines } from '../../system/work/file-lines.js';
import type { RowPosition } from '../../system/work/rows/row-error.js';
import { fieldsOfLine, isEmptyLine, rawOf } from '../../system/work/rows/row-line.js';
import type { HeldWork } from '../../work.js';
import { type ImportRow, type PictureRow, type RedirectRow, RowError } from './import-row.js';
import { readRow } from './json-row.js';
import { LineSource, PictureSource } from './picture-source.js';
import type { ReadRow } from './read-row.js';

/** Empty lines are no rows. A picture is one row, whose bytes the caller reads, or not, before it asks for the next one. */
export async function* readJsonRows(held: HeldWork, from: RowPosition): AsyncGenerator<ReadRow, undefined> {
  const lines = new LineSource(readLines(held.db, held.work._id, from));
  let { rows } = from;
  try {
    for (let next = await lines.take(); next; next = await lines.take()) {
      const { line, end } = next;
      if (isEmptyLine(next)) continue;
      rows += 1;
      const position = { rows, lines: line, bytes: end };
      const raw = rawOf(next);
      const row = parsed(next);
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

function parsed(line: FileLine): ImportRow | RedirectRow | PictureRow | RowError {
  try {
    return readRow(fieldsOfLine(line));
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}
