/**
 * Batches of an import in a segment that takes no part in transactions: capped and time-series collections.
 *
 * The import notes that the batch is in flight, the requests go in, and one transaction then counts them and takes the note off. After a
 * crash in between, whoever takes the import up finds the note, takes out what went in, and reads the lines again. Taking back goes the
 * same way round: the note, the requests, the counts with the note.
 *
 * Nothing fences an insert. So each request carries the token of the lease under which it was stored: a holder that slept through its
 * lease and wrote all the same takes out what is its own when its transaction fails, and never what the next holder has stored.
 */
import type { Db } from 'mongodb';
import type { Durability } from '../../database/index.js';
import type { LooseBatch, StoredEvent } from './log-form.js';
import { LeaseLostError, type LogImportDocument, lineIdsAfter, logImports } from './log-import.js';
import { isTimeSeries, type LogEventDocument, type LogSegment, segmentCollection } from './log-segment.js';
import { areRead, insertInto } from './log-write.js';

/**
 * Notes that a batch is being stored in a segment, or taken back from it.
 * @param segment null: takes the note off
 * @throws LeaseLostError
 */
export async function noteInFlight(
  db: Db,
  { _id, token, lines }: Readonly<LogImportDocument>,
  segment: LogSegment | null,
  firstLine: number,
): Promise<LogImportDocument> {
  const noted = await logImports(db).findOneAndUpdate(
    { _id, token, lines }, // guard: nobody has taken the import up since, and nobody has moved it from where we know it
    segment
      ? { $set: { in_flight: { segment: segment.number, first_line: firstLine, token } } }
      : { $unset: { in_flight: '' } },
    { returnDocument: 'after', writeConcern: { w: 'majority' } },
  );
  if (!noted) throw new LeaseLostError(`The import ${_id} was taken up by somebody else`);
  return noted;
}

/** @returns false when the segment takes nothing any more */
export async function storeLooseBatch(
  db: Db,
  durability: Durability,
  segment: LogSegment,
  events: readonly LogEventDocument[],
  batch: LooseBatch,
  meanwhile: () => void,
): Promise<boolean> {
  if (events.length === 0) return true;
  const awaited = durability === 'FIRE_AND_FORGET' ? 'ACKNOWLEDGED' : durability; // what is counted must be there
  const inserting = insertInto(db, segment, events, awaited, batch);
  meanwhile();
  let refused = await inserting;
  if (refused?.some(({ code }) => code === 'CONFLICT')) {
    // Of a holder before, who wrote after its lease had been taken.
    await removeBefore(db, segment, batch);
    refused = await insertInto(db, segment, events, awaited, batch);
  }
  const [first] = refused?.filter(({ code }) => code !== 'CONFLICT') ?? []; // those are now our own
  if (first) throw new Error(`A request of the import ${batch.import} was not stored: ${first.message}`);
  return refused !== null && (await areRead(db, segment, events));
}

/** Takes out what was stored of a batch under one lease. May be repeated. */
export async function removeLooseBatch(db: Db, segment: LogSegment, batch: LooseBatch): Promise<void> {
  const { import: id, first_line, token } = batch;
  const filter = isTimeSeries(segment)
    ? { 'meta.import': id, 'meta.first_line': first_line, 'meta.token': token }
    : { _id: lineIdsAfter(id, first_line - 1), token };
  await segmentCollection<StoredEvent>(db, segment).deleteMany(filter);
}

/** Takes out what was stored of a capped collection's batch under earlier leases: nobody has counted it. */
async function removeBefore(db: Db, segment: LogSegment, { import: id, first_line, token }: LooseBatch): Promise<void> {
  await segmentCollection<StoredEvent & { token?: number }>(db, segment).deleteMany({
    _id: lineIdsAfter(id, first_line - 1),
    token: { $lt: token },
  });
}
