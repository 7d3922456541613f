/** Taking batches of an import back, and what a holder before has left half-way. See `log-batch.ts` and `log-loose-batch.ts`. */
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import { commitConcernOf, inTransaction, isSharded, updateInTransaction } from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { dailyHits, monthlyHits } from './hit.js';
import { statementsOf } from './hit-statements.js';
import { type BatchDocument, type Held, logBatches, moveProgress } from './log-batch.js';
import { findGrowth, type ListedSegment } from './log-growth.js';
import { type LogImportDocument, lineId, lineIdsAfter, logRejects } from './log-import.js';
import { noteInFlight, removeLooseBatch } from './log-loose-batch.js';
import { type LogEventDocument, type LogSegment, segmentCollection } from './log-segment.js';

/**
 * Takes the import's last batch back.
 * @returns the import after it; null when it has no batch left
 * @throws LeaseLostError
 */
export async function undoLastBatch(db: Db, held: Held): Promise<LogImportDocument | null> {
  const [record] = await logBatches(db)
    .find({ _id: lineIdsAfter(held._id, 0) })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  if (!record) return null;
  const { segment: number = 1, token } = record;
  // Gone from the list, its requests have aged out.
  const segment = await findListed(db, number);
  if (segment && token !== undefined) {
    await noteInFlight(db, held, segment, record.first_line);
    failpoint('log.undo.in-flight');
    await removeLooseBatch(db, segment, { import: held._id, first_line: record.first_line, token });
    failpoint('log.undo.loose-events-deleted');
  }
  return uncount(db, held, record, token === undefined ? segment : null);
}

/** @param segment that the requests are to be deleted from in the same transaction; null: they are gone */
async function uncount(db: Db, held: Held, record: BatchDocument, segment: LogSegment | null) {
  const lines = { $gte: record._id, $lt: lineId(held._id, record.first_line + record.lines) };
  const hits = record.hits.map(({ page, at, count }) => ({ site: held.site, page, at, count: -count }));
  const { daily, monthly } = statementsOf(hits, await isSharded(db.client));
  const change: UpdateFilter<LogImportDocument> = {
    $set: { bytes_read: record.from_bytes },
    $unset: { in_flight: '', ...(record.tail ? { tail: '' } : {}) },
  };
  const work = async (session: ClientSession) => {
    const moved = await moveProgress(db, held, record, -1, change, session);
    if (segment) await segmentCollection<LogEventDocument>(db, segment).deleteMany({ _id: lines }, { session });
    failpoint('log.undo.events-deleted');
    await updateInTransaction(db, dailyHits.collectionName, daily, session);
    await updateInTransaction(db, monthlyHits.collectionName, monthly, session);
    await logRejects(db).deleteMany({ _id: lines }, { session });
    await logBatches(db).deleteOne({ _id: record._id }, { session });
    return moved;
  };
  const options = { retryDuplicateKeys: true };
  const { value } = await inTransaction(db, commitConcernOf[held.options.durability], work, options);
  failpoint('log.undo.committed');
  return value;
}

/**
 * Brings to its end what the holder before has left half-way: a batch that was being taken back is taken back, and what was stored of
 * one that was not counted is taken out. The lines are then read again.
 * @throws LeaseLostError
 */
export async function settleInFlight(db: Db, held: Held): Promise<LogImportDocument> {
  const { in_flight: left, _id } = held;
  if (!left) return held;
  if (await logBatches(db).findOne({ _id: lineId(_id, left.first_line) }, { projection: { _id: 1 } })) {
    return (await undoLastBatch(db, held)) ?? held;
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
