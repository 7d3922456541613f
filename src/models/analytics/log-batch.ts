/**
 * `log.batches`: what each batch of an import stored, so that it can be taken back.
 * A batch is one transaction, in either direction: its requests, its hits, its rejects, its record and the import's progress are
 * all there or none. The progress is written first, with the fencing token in its filter: a holder whose lease was taken, or a
 * second reading of the same lines, matches nothing and writes nothing.
 */
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import {
  commitConcernOf,
  defineCollection,
  insertInTransaction,
  inTransaction,
  isSharded,
  updateInTransaction,
} from '../../database/index.js';
import { failpoint } from '../../shared/failpoint.js';
import { dailyHits, monthlyHits } from './hit.js';
import { type HitStatements, statementsOf } from './hit-statements.js';
import type { BatchContent } from './log-batch-content.js';
import { type LogImportDocument, lineId, lineIdsAfter, logImports, logRejects } from './log-import.js';
import type { RejectReason } from './log-line.js';
import { logEvents } from './request-log.js';

interface BatchDocument {
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
  hits: { page: string; at: Date; count: number }[];
}

export const logBatches = defineCollection<BatchDocument>('log.batches');

/** Somebody else has taken the work over: stop, and change nothing. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export const REJECTS_KEPT_MAX = 10_000;

/** The import as its holder knows it: as the last write of its work left it. */
type Held = Readonly<LogImportDocument>;

/** A batch with the updates that count its hits: made while the database is busy with the batch before. */
export interface PreparedBatch {
  readonly content: BatchContent;
  readonly updates: HitStatements;
}

export function prepareBatch(content: BatchContent, sharded: boolean): PreparedBatch {
  return { content, updates: statementsOf(content.hits, sharded) };
}

/**
 * Stores a batch. A repeat after an unknown outcome throws LeaseLostError if the first had succeeded.
 * @param meanwhile called when the database has begun with the largest write: there is time for the next batch
 * @returns the import after it
 * @throws LeaseLostError
 */
export async function commitBatch(
  db: Db,
  held: Held,
  { content, updates }: PreparedBatch,
  meanwhile: () => void = () => undefined,
): Promise<LogImportDocument> {
  const { batch, events, rejects } = content;
  if (batch.from.lines !== held.lines) throw new Error(`Line ${batch.firstLine} does not follow line ${held.lines}`);
  const record = recordOf(held._id, content);
  const set: UpdateFilter<LogImportDocument>['$set'] = batch.isTail
    ? { bytes_read: batch.to.bytes, tail: { bytes: batch.to.bytes, sha256: batch.to.sha256 } }
    : { bytes_read: batch.to.bytes, checkpoint: batch.to };
  const kept = rejects.slice(0, Math.max(0, REJECTS_KEPT_MAX - held.rejected));
  const work = async (session: ClientSession) => {
    const moved = await moveProgress(db, held, record, 1, { $set: set }, session);
    const inserted = insertInTransaction(db, logEvents.collectionName, events, session);
    meanwhile();
    await inserted;
    failpoint('log.batch.events-inserted');
    await updateInTransaction(db, dailyHits.collectionName, updates.daily, session);
    failpoint('log.batch.days-counted');
    await updateInTransaction(db, monthlyHits.collectionName, updates.monthly, session);
    if (kept.length > 0) await logRejects(db).insertMany(kept, { session, ordered: false });
    await logBatches(db).insertOne(record, { session });
    return moved;
  };
  // Upserts of the same new hit document collide with those of other writers; the repeat finds it there.
  const { value } = await inTransaction(db, commitConcernOf[held.options.durability], work, {
    retryDuplicateKeys: true,
  });
  failpoint('log.batch.committed');
  return value;
}

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
  const lines = { $gte: record._id, $lt: lineId(held._id, record.first_line + record.lines) };
  const hits = record.hits.map(({ page, at, count }) => ({ site: held.site, page, at, count: -count }));
  const { daily, monthly } = statementsOf(hits, await isSharded(db.client));
  const change: UpdateFilter<LogImportDocument> = { $set: { bytes_read: record.from_bytes } };
  if (record.tail) change.$unset = { tail: '' };
  const work = async (session: ClientSession) => {
    const moved = await moveProgress(db, held, record, -1, change, session);
    await logEvents(db).deleteMany({ _id: lines }, { session });
    failpoint('log.undo.events-deleted');
    await updateInTransaction(db, dailyHits.collectionName, daily, session);
    await updateInTransaction(db, monthlyHits.collectionName, monthly, session);
    await logRejects(db).deleteMany({ _id: lines }, { session });
    await logBatches(db).deleteOne({ _id: record._id }, { session });
    return moved;
  };
  const { value } = await inTransaction(db, commitConcernOf[held.options.durability], work, {
    retryDuplicateKeys: true,
  });
  failpoint('log.undo.committed');
  return value;
}

/** Adds the batch's counts to the import's, or takes them away. */
async function moveProgress(
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
    { ...change, $inc: counts },
    { session, returnDocument: 'after' },
  );
  if (!moved) throw new LeaseLostError(`The import ${_id} was taken up by somebody else`);
  return moved;
}

function recordOf(importId: string, { batch, events, rejects, hits }: BatchContent): BatchDocument {
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
  };
}

const sumOf = (hits: readonly { count: number }[]): number => hits.reduce((sum, { count }) => sum + count, 0);
