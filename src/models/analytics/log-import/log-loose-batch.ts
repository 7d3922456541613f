/**
 * Batches of an import in a segment without transactions: capped and time-series collections.
 *
 * The import notes that the batch is in flight, the requests are inserted, and one transaction then counts them and removes the note.
 * After a crash in between, the next holder finds the note, removes the inserted requests, and reads the lines again. Undo uses the same
 * order: the note, the requests, then the counts with the note.
 *
 * Inserts cannot be fenced. So each request carries the token of the lease under which it was stored. A holder that was paused beyond its
 * lease and wrote anyway removes its own requests when its transaction fails, and never those of the next holder.
 */
import type { Db } from 'mongodb';
import type { Durability } from '../../../database/index.js';
import type { LooseBatch, StoredEvent } from '../log/log-form.js';
import { insertInto, keepReadable } from '../log/log-write.js';
import { isTimeSeries, type LogEventDocument, type LogSegment, segmentCollection } from '../log-growth/log-segment.js';
import { LeaseLostError, type LogImportDocument, lineIdsAfter, logImports } from './log-import.js';

/**
 * Notes that a batch is being stored in a segment, or undone.
 * @param segment null to remove the note
 * @throws LeaseLostError
 */
export async function noteInFlight(
  db: Db,
  { _id, token, lines }: Readonly<LogImportDocument>,
  segment: LogSegment | null,
  firstLine: number,
): Promise<LogImportDocument> {
  const noted = await logImports(db).findOneAndUpdate(
    { _id, token, lines }, // guard: no later holder, and the progress is the one we know
    segment
      ? { $set: { in_flight: { segment: segment.number, first_line: firstLine, token } } }
      : { $unset: { in_flight: '' } },
    { returnDocument: 'after' },
  );
  if (!noted) throw new LeaseLostError(`The import ${_id} was taken over by another worker`);
  return noted;
}

/** @returns false when the segment accepts no more requests */
export async function storeLooseBatch(
  db: Db,
  durability: Durability,
  segment: LogSegment,
  events: readonly LogEventDocument[],
  batch: LooseBatch,
  meanwhile: () => void,
): Promise<boolean> {
  if (events.length === 0) return true;
  const awaited = durability === 'FIRE_AND_FORGET' ? 'ACKNOWLEDGED' : durability; // counted requests must be stored
  const inserting = insertInto(db, segment, events, awaited, batch);
  meanwhile();
  let rejected = await inserting;
  if (rejected?.some(({ code }) => code === 'CONFLICT')) {
    // Requests of a previous holder, which wrote after losing its lease.
    await removeBefore(db, segment, batch);
    rejected = await insertInto(db, segment, events, awaited, batch);
  }
  const [first] = rejected?.filter(({ code }) => code !== 'CONFLICT') ?? []; // by now, any conflict is with a document of this batch
  if (first) throw new Error(`A request of the import ${batch.import} was not stored: ${first.message}`);
  return rejected !== null && (await keepReadable(db, segment, events));
}

/** Removes the requests of a batch stored under one lease. May be repeated. */
export async function removeLooseBatch(db: Db, segment: LogSegment, batch: LooseBatch): Promise<void> {
  const { import: id, first_line, token } = batch;
  const filter = isTimeSeries(segment)
    ? { 'meta.import': id, 'meta.first_line': first_line, 'meta.token': token }
    : { _id: lineIdsAfter(id, first_line - 1), token };
  await segmentCollection<StoredEvent>(db, segment).deleteMany(filter);
}

/** Removes the requests of a batch stored in a capped collection under earlier leases, which were never counted. */
async function removeBefore(db: Db, segment: LogSegment, { import: id, first_line, token }: LooseBatch): Promise<void> {
  await segmentCollection<StoredEvent & { token?: number }>(db, segment).deleteMany({
    _id: lineIdsAfter(id, first_line - 1),
    token: { $lt: token },
  });
}
