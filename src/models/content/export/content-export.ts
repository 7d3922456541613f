/** Exports of content: background work that writes all nodes below a node as JSON lines, which `importContent` accepts. */
import type { Db } from 'mongodb';
import { SextantError } from '../../../shared/errors.js';
import { makeDownloadKey } from '../../system/work/data-export.js';
import { writeExport } from '../../system/work/export-file.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument, WorkKind } from '../../work.js';
import { findNode, ROOT } from '../nodes/node.js';
import { type ExportPosition, ExportReader } from './export-rows.js';

interface ContentExportInput {
  /** Or `ROOT`. */
  readonly parent_id: string;
}

export const contentExport: WorkKind = {
  name: 'content-export',
  type: 'DataExport',

  async run(held) {
    const { parent_id } = held.work.input as ContentExportInput;
    const reader = new ExportReader(held.db, parent_id, (held.work.position as ExportPosition | undefined) ?? null);
    await writeExport(held, reader.lines(), () => reader.position);
  },
};

export interface ContentExportRequest {
  readonly id: string;
  /** As stored. Null for the root. */
  readonly parentId: string | null;
  readonly owner: string | null;
}

/** @throws SextantError NOT_FOUND @throws LimitError the owner has too much work that has not ended */
export async function startContentExport(
  db: Db,
  { id, parentId, owner }: ContentExportRequest,
  now: Date,
): Promise<WorkDocument> {
  const parent = parentId === null ? null : await findNode(db, parentId);
  if (parentId !== null && (!parent || parent.trash)) throw new SextantError('NOT_FOUND', 'There is no such node');
  const input: ContentExportInput = { parent_id: parentId ?? ROOT };
  const file = { name: `${parent?.slug ?? 'content'}.jsonl`, bytes: 0 };
  const downloadKey = makeDownloadKey();
  return startWork(db, { id, kind: contentExport, owner, input, file, downloadKey }, now);
}
