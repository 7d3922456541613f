/**
 * `log.batches`: what each batch of an import stored, so that it can be undone.
 * A batch is one transaction, in either direction: its requests, its rejects, its record with its hits, and the import's progress are
 * written together or not at all. The hits are counted from the record afterwards (`log-batch-hits.ts`). The progress is written first,
 * with the fencing token in its filter: a holder that lost its lease, or a second reading of the same lines, matches nothing and writes
 * nothing. If the log's active segment does not support transactions, the requests are written first: `log-loose-batch.ts`.
 */
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import {
  commitConcernOf,
  defineCollection,
  insertInTransaction,
  inTransaction,
  isServerError,
} from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { LooseBatch } from '../log/log-form.js';
import type { RejectReason } from '../log/log-line.js';
import { forgetUuid, learnUuid } from '../log/log-write.js';
import { activeSegment, findGrowth, isActive } from '../log-growth/log-growth.js';
import { isTransactional, type LogSegment, segmentDatabase, segmentName } from '../log-growth/log-segment.js';
import type { BatchContent } from './log-batch-content.js';
import { LeaseLostError, type LogImportDocument, lineId, lineIdsAfter, logImports, logRejects } from './log-import.js';
import { noteInFlight, removeLooseBatch, storeLooseBatch } from './log-loose-batch.js';

export interface BatchDocument {
  /** The id of its first line. */
  _id: string;
  import: string;
  first_line: number;
  lines: number;
  imported: number;
  reject_reasons: Partial<Record<RejectReason, number>>;
  /** Its start in the uncompressed file. */
  from_bytes: number;
  bytes: number;
  /** Whether it is a last line without a line feed. */
  tail: boolean;
  /** Summed per page and minute, sorted by page. */
  hits: { page: string; at: Date; count: number }[];
  /** How many of `hits` are in the counters, from the first on. Absent in records from before hits were counted in parts: all are. */
  counted?: number;
  /** Set while they are not all counted. */
  uncounted?: true;
  /** The token of the lease under which they were last counted or undone. */
  counted_by?: number;
  /** The number of the segment that holds its requests. Absent in records from before there were several: the first. */
  segment?: number;
  /** Only for a batch not stored in one transaction: the token of the lease under which its requests were stored. */
  token?: number;
}

export const logBatches = defineCollection<BatchDocument>('log.batches', [
  { key: { import: 1, _id: 1 }, partialFilterExpression: { uncounted: true } }, // log-batch-hits.ts: uncounted batches
]);

export const REJECTS_KEPT_MAX = 10_000;
const ATTEMPTS_MAX = 5;

/** The import as its holder knows it, after its last write. */
export type Held = Readonly<LogImportDocument>;

export interface StoredBatch {
  /** The import afterwards. */
  readonly held: LogImportDocument;
  readonly record: BatchDocument;
}

/**
 * Stores a batch, whose hits are counted afterwards. A retry after an unknown outcome throws LeaseLostError if the first succeeded.
 * @param meanwhile called when the largest write has been sent, so that the next batch can be prepared
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
  throw new BusyError('The growth settings of the log are changing too quickly');
}

/** The segment accepts no more requests. */
class SegmentClosedError extends Error {
  override name = 'SegmentClosedError';
}

/**
 * Stores a batch in one transaction that also reads the growth of the log: the segment is the active one in the transaction's snapshot,
 * and it is not dropped until long after the transaction must have ended.
 * @returns null, with nothing written, when the segment is no longer the active one
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
    const gone = isServerError(error, 'collectionReplaced');
    if (gone) forgetUuid(db, segment);
    if (gone || error instanceof SegmentClosedError) return null;
    throw error;
  }
}

/** Stores the rest of a batch whose requests are stored. @throws LeaseLostError */
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
    // Another holder stores these lines. Requests stored under this lease are removed, unless they were recorded after all.
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

/** The last batches of an import, last first. */
export function findLastBatches(db: Db, importId: string, max: number): Promise<BatchDocument[]> {
  return logBatches(db)
    .find({ _id: lineIdsAfter(importId, 0) })
    .sort({ _id: -1 })
    .limit(max)
    .toArray();
}

/** Adds the batch's counts to the import, or subtracts them. */
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
    { _id, token, lines }, // guard: no later holder, and the progress is the one we know
    { ...change, $unset: { ...change.$unset, delay: '' }, $inc: counts },
    { session, returnDocument: 'after' },
  );
  if (!moved) throw new LeaseLostError(`The import ${_id} was taken over by another worker`);
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
