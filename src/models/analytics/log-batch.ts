/**
 * `log.batches`: what each batch of an import stored, so that it can be taken back.
 * A batch is one transaction, in either direction: its requests, its rejects, its record with its hits and the import's progress are all
 * there or none. The hits are counted from the record afterwards (`log-batch-hits.ts`). The progress is written first, with the fencing token
 * in its filter: a holder whose lease was taken, or a second reading of the same lines, matches nothing and writes nothing. Where the log's
 * active segment takes no part in transactions, the requests go before the rest: `log-loose-batch.ts`.
 */
import { type ClientSession, type Db, MongoServerError, type UpdateFilter } from 'mongodb';
import {
  COLLECTION_UUID_MISMATCH,
  commitConcernOf,
  defineCollection,
  insertInTransaction,
  inTransaction,
} from '../../database/index.js';
import { BusyError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import type { BatchContent } from './log-batch-content.js';
import type { LooseBatch } from './log-form.js';
import { activeSegment, findGrowth, isActive } from './log-growth.js';
import { LeaseLostError, type LogImportDocument, lineId, lineIdsAfter, logImports, logRejects } from './log-import.js';
import type { RejectReason } from './log-line.js';
import { noteInFlight, removeLooseBatch, storeLooseBatch } from './log-loose-batch.js';
import { isTransactional, type LogSegment, segmentDatabase, segmentName } from './log-segment.js';
import { forgetUuid, learnUuid } from './log-write.js';

export interface BatchDocument {
  /** That of its first line. */
  _id: string;
  import: string;
  first_line: number;
  lines: number;
  imported: number;
  reject_reasons: Partial<Record<RejectReason, number>>;
  /** Where it begins in the file, unpacked. */
  from_bytes: number;
  bytes: number;
  /** A last line without a line feed. */
  tail: boolean;
  /** Summed for each page and minute, in the order of pages. */
  hits: { page: string; at: Date; count: number }[];
  /** How many of `hits` are in the counters, from the first on. Absent: all, as it was when a batch was counted as a whole. */
  counted?: number;
  /** While they are not all counted. */
  uncounted?: true;
  /** Of the lease under which they were last counted or taken out. */
  counted_by?: number;
  /** The number of the segment that its requests went to. Absent: the first, since there was no other. */
  segment?: number;
  /** Of a batch that was not stored in one transaction: of the lease under which its requests were stored. */
  token?: number;
}

export const logBatches = defineCollection<BatchDocument>('log.batches', [
  { key: { import: 1, _id: 1 }, partialFilterExpression: { uncounted: true } }, // log-batch-hits.ts: what is not counted yet
]);

export const REJECTS_KEPT_MAX = 10_000;
const ATTEMPTS_MAX = 5;

/** The import as its holder knows it: as the last write of its work left it. */
export type Held = Readonly<LogImportDocument>;

export interface StoredBatch {
  /** The import after it. */
  readonly held: LogImportDocument;
  readonly record: BatchDocument;
}

/**
 * Stores a batch; its hits are to be counted next. A repeat after an unknown outcome throws LeaseLostError if the first had succeeded.
 * @param meanwhile called when the database has begun with the largest write: there is time for the next batch
 * @throws LeaseLostError
 */
export async function storeBatch(
  db: Db,
  held: Held,
  content: BatchContent,
  meanwhile: () => void = () => undefined,
): Promise<StoredBatch> {
  const { batch, events } = content;
  if (batch.from.lines !== held.lines) throw new Error(`Line ${batch.firstLine} does not follow line ${held.lines}`);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const segment = activeSegment(await findGrowth(db));
    if (isTransactional(segment)) {
      const stored = await storeTogether(db, held, content, segment, meanwhile);
      if (stored) return stored;
    } else {
      const loose = { import: held._id, first_line: batch.firstLine, token: held.token };
      const noted = await noteInFlight(db, held, segment, batch.firstLine);
      failpoint('log.batch.in-flight');
      if (await storeLooseBatch(db, held.options.durability, segment, events, loose, meanwhile)) {
        failpoint('log.batch.loose-events-stored');
        return recordLoose(db, noted, content, segment, loose);
      }
    }
  }
  throw new BusyError('The growth of the log changes too quickly');
}

/** The segment takes nothing any more. */
class SegmentClosedError extends Error {
  override name = 'SegmentClosedError';
}

/**
 * All of a batch in one transaction, the growth of the log with it: the segment is the active one at the time of the transaction's
 * snapshot, and is not dropped for much longer than a transaction may last.
 * @returns null when the segment is not the active one any more, and then nothing is written
 */
