/** What must hold of imports at every instant, see `log-import.ts`. Reads everything: for tests and `sextant doctor`. */
import type { Db } from 'mongodb';
import { logBatches, REJECTS_KEPT_MAX } from './log-batch.js';
import { type LogImportDocument, lineIdsAfter, logImports, logRejects } from './log-import.js';
import { logEvents } from './request-log.js';

export interface LogImportViolation {
  readonly import: string;
  /** What is wrong. */
  readonly what: string;
  readonly expected: number;
  readonly found: number;
}

/** Reads the imports one by one and yields what is wrong. Call it at rest: it takes no snapshot. */
export async function* findLogImportViolations(db: Db): AsyncGenerator<LogImportViolation> {
  for await (const document of logImports(db)
    .find({ _id: { $gt: '' } })
    .sort({ _id: 1 })) {
    for (const [what, expected, found] of await figuresOf(db, document)) {
      if (expected !== found) yield { import: document._id, what, expected, found };
    }
  }
}

async function figuresOf(
  db: Db,
  { _id, lines, imported, hits, rejected, bytes_read }: LogImportDocument,
): Promise<[what: string, expected: number, found: number][]> {
  const ofImport = { _id: lineIdsAfter(_id, 0) };
  const sums = { lines: 0, imported: 0, hits: 0, bytes: 0 };
  for await (const batch of logBatches(db).find(ofImport)) {
    sums.lines += batch.lines;
    sums.imported += batch.imported;
    sums.bytes += batch.bytes;
    for (const { count } of batch.hits) sums.hits += count;
  }
  return [
    ['lines of its batches', lines, sums.lines],
    ['requests of its batches', imported, sums.imported],
    ['hits of its batches', hits, sums.hits],
    ['bytes of its batches', bytes_read, sums.bytes],
    ['lines imported and rejected', lines, imported + rejected],
    ['stored requests', imported, await logEvents(db).countDocuments(ofImport)],
    ['kept rejects', Math.min(rejected, REJECTS_KEPT_MAX), await logRejects(db).countDocuments(ofImport)],
  ];
}
