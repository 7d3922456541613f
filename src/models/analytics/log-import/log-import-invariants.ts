/** The invariants of imports, see `log-import.ts`. Reads everything: for tests and `sextant doctor`. */
import type { Db } from 'mongodb';
import { type Visited, visitOnly } from '../../../database/collections/snapshot-batches.js';
import { type ListedSegment, logGrowth } from '../log-growth/log-growth.js';
import { isTimeSeries, losesByItself, segmentCollection, timeSeriesIndexes } from '../log-growth/log-segment.js';
import { logBatches, REJECTS_KEPT_MAX } from './log-batch.js';
import { type LogImportDocument, lineIdsAfter, logImports, logRejects } from './log-import.js';

export interface LogImportViolation {
  readonly invariant:
    | 'import-lines-are-sum-of-batches'
    | 'import-requests-are-sum-of-batches'
    | 'import-hits-are-sum-of-batches'
    | 'import-bytes-are-sum-of-batches'
    | 'ended-import-has-counted-all-hits'
    | 'import-lines-are-imported-or-rejected'
    | 'import-rejects-are-stored'
    | 'import-requests-are-stored';
  readonly import: string;
  readonly expected: number;
  readonly found: number;
}

/** Reads the imports one by one and yields violations. Call it at rest, because it takes no snapshot. */
export async function* findLogImportViolations(
  db: Db,
  visited: Visited = visitOnly,
): AsyncGenerator<LogImportViolation> {
  const { segments = [] } = (await logGrowth(db).findOne({ _id: 'log' })) ?? {};
  for await (const document of logImports(db)
    .find({ _id: { $gt: '' } })
    .sort({ _id: 1 })) {
    for (const [invariant, expected, found] of await figuresOf(db, document, segments)) {
      if (expected !== found) yield { invariant, import: document._id, expected, found };
    }
    await visited(1);
  }
}

type Figure = [invariant: LogImportViolation['invariant'], expected: number, found: number];

async function figuresOf(
  db: Db,
  { _id, state, lines, imported, hits, rejected, bytes_read }: LogImportDocument,
  segments: readonly ListedSegment[],
): Promise<Figure[]> {
  const ofImport = { _id: lineIdsAfter(_id, 0) };
  const sums = { lines: 0, imported: 0, hits: 0, bytes: 0, uncounted: 0 };
  const stored = new Map<number, number>(); // requests of its batches, by segment
  for await (const batch of logBatches(db).find(ofImport)) {
    sums.lines += batch.lines;
    sums.imported += batch.imported;
    sums.bytes += batch.bytes;
    for (const { count } of batch.hits) sums.hits += count;
    if (batch.uncounted) sums.uncounted += 1;
    stored.set(batch.segment ?? 1, (stored.get(batch.segment ?? 1) ?? 0) + batch.imported);
  }
  return [
    ['import-lines-are-sum-of-batches', lines, sums.lines],
    ['import-requests-are-sum-of-batches', imported, sums.imported],
    ['import-hits-are-sum-of-batches', hits, sums.hits],
    ['ended-import-has-counted-all-hits', 0, state === 'FINISHED' || state === 'FAILED' ? sums.uncounted : 0],
    ['import-bytes-are-sum-of-batches', bytes_read, sums.bytes],
    ['import-lines-are-imported-or-rejected', lines, imported + rejected],
    ['import-rejects-are-stored', Math.min(rejected, REJECTS_KEPT_MAX), await logRejects(db).countDocuments(ofImport)],
    ...(await Promise.all(
      segments.map((segment) => storedRequests(db, _id, segment, stored.get(segment.number) ?? 0)),
    )),
  ];
}

/** A segment whose requests expire may have fewer than expected, but never more. */
async function storedRequests(db: Db, id: string, segment: ListedSegment, expected: number): Promise<Figure> {
  const found = await countRequests(db, id, segment);
  return ['import-requests-are-stored', losesByItself(segment) ? Math.min(expected, found) : expected, found];
}

async function countRequests(db: Db, id: string, segment: ListedSegment): Promise<number> {
  const collection = segmentCollection(db, segment);
  return isTimeSeries(segment)
    ? collection.countDocuments({ 'meta.import': id }, { hint: timeSeriesIndexes.batch })
    : collection.countDocuments({ _id: lineIdsAfter(id, 0) });
}