async function storeTogether(
  db: Db,
  held: Held,
  content: BatchContent,
  segment: LogSegment,
  meanwhile: () => void,
): Promise<StoredBatch | null> {
  const uuid = await learnUuid(db, segment);
  const record: BatchDocument = { ...recordOf(held, content), segment: segment.number };
  const work = async (session: ClientSession) => {
    const moved = await moveProgress(db, held, record, 1, progressOf(content), session);
    if (!isActive(await findGrowth(db, session), segment)) throw new SegmentClosedError();
    const inserted = insertInTransaction(
      segmentDatabase(db, segment),
      segmentName(segment),
      content.events,
      session,
      uuid,
    );
    meanwhile();
    await inserted;
    failpoint('log.batch.events-inserted');
    await insertRecord(db, held, content, record, session);
    return moved;
  };
  try {
    const { value } = await inTransaction(db, commitConcernOf[held.options.durability], work);
    failpoint('log.batch.committed');
    return { held: value, record };
  } catch (error) {
    const gone = error instanceof MongoServerError && error.code === COLLECTION_UUID_MISMATCH;
    if (gone) forgetUuid(db, segment);
    if (gone || error instanceof SegmentClosedError) return null;
    throw error;
  }
}

/** The rest of a batch whose requests are stored. @throws LeaseLostError */
async function recordLoose(
  db: Db,
  held: Held,
  content: BatchContent,
  segment: LogSegment,
  loose: LooseBatch,
): Promise<StoredBatch> {
  const record: BatchDocument = { ...recordOf(held, content), segment: segment.number, token: loose.token };
  const work = async (session: ClientSession) => {
    const moved = await moveProgress(db, held, record, 1, progressOf(content), session);
    await insertRecord(db, held, content, record, session);
    return moved;
  };
  try {
    const { value } = await inTransaction(db, commitConcernOf[held.options.durability], work);
    failpoint('log.batch.loose-committed');
    return { held: value, record };
  } catch (error) {
    // Somebody else stores these lines: what went in under this lease is taken out, unless it is counted after all.
    const isCounted = { _id: record._id, token: loose.token };
    if (error instanceof LeaseLostError && !(await logBatches(db).findOne(isCounted, { projection: { _id: 1 } })))
      await removeLooseBatch(db, segment, loose);
    throw error;
  }
}

function progressOf({ batch, expectedBytes }: BatchContent): UpdateFilter<LogImportDocument> {
  const expected = expectedBytes ? { bytes_expected: expectedBytes } : {};
  return {
    $set: batch.isTail
      ? { ...expected, bytes_read: batch.to.bytes, tail: { bytes: batch.to.bytes, sha256: batch.to.sha256 } }
      : { ...expected, bytes_read: batch.to.bytes, checkpoint: batch.to },
    $unset: { in_flight: '' },
  };
}

async function insertRecord(
  db: Db,
  held: Held,
  { rejects }: BatchContent,
  record: BatchDocument,
  session: ClientSession,
): Promise<void> {
  const kept = rejects.slice(0, Math.max(0, REJECTS_KEPT_MAX - held.rejected));
  if (kept.length > 0) await logRejects(db).insertMany(kept, { session, ordered: false });
  await logBatches(db).insertOne(record, { session });
}

/** The last batches of an import, the last one first. */
export function findLastBatches(db: Db, importId: string, max: number): Promise<BatchDocument[]> {
  return logBatches(db)
    .find({ _id: lineIdsAfter(importId, 0) })
    .sort({ _id: -1 })
    .limit(max)
    .toArray();
}

/** Adds the batch's counts to the import's, or takes them away. */
export async function moveProgress(
  db: Db,
  { _id, token, lines }: Held,
  record: BatchDocument,
  sign: 1 | -1,
  change: UpdateFilter<LogImportDocument>,
  session: ClientSession,
): Promise<LogImportDocument> {
  const rejected = record.lines - record.imported;
  const counts: Record<string, number> = {
    lines: sign * record.lines,
    imported: sign * record.imported,
    hits: sign * sumOf(record.hits),
    rejected: sign * rejected,
  };
  for (const [reason, count] of Object.entries(record.reject_reasons))
    counts[`reject_reasons.${reason}`] = sign * count;
  const moved = await logImports(db).findOneAndUpdate(
    { _id, token, lines }, // guard: nobody has taken the import up since, and nobody has moved it from where we know it
    { ...change, $unset: { ...change.$unset, delay: '' }, $inc: counts },
    { session, returnDocument: 'after' },
  );
  if (!moved) throw new LeaseLostError(`The import ${_id} was taken up by somebody else`);
  return moved;
}

function recordOf({ _id: importId, token }: Held, { batch, events, rejects, hits }: BatchContent): BatchDocument {
  const reasons: Partial<Record<RejectReason, number>> = {};
  for (const { reason } of rejects) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    _id: lineId(importId, batch.firstLine),
    import: importId,
    first_line: batch.firstLine,
    lines: batch.lines.length,
    imported: events.length,
    reject_reasons: reasons,
    from_bytes: batch.from.bytes,
    bytes: batch.to.bytes - batch.from.bytes,
    tail: batch.isTail,
    hits: hits.map(({ page, at, count }) => ({ page, at, count })),
    counted: 0,
    ...(hits.length > 0 ? { uncounted: true } : {}),
    counted_by: token,
  };
}

const sumOf = (hits: readonly { count: number }[]): number => hits.reduce((sum, { count }) => sum + count, 0);
