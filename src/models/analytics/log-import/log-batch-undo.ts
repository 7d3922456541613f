/** Undoing batches of an import, and settling what a previous holder left unfinished. See `log-batch.ts` and `log-loose-batch.ts`. */
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { findGrowth, type ListedSegment } from '../log-growth/log-growth.js';
import { type LogEventDocument, type LogSegment, segmentCollection } from '../log-growth/log-segment.js';
import { type BatchDocument, findLastBatches, type Held, logBatches, moveProgress } from './log-batch.js';
import type { HitCounting } from './log-batch-hits.js';
import { type LogImportDocument, lineId, logRejects } from './log-import.js';
import { noteInFlight, removeLooseBatch } from './log-loose-batch.js';

/**
 * Undoes the import's last batch.
 * @returns the import afterwards; null when it has no batches left
 * @throws LeaseLostError, BusyError
 */
export async function undoLastBatch(db: Db, held: Held, hits: HitCounting): Promise<LogImportDocument | null> {
  for (;;) {
    const [record] = await findLastBatches(db, held._id, 1);
    if (!record) return null;
    const undone = await undoBatch(db, held, record, hits);
    if (undone) return undone;
  }
}

/** @returns null when a previous holder without a lease has counted some of its hits again meanwhile: start over with it */
async function undoBatch(
  db: Db,
  held: Held,
  record: BatchDocument,
  hits: HitCounting,
): Promise<LogImportDocument | null> {
  const { segment: number = 1, token } = record;
  // If the segment is no longer listed, its requests have expired.
  const segment = await findListed(db, number);
  if (segment && token !== undefined) {
    await noteInFlight(db, held, segment, record.first_line);
    failpoint('log.undo.in-flight');
    await removeLooseBatch(db, segment, { import: held._id, first_line: record.first_line, token });
    failpoint('log.undo.loose-events-deleted');
  }
  await hits.uncount(held, [record]);
  return remove(db, held, record, token === undefined ? segment : null);
}

/** @param segment to delete the requests from in the same transaction; null if they are already gone */
async function remove(db: Db, held: Held, record: BatchDocument, segment: LogSegment | null) {
  const lines = { $gte: record._id, $lt: lineId(held._id, record.first_line + record.lines) };
  const change: UpdateFilter<LogImportDocument> = {
    $set: { bytes_read: record.from_bytes },
    $unset: { in_flight: '', ...(record.tail ? { tail: '' } : {}) },
  };
  const work = async (session: ClientSession) => {
    const moved = await moveProgress(db, held, record, -1, change, session);
    if (segment) await segmentCollection<LogEventDocument>(db, segment).deleteMany({ _id: lines }, { session });
    failpoint('log.undo.events-deleted');
    await logRejects(db).deleteMany({ _id: lines }, { session });
    const uncounted = record.hits.length > 0 ? { counted: 0 } : {};
    // Guard: none of its hits are counted.
    const { deletedCount } = await logBatches(db).deleteOne({ _id: record._id, ...uncounted }, { session });
    if (deletedCount === 0) throw new CountedAgainError();
    return moved;
  };
  try {
    const { value } = await inTransaction(db, commitConcernOf[held.options.durability], work);
    failpoint('log.undo.committed');
    return value;
  } catch (error) {
    if (error instanceof CountedAgainError) return null;
    throw error;
  }
}

class CountedAgainError extends Error {
  override name = 'CountedAgainError';
}

/**
 * Settles what the previous holder left unfinished: a batch that was being undone is undone, and requests stored for a batch that was
 * not recorded are removed. The lines are then read again.
 * @throws LeaseLostError
 */
export async function settleInFlight(db: Db, held: Held, hits: HitCounting): Promise<LogImportDocument> {
  const { in_flight: left, _id } = held;
  if (!left) return held;
  if (await logBatches(db).findOne({ _id: lineId(_id, left.first_line) }, { projection: { _id: 1 } })) {
    return (await undoLastBatch(db, held, hits)) ?? held;
  }
  const segment = await findListed(db, left.segment);
  if (segment) await removeLooseBatch(db, segment, { import: _id, first_line: left.first_line, token: left.token });
  failpoint('log.batch.left-removed');
  const settled = await noteInFlight(db, held, null, left.first_line);
  failpoint('log.batch.left-settled');
  return settled;
}

async function findListed(db: Db, number: number): Promise<ListedSegment | null> {
  return (await findGrowth(db)).segments.find((segment) => segment.number === number) ?? null;
}
