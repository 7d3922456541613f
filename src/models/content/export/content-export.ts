/** Exports of content: background work that writes all nodes below a node as JSON lines, which `importContent` accepts. */
import type { Db } from 'mongodb';
import { SextantError } from '../../../shared/errors.js';
import { makeDownloadKey } from '../../system/work/data-export.js';
import { addParts, PART_BYTES } from '../../system/work/work-file.js';
import { startWork } from '../../system/work/work-start.js';
import type { HeldWork, WorkDocument, WorkKind } from '../../work.js';
import { findNode, ROOT } from '../nodes/node.js';
import { type ExportLine, type ExportPosition, ExportReader } from './export-rows.js';

interface ContentExportInput {
  /** Or `ROOT`. */
  readonly parent_id: string;
}

interface Position extends ExportPosition {
  /** The number of parts that are written. */
  readonly parts: number;
}

export const contentExport: WorkKind = {
  name: 'content-export',
  type: 'DataExport',

  async run(held) {
    const { parent_id } = held.work.input as ContentExportInput;
    const reader = new ExportReader(held.db, parent_id, (held.work.position as Position | undefined) ?? null);
    let batch: ExportLine[] = [];
    let size = 0;
    for await (const line of reader.lines()) {
      batch.push(line);
      size += Buffer.byteLength(line.line);
      if (size < PART_BYTES) continue;
      await writeBatch(held, batch, reader.position);
      batch = [];
      size = 0;
    }
    await writeBatch(held, batch, reader.position);
    await held.step({ total: held.work.done });
  },
};

/** Lines are not split among steps, but among parts: a line may be larger than one. */
async function writeBatch(held: HeldWork, lines: readonly ExportLine[], reached: ExportPosition): Promise<void> {
  if (lines.length === 0) return;
  const bytes = Buffer.from(lines.map(({ line }) => line).join(''));
  const rows = lines.filter(({ isRow }) => isRow).length;
  const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
  const { parts: from = 0 } = (held.work.position as Position | undefined) ?? {};
  await held.step(async (session) => {
    await addParts(held.db, held.work._id, from, parts, held.now(), session);
    const position: Position = { ...reached, parts: from + parts.length };
    return { position, done: rows, counts: { bytes: bytes.length } };
  });
}

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
