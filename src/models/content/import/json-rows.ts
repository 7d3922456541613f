/** The rows of a file of JSON lines. */
import { readLines } from '../../system/work/file-lines.js';
import type { HeldWork } from '../../work.js';
import { type ImportRow, RowError, readRow } from './import-row.js';
import type { ReadRow, RowPosition } from './read-row.js';

const RAW_LENGTH_MAX = 5000; // somewhat more than what is kept of it
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Empty lines are no rows. */
export async function* readJsonRows(held: HeldWork, from: RowPosition): AsyncGenerator<ReadRow, undefined> {
  let { rows } = from;
  for await (const { line, bytes, isTooLong, end } of readLines(held.db, held.work._id, from)) {
    if (bytes.every((byte) => byte === 0x20 || byte === 0x09)) continue;
    rows += 1;
    const position = { rows, lines: line, bytes: end };
    const raw = bytes.toString('utf8', 0, RAW_LENGTH_MAX);
    yield { line, raw, row: isTooLong ? new RowError('TOO_LONG') : parsed(bytes), position };
  }
}

function parsed(bytes: Buffer): ImportRow | RowError {
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
