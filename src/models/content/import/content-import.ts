/** Imports of content: background work that reads an uploaded file row by row. */

import type { WorkKindDeclaration } from '../../domain.js';
import type { AuthorReference } from '../../people/author.js';
import { type RejectedRow, recordRows } from '../../system/work/data-import.js';
import type { FileFormat } from '../../system/work/rows/import-file.js';
import type { RowPosition } from '../../system/work/rows/row-error.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { findNode } from '../nodes/node.js';
import { readFeedRows } from './feed-rows.js';
import { ImportBatch } from './import-batch.js';
import { defaultTypeOf, type ImportTarget, type PreparedRow, prepareRow, type StoredRow } from './import-node.js';
import { type ImportRow, type RedirectRow, RowError, rejectReasons } from './import-row.js';
import { readJsonRows } from './json-rows.js';
import { type PictureServices, storePictureRow } from './picture-row.js';
import { PictureSource } from './picture-source.js';
import type { ReadRow } from './read-row.js';
import { storeRedirect } from './redirect-row.js';
import { type NotedImport, undoContentImport } from './undo/import-undo.js';

export type ContentFormat = FileFormat;

export interface ContentImportInput extends NotedImport {
  /** Or `ROOT`. */
  readonly parent_id: string;
  readonly format: ContentFormat;
  readonly as_drafts: boolean;
  /** Who imports it: the author of rows that have none. */
  readonly author: AuthorReference;
}

/** A transaction of some 50 ms: an editor who adds a post to the same blog at that moment does not wait longer. */
const BATCH_ROWS = 100;
/** Of all that they say. A row that is larger is a batch of its own. */
const BATCH_BYTES = 1024 * 1024;
const BEGIN: RowPosition = { rows: 0, lines: 0, bytes: 0 };

const positionOf = ({ position }: HeldWork['work']): RowPosition => (position as RowPosition | undefined) ?? BEGIN;

export const contentImport: WorkKindDeclaration<PictureServices> = {
  name: 'content-import',
  type: 'DataImport',
  rejectReasons,

  async run(held, services) {
    const input = held.work.input as ContentImportInput;
    const target = await targetOf(held, input);
    const read = input.format === 'FEED' ? readFeedRows : readJsonRows;
    let batch = new Batch();
    let damage: WorkFailure | null = null;
    const rows = upToDamage(read(held, positionOf(held.work)), (failure) => {
      damage = failure;
    });
    for await (const { row, ...place } of rows) {
      const isPicture = row instanceof PictureSource;
      if (isPicture || !batch.hasRoomFor(row)) {
        await storeBatch(held, target, batch);
        batch = new Batch();
      }
      if (isPicture) await storePictureRow(held, services, place, row);
      else batch.add({ row, ...place });
    }
    await storeBatch(held, target, batch);
    if (damage) throw damage;
    await held.step({ total: held.work.done });
  },

  undo: undoContentImport,
};

/** The rows of a file that cannot be read to its end: those before the damage are stored before the import fails. */
async function* upToDamage(
  rows: AsyncIterable<ReadRow>,
  onDamage: (failure: WorkFailure) => void,
): AsyncGenerator<ReadRow, undefined> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof WorkFailure)) throw error;
    onDamage(error);
  }
}

async function targetOf({ db, work, now }: HeldWork, input: ContentImportInput): Promise<ImportTarget> {
  const { parent_id: parentId, author, as_drafts: asDrafts } = input;
  const type = defaultTypeOf(await findNode(db, parentId));
  return { work: work._id, parentId, type, author, asDrafts, at: now() };
}

type ReadableRow = ImportRow | RedirectRow | RowError;

interface BatchedRow extends ReadRow {
  readonly row: ReadableRow;
}

/** Rows that are stored in one transaction: either versions or redirects. */
class Batch {
  readonly rows: BatchedRow[] = [];
  #bytes = 0;

  hasRoomFor(next: ReadableRow): boolean {
    const isOther = this.rows.some(({ row }) => kindOf(row) !== null && kindOf(row) !== kindOf(next));
    if (this.rows.length === 0) return true;
    const fits = this.rows.length < BATCH_ROWS && this.#bytes + bytesOf(next) <= BATCH_BYTES;
    return fits && (kindOf(next) === null || !isOther);
  }

  add(row: BatchedRow): void {
    this.rows.push(row);
    this.#bytes += bytesOf(row.row);
  }
}

function bytesOf(row: ReadableRow): number {
  if (row instanceof RowError) return 0;
  let bytes = 0;
  for (const value of Object.values(row).flat()) if (typeof value === 'string') bytes += Buffer.byteLength(value);
  return bytes;
}

const kindOf = (row: ReadableRow): 'REDIRECT' | 'VERSION' | null =>
  row instanceof RowError ? null : 'redirect' in row ? 'REDIRECT' : 'VERSION';

async function storeBatch(held: HeldWork, given: ImportTarget, { rows }: Batch): Promise<void> {
  const last = rows.at(-1);
  if (!last) return;
  const target: ImportTarget = { ...given, at: held.now() };
  const prepared = rows.map(({ row, ...place }) => ({ ...place, row: prepare(row, target) }));
  const versions = prepared.flatMap(({ row }) => ('nonce' in row ? [row] : []));
  await recordRows(held, async (session) => {
    const rejects: RejectedRow[] = [];
    const counts: Record<StoredRow, number> = { IMPORTED: 0, SKIPPED: 0 };
    const batch = await ImportBatch.read(held.db, session, target, versions);
    for (const { row, line, raw, position } of prepared) {
      try {
        if (row instanceof RowError) throw row;
        const store = 'nonce' in row ? batch.add(row) : storeRedirect(held.db, session, target, row);
        counts[await store] += 1;
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        rejects.push({ row: position.rows, line, reason: error.reason, field: error.field, raw });
      }
    }
    await batch.write();
    return { position: last.position, imported: counts.IMPORTED, skipped: counts.SKIPPED, rejects };
  });
}

/** What can be done before the transaction. */
function prepare(row: ReadableRow, target: ImportTarget): PreparedRow | RedirectRow | RowError {
  if (row instanceof RowError || 'redirect' in row) return row;
  try {
    return prepareRow(row, target);
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}
