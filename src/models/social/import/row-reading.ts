/** Reading the rows of one kind from the stored file, in batches that fit into a transaction each. */
import type { RejectedRow } from '../../system/work/data-import.js';
import { readLines } from '../../system/work/file-lines.js';
import type { RowPosition } from '../../system/work/rows/row-error.js';
import type { Fields } from '../../system/work/rows/row-fields.js';
import { fieldsOfLine, isEmptyLine, rawOf } from '../../system/work/rows/row-line.js';
import type { HeldWork } from '../../work.js';
import { KINDS, kindOf, RowError, type RowKind } from './network-row.js';

/** A row with its place in the file. */
export interface ReadRow<Row> {
  readonly row: Row;
  /** The row, rejected for this reason. */
  rejected(error: RowError): RejectedRow;
}

/** How much a batch has at most. A row that is larger is a batch of its own. */
export interface BatchBounds<Row> {
  readonly rows: number;
  /** What one of them counts for. Default: nothing. */
  readonly weight?: (row: Row) => number;
  readonly weightMax?: number;
}

export interface Batch<Row> {
  readonly rows: readonly ReadRow<Row>[];
  readonly rejects: readonly RejectedRow[];
  /** After it. */
  readonly position: RowPosition;
  /** Rows of a later kind were read between its rows. */
  readonly hasLater: boolean;
  /** Nothing comes after it. It may be empty. */
  readonly isLast?: boolean;
}

const BATCH_BYTES = 1024 * 1024;
/** So many rows of other kinds are passed over before the place is recorded. */
const PASSED_MAX = 20_000;

/** Collects a batch. */
class Collected<Row> {
  readonly rows: ReadRow<Row>[] = [];
  readonly rejects: RejectedRow[] = [];
  hasLater = false;
  isLast = false;
  passed = 0;
  #bytes = 0;
  #weight = 0;

  constructor(
    readonly bounds: BatchBounds<Row>,
    public position: RowPosition,
  ) {}

  get isEmpty(): boolean {
    return this.rows.length === 0 && this.rejects.length === 0;
  }

  hasRoomFor(row: Row, bytes: number): boolean {
    const { weight = () => 0, weightMax = Number.POSITIVE_INFINITY } = this.bounds;
    return this.isEmpty || (this.#bytes + bytes <= BATCH_BYTES && this.#weight + weight(row) <= weightMax);
  }

  get isFull(): boolean {
    return this.rows.length + this.rejects.length >= this.bounds.rows || this.passed >= PASSED_MAX;
  }

  add(row: ReadRow<Row>, bytes: number): void {
    this.rows.push(row);
    this.#bytes += bytes;
    this.#weight += this.bounds.weight?.(row.row) ?? 0;
  }
}

/** Lines that are no row of any kind are rejected among the first kind. The last batch ends with the file. */
export async function* readBatches<Row>(
  held: HeldWork,
  kind: RowKind,
  { from, read, bounds }: { from: RowPosition; read: (fields: Fields) => Row; bounds: BatchBounds<Row> },
): AsyncGenerator<Batch<Row>, undefined> {
  let batch = new Collected<Row>(bounds, from);
  let { rows } = from;
  for await (const line of readLines(held.db, held.work._id, from)) {
    if (isEmptyLine(line)) continue;
    rows += 1;
    const number = rows;
    const rejected = ({ reason, field }: RowError): RejectedRow => ({
      row: number,
      line: line.line,
      reason,
      field,
      raw: rawOf(line),
    });
    const bytes = line.end - batch.position.bytes;
    const found = parsed(() => rowOf(kind, fieldsOfLine(line), read), kind);
    if ('row' in found && !batch.hasRoomFor(found.row, bytes)) {
      yield batch;
      batch = new Collected(bounds, batch.position);
    }
    if ('row' in found) batch.add({ row: found.row, rejected }, bytes);
    else if ('error' in found) batch.rejects.push(rejected(found.error));
    else {
      batch.passed += 1;
      batch.hasLater ||= found.isLater;
    }
    batch.position = { rows, lines: line.line, bytes: line.end };
    if (!batch.isFull) continue;
    yield batch;
    batch = new Collected(bounds, batch.position);
  }
  batch.isLast = true;
  yield batch;
}

type Found<Row> = { readonly row: Row } | { readonly error: RowError } | { readonly isLater: boolean };

function rowOf<Row>(kind: RowKind, fields: Fields, read: (fields: Fields) => Row): Found<Row> {
  const its = kindOf(fields);
  return its === kind ? { row: read(fields) } : { isLater: KINDS.indexOf(its) > KINDS.indexOf(kind) };
}

/** What is rejected as a row of its own kind, or of none: a later pass leaves the latter out. */
function parsed<Row>(find: () => Found<Row>, kind: RowKind): Found<Row> {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const isOfNone = ['NOT_JSON', 'NOT_UTF8', 'TOO_LONG', 'NO_KIND'].includes(error.reason);
    return isOfNone && kind !== KINDS[0] ? { isLater: false } : { error };
  }
}
