/** What the readers of files give to an import. */
import type { RowPosition } from '../../system/work/rows/row-error.js';
import type { ImportRow, RedirectRow, RowError } from './import-row.js';
import type { PictureSource } from './picture-source.js';

/** A row of the file, or why it is none. */
export interface ReadRow {
  readonly line: number;
  readonly raw: string;
  readonly row: ImportRow | RedirectRow | PictureSource | RowError;
  /** After it, or of a picture, after its first line. */
  readonly position: RowPosition;
}
