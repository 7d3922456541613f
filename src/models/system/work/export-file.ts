/** Writing the file of an export: lines are added to its parts, in the steps that record how far it has come. */
import type { HeldWork } from '../../work.js';
import { addParts, PART_BYTES } from './work-file.js';

export interface ExportLine {
  readonly line: string;
  /** A row may be several lines: its first one. */
  readonly isRow: boolean;
}

export const toLine = (row: object, isRow = true): ExportLine => ({ line: `${JSON.stringify(row)}\n`, isRow });

interface Written {
  /** The number of parts that are written. */
  readonly parts?: number;
}

/**
 * Writes an export to its end, a mebibyte in a step.
 * @param reached where the reader continues after the line that it read last: kept with each step
 */
export async function writeExport(
  held: HeldWork,
  lines: AsyncIterable<ExportLine>,
  reached: () => object,
): Promise<void> {
  let batch: ExportLine[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line);
    size += Buffer.byteLength(line.line);
    if (size < PART_BYTES) continue;
    await writeBatch(held, batch, reached());
    batch = [];
    size = 0;
  }
  await writeBatch(held, batch, reached());
  await held.step({ total: held.work.done });
}

/** Lines are not split among steps, but among parts: a line may be larger than one. */
async function writeBatch(held: HeldWork, lines: readonly ExportLine[], reached: object): Promise<void> {
  if (lines.length === 0) return;
  const bytes = Buffer.from(lines.map(({ line }) => line).join(''));
  const rows = lines.filter(({ isRow }) => isRow).length;
  const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
  const { parts: from = 0 } = (held.work.position as Written | undefined) ?? {};
  await held.step(async (session) => {
    await addParts(held.db, held.work._id, from, parts, held.now(), session);
    const written: Written = { parts: from + parts.length };
    return { position: { ...reached, ...written }, done: rows, counts: { bytes: bytes.length } };
  });
}
