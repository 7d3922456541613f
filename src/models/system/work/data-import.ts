/** Imports: background work that stores or rejects the rows of a file. The rejected rows are kept for the user. */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { type HeldWork, type WorkDocument, WorkFailure, type WorkKind, type WorkStep } from '../../work.js';

export interface RejectedRow {
  /** Its number among the rows of the file, starting at 1. */
  readonly row: number;
  /** The line of the file on which it starts, starting at 1. */
  readonly line: number;
  /** One of the `rejectReasons` of the kind of import. */
  readonly reason: string;
  /** The field that is wrong, as it is named in the file. Null or absent if it is about the whole row. */
  readonly field?: string | null;
  /** The row as it was read. Stored up to RAW_BYTES_MAX. */
  readonly raw: string;
}

interface RejectedRowDocument extends RejectedRow {
  /** See `rowId`. */
  _id: string;
}

/** The first REJECTS_KEPT_MAX of each import. */
export const workRejects = defineCollection<RejectedRowDocument>('work.rejects');

const REJECTS_KEPT_MAX = 10_000;
const RAW_BYTES_MAX = 4096;
const FIRST_MAX = 500;
const ROW_DIGITS = 12; // fixed width, so that ids sort like row numbers
/** An import of which nothing can be read ends after this many rows. */
const UNREADABLE_ROWS_MAX = 1000;

const rowId = (work: string, row: number): string => `${work}.${String(row).padStart(ROW_DIGITS, '0')}`;
const rowIdsAfter = (work: string, row: number) => ({ $gt: rowId(work, row), $lt: `${work}/` }); // the slash follows the dot

export interface RowsStep extends Pick<WorkStep, 'position' | 'total'> {
  /** The number of rows that it stores. */
  readonly imported: number;
  /** The number of rows that were stored before, by another import of the same file. */
  readonly skipped?: number;
  readonly rejects: readonly RejectedRow[];
  /** Rows were fit to be stored, which happens in a later step. */
  readonly isGoingOn?: boolean;
}

/**
 * Records some rows of an import.
 * @param write stores rows, and returns what became of them
 * @throws WorkFailure none of the first 1,000 rows could be stored @throws as `HeldWork.step`
 */
export async function recordRows(held: HeldWork, write: (session: ClientSession) => Promise<RowsStep>): Promise<void> {
  const { _id, rejected: before = 0 } = held.work;
  let isHopeful = false;
  await held.step(async (session) => {
    const { position, total, imported, skipped = 0, rejects, isGoingOn = false } = await write(session);
    isHopeful = isGoingOn;
    const kept = rejects.slice(0, Math.max(0, REJECTS_KEPT_MAX - before)).map((reject) => toDocument(_id, reject));
    if (kept.length > 0) await workRejects(held.db).insertMany(kept, { session, ordered: false });
    return {
      ...(position && { position }),
      ...(total !== undefined && { total }),
      done: imported + skipped + rejects.length,
      counts: { imported, skipped, rejected: rejects.length, ...countsOf(rejects) },
    };
  });
  const { imported, skipped, rejected = 0 } = held.work;
  if (!imported && !skipped && !isHopeful && rejected >= UNREADABLE_ROWS_MAX)
    throw new WorkFailure(`None of the first ${UNREADABLE_ROWS_MAX} rows could be imported`);
}

function countsOf(rejects: readonly RejectedRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of rejects) counts[`reject_reasons.${reason}`] = (counts[`reject_reasons.${reason}`] ?? 0) + 1;
  return counts;
}

const toDocument = (work: string, { row, line, reason, field, raw }: RejectedRow): RejectedRowDocument => ({
  _id: rowId(work, row),
  row,
  line,
  reason,
  ...(field && { field }),
  raw: shortened(raw),
});

/** Whole characters of at most RAW_BYTES_MAX in UTF-8. */
function shortened(raw: string): string {
  const bytes = Buffer.from(raw.slice(0, RAW_BYTES_MAX), 'utf8');
  if (bytes.length <= RAW_BYTES_MAX) return bytes.toString('utf8');
  let end = RAW_BYTES_MAX;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // not in the middle of a character
  return bytes.toString('utf8', 0, end);
}

/** The kept rejects of an import, in the order of the file. @throws LimitError `first` exceeds 500 @throws CursorError */
export async function findRejectedRows(
  db: Db,
  work: string,
  { first, after }: PageInput,
): Promise<Connection<RejectedRow>> {
  requireFirst(first, FIRST_MAX);
  const list = `rejects ${work}`;
  const [row] = after ? (decodePosition(list, after, ['number']) as [number]) : [0];
  const found = await workRejects(db)
    .find({ _id: rowIdsAfter(work, row) })
    .sort({ _id: 1 })
    .limit(first + 1)
    .toArray();
  return toConnection(found, first, (reject) => encodePosition(list, [reject.row]));
}

export async function removeRejects(db: Db, work: string): Promise<void> {
  await workRejects(db).deleteMany({ _id: rowIdsAfter(work, 0) });
}

/** A reason in words, as its kind of import declares it. */
export const reasonInWords = (
  kinds: readonly Pick<WorkKind, 'name' | 'rejectReasons'>[],
  { kind }: Pick<WorkDocument, 'kind'>,
  reason: string,
): string => kinds.find(({ name }) => name === kind)?.rejectReasons?.[reason] ?? reason;
