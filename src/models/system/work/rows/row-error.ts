/** What the imports of all domains share: rows that cannot be stored, and places in a file. */

/** A row that cannot be stored. Imports narrow the reason to those that they put into words. */
export class RowError<Reason extends string = string> extends Error {
  /** @param field which is wrong, as it is named in the file. Null if it is about the whole row */
  constructor(
    readonly reason: Reason,
    readonly field: string | null = null,
  ) {
    super(reason);
  }
}

/** Where an import continues. */
export interface RowPosition {
  /** The number of rows before. */
  readonly rows: number;
  readonly lines: number;
  readonly bytes: number;
}
