/** What the readers of files give to an import. */
import type { ImportRow, RowError } from './import-row.js';

/** Where an import continues. */
export interface RowPosition {
  /** The number of rows before. */
  readonly rows: number;
  readonly lines: number;
  readonly bytes: number;
}

/** A row of the file, or why it is none. */
export interface ReadRow {
  readonly line: number;
  readonly raw: string;
  readonly row: ImportRow | RowError;
  /** After it. */
  readonly position: RowPosition;
}
