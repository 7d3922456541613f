/** The rows of the stored file of an import, in their order. */
import type { Db } from 'mongodb';
import { readLines } from '../../system/work/file-lines.js';
import { fieldsOfLine, isEmptyLine, rawOf } from '../../system/work/rows/row-line.js';
import { readParts } from '../../system/work/work-file.js';
import { WorkFailure } from '../../work.js';
import { convertArchitext } from './architext/architext.js';
import { checkRow, withPrefix } from './checked-row.js';
import { convertOpenAdventure } from './open-adventure/open-adventure.js';
import { readOwnRow } from './own-row.js';
import { convertRanvier } from './ranvier/ranvier.js';
import { type ReadLine, RowError, refused, type SourceRow, stored } from './rows/world-row.js';
import { UsedKeys } from './used-keys.js';

export type WorldFormat = 'JSON_LINES' | 'OPEN_ADVENTURE' | 'RANVIER' | 'ARCHITEXT';

/** Rows of other programs refer to rows anywhere in their file, so such a file is held in memory. */
export const FOREIGN_BYTES_MAX = 16 * 1024 * 1024;

export interface SourceFile {
  /** The work that it is stored for. */
  readonly work: string;
  readonly format: WorldFormat;
  readonly prefix: string;
}

const BEGIN = { lines: 0, bytes: 0 };

/** @throws WorkFailure it is no file of this format */
export async function* readSourceRows(db: Db, { work, format, prefix }: SourceFile): AsyncGenerator<SourceRow> {
  const rows =
    format === 'JSON_LINES'
      ? ownRows(db, work)
      : format === 'ARCHITEXT'
        ? await architextRows(db, work)
        : await rowsOfLines(db, work, format === 'RANVIER' ? convertRanvier : convertOpenAdventure);
  const used = new UsedKeys(); // the file is always read from its beginning, also by an import that is continued
  for await (const row of rows) yield checked(row, prefix, used);
}

function checked(source: SourceRow, prefix: string, used: UsedKeys): SourceRow {
  if (!('row' in source)) return source;
  try {
    const row = withPrefix(source.row, prefix);
    checkRow(row);
    used.use(row);
    return { ...source, row };
  } catch (error) {
    return refusal(source, error);
  }
}

async function* ownRows(db: Db, work: string): AsyncGenerator<SourceRow> {
  for await (const read of readObjects(db, work)) {
    if (!('fields' in read)) yield read;
    else
      try {
        yield stored(read, readOwnRow(read.fields));
      } catch (error) {
        yield refusal(read, error);
      }
  }
}

async function rowsOfLines(
  db: Db,
  work: string,
  convert: (lines: readonly ReadLine[]) => SourceRow[],
): Promise<SourceRow[]> {
  const lines: ReadLine[] = [];
  const refusals: SourceRow[] = [];
  for await (const read of readObjects(db, work))
    if ('fields' in read) lines.push(read);
    else refusals.push(read);
  return [...refusals, ...convert(lines)].toSorted((one, other) => one.line - other.line);
}

/** @throws WorkFailure */
async function architextRows(db: Db, work: string): Promise<SourceRow[]> {
  const parts: Buffer[] = [];
  for await (const part of readParts(db, work)) parts.push(part);
  const rows = convertArchitext(
    Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
  if (!rows) throw new WorkFailure('The file is no world of Architext: a JSON document with starting_room');
  return rows;
}

/** The lines that are objects, and the others, refused. */
async function* readObjects(db: Db, work: string): AsyncGenerator<ReadLine | SourceRow> {
  for await (const line of readLines(db, work, BEGIN)) {
    if (isEmptyLine(line)) continue;
    const source = { line: line.line, raw: rawOf(line) };
    try {
      yield { ...source, fields: fieldsOfLine(line) };
    } catch (error) {
      yield refusal(source, error);
    }
  }
}

/** @throws what is not about the row */
function refusal(source: Parameters<typeof refused>[0], error: unknown): SourceRow {
  if (!(error instanceof RowError)) throw error;
  return refused(source, error.reason, error.field);
}
