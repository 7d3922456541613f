/** Imports of content: background work that reads an uploaded file row by row. */

import type { AuthorReference } from '../../people/author.js';
import { type RejectedRow, recordRows } from '../../system/work/data-import.js';
import type { HeldWork, WorkKind } from '../../work.js';
import { findNode } from '../nodes/node.js';
import { readFeedRows } from './feed-rows.js';
import { defaultTypeOf, type ImportTarget, storeRow } from './import-node.js';
import { RowError, rejectReasons } from './import-row.js';
import { undoContentImport } from './import-undo.js';
import { readJsonRows } from './json-rows.js';
import type { ReadRow, RowPosition } from './read-row.js';

export type ContentFormat = 'JSON_LINES' | 'FEED';

export interface ContentImportInput {
  /** Or `ROOT`. */
  readonly parent_id: string;
  readonly format: ContentFormat;
  readonly as_drafts: boolean;
  /** Who imports it: the author of rows that have none. */
  readonly author: AuthorReference;
}

/** Few, so that an editor who adds a post to the same blog at that moment does not wait long. */
const BATCH_ROWS = 20;
const BEGIN: RowPosition = { rows: 0, lines: 0, bytes: 0 };

const positionOf = ({ position }: HeldWork['work']): RowPosition => (position as RowPosition | undefined) ?? BEGIN;

export const contentImport: WorkKind = {
  name: 'content-import',
  type: 'DataImport',
  rejectReasons,

  async run(held) {
    const input = held.work.input as ContentImportInput;
    const target = await targetOf(held, input);
    const read = input.format === 'FEED' ? readFeedRows : readJsonRows;
    let batch: ReadRow[] = [];
    for await (const row of read(held, positionOf(held.work))) {
      batch.push(row);
      if (batch.length < BATCH_ROWS) continue;
      await storeBatch(held, target, batch);
      batch = [];
    }
    await storeBatch(held, target, batch);
    await held.step({ total: held.work.done });
  },

  undo: undoContentImport,
};

async function targetOf({ db, work, now }: HeldWork, input: ContentImportInput): Promise<ImportTarget> {
  const { parent_id: parentId, author, as_drafts: asDrafts } = input;
  const type = defaultTypeOf(await findNode(db, parentId));
  return { work: work._id, parentId, type, author, asDrafts, at: now() };
}

async function storeBatch(held: HeldWork, target: ImportTarget, batch: readonly ReadRow[]): Promise<void> {
  const last = batch.at(-1);
  if (!last) return;
  await recordRows(held, async (session) => {
    const rejects: RejectedRow[] = [];
    const counts = { IMPORTED: 0, SKIPPED: 0 };
    for (const { row, line, raw, position } of batch) {
      try {
        if (row instanceof RowError) throw row;
        counts[await storeRow(held.db, session, target, row)] += 1;
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        rejects.push({ row: position.rows, line, reason: error.reason, raw });
      }
    }
    return { position: last.position, imported: counts.IMPORTED, skipped: counts.SKIPPED, rejects };
  });
}
