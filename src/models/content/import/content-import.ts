/** Imports of content: background work that reads an uploaded file row by row. */

import type { WorkKindDeclaration } from '../../domain.js';
import type { AuthorReference } from '../../people/author.js';
import { type RejectedRow, recordRows } from '../../system/work/data-import.js';
import type { HeldWork } from '../../work.js';
import { findNode } from '../nodes/node.js';
import { readFeedRows } from './feed-rows.js';
import { defaultTypeOf, type ImportTarget, storeRow } from './import-node.js';
import { type ImportRow, type RedirectRow, RowError, type RowPosition, rejectReasons } from './import-row.js';
import { undoContentImport } from './import-undo.js';
import { readJsonRows } from './json-rows.js';
import { type PictureServices, storePictureRow } from './picture-row.js';
import { PictureSource } from './picture-source.js';
import type { ReadRow } from './read-row.js';
import { storeRedirect } from './redirect-row.js';

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

export const contentImport: WorkKindDeclaration<PictureServices> = {
  name: 'content-import',
  type: 'DataImport',
  rejectReasons,

  async run(held, services) {
    const input = held.work.input as ContentImportInput;
    const target = await targetOf(held, input);
    const read = input.format === 'FEED' ? readFeedRows : readJsonRows;
    let batch: BatchedRow[] = [];
    for await (const { row, ...place } of read(held, positionOf(held.work))) {
      const isPicture = row instanceof PictureSource;
      if (!isPicture) batch.push({ row, ...place });
      if (batch.length < BATCH_ROWS && !isPicture) continue;
      await storeBatch(held, target, batch);
      batch = [];
      if (isPicture) await storePictureRow(held, services, place, row);
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

interface BatchedRow extends ReadRow {
  readonly row: ImportRow | RedirectRow | RowError;
}

async function storeBatch(held: HeldWork, target: ImportTarget, batch: readonly BatchedRow[]): Promise<void> {
  const last = batch.at(-1);
  if (!last) return;
  await recordRows(held, async (session) => {
    const rejects: RejectedRow[] = [];
    const counts = { IMPORTED: 0, SKIPPED: 0 };
    for (const { row, line, raw, position } of batch) {
      try {
        if (row instanceof RowError) throw row;
        const store =
          'redirect' in row ? storeRedirect(held.db, session, target, row) : storeRow(held.db, session, target, row);
        counts[await store] += 1;
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        rejects.push({ row: position.rows, line, reason: error.reason, raw });
      }
    }
    return { position: last.position, imported: counts.IMPORTED, skipped: counts.SKIPPED, rejects };
  });
}
