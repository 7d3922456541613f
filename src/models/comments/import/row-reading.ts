/** The first part of an import: every row of the file is read, checked as far as it does not depend on comments, and staged. */
import { failpoint } from '../../../shared/failpoint.js';
import { type RejectedRow, recordRows } from '../../system/work/data-import.js';
import { type FileLine, readLines } from '../../system/work/file-lines.js';
import type { RowPosition } from '../../system/work/rows/row-error.js';
import { fieldsOfLine, isEmptyLine, rawOf } from '../../system/work/rows/row-line.js';
import type { HeldWork } from '../../work.js';
import { type CommentRow, RowError, readCommentRow } from './comment-row.js';
import type { Places } from './places.js';
import { findStaged, type StagedRow, stagedId, stagedRows } from './staged-row.js';

export interface ReadPosition extends RowPosition {
  /** Once the whole file is staged. */
  readonly isRead?: true;
}

/** A transaction of some 100 ms, which nobody waits for. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;

interface ReadRow {
  readonly line: number;
  readonly raw: string;
  readonly row: CommentRow | RowError;
  /** After it. */
  readonly position: RowPosition;
}

/** Stages the rows of the file from a position on, and notes the end. */
export async function stageRows(held: HeldWork, places: Places, from: ReadPosition): Promise<void> {
  let batch: ReadRow[] = [];
  let [bytes, end]: [number, RowPosition] = [0, from];
  for await (const read of readRows(held, from)) {
    batch.push(read);
    bytes += read.position.bytes - end.bytes;
    end = read.position;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    await stageBatch(held, places, batch, end);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) await stageBatch(held, places, batch, end);
  await held.step({ position: { ...end, isRead: true } satisfies ReadPosition, total: end.rows });
}

async function* readRows(held: HeldWork, from: RowPosition): AsyncGenerator<ReadRow, undefined> {
  let { rows } = from;
  for await (const line of readLines(held.db, held.work._id, from)) {
    if (isEmptyLine(line)) continue;
    rows += 1;
    const position = { rows, lines: line.line, bytes: line.end };
    yield { line: line.line, raw: rawOf(line), row: parsed(line, held.now()), position };
  }
}

function parsed(line: FileLine, now: Date): CommentRow | RowError {
  try {
    return readCommentRow(fieldsOfLine(line), now);
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}

async function stageBatch(
  held: HeldWork,
  places: Places,
  batch: readonly ReadRow[],
  position: RowPosition,
): Promise<void> {
  const { db, work } = held;
  const rejects: RejectedRow[] = [];
  const fit: StagedRow[] = [];
  for (const read of batch) {
    const staged = read.row instanceof RowError ? read.row : await stagedOf(work._id, places, read, read.row);
    if (staged instanceof RowError) rejects.push(rejectedRow(read, staged));
    else fit.push(staged);
  }
  await recordRows(held, async (session) => {
    const ids = fit.map(({ _id }) => _id);
    const before = new Map((await findStaged(db, ids, session)).map((row) => [row._id, row]));
    const added: StagedRow[] = [];
    const again: RejectedRow[] = [];
    let skipped = 0;
    for (const row of fit) {
      const other = before.get(row._id);
      if (!other) added.push(row);
      else if (saysTheSame(row, other)) skipped += 1;
      else again.push({ row: row.row, line: row.line, reason: 'ID_TAKEN', field: 'id', raw: row.raw });
      before.set(row._id, other ?? row);
    }
    if (added.length > 0) await stagedRows(db).insertMany(added, { session });
    return { position, imported: 0, skipped, rejects: [...rejects, ...again], isGoingOn: fit.length > 0 };
  });
  failpoint('comment.import-staged');
}

async function stagedOf(
  work: string,
  places: Places,
  { line, raw, position }: ReadRow,
  row: CommentRow,
): Promise<StagedRow | RowError> {
  const subject = await places.find(row.on);
  if (!subject) return new RowError('NO_COMMENTABLE', 'on');
  const { discussion } = subject;
  const { id, replyTo, author, authorId, postedAt, editedAt, text, state } = row;
  return {
    _id: stagedId(work, discussion, id),
    work,
    discussion,
    posted: postedAt,
    wait: 0,
    row: position.rows,
    line,
    raw,
    id,
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(author !== undefined && { author }),
    ...(authorId !== undefined && { author_id: authorId }),
    ...(editedAt && { edited: editedAt }),
    text,
    state,
  };
}

const saysTheSame = (one: StagedRow, other: StagedRow): boolean =>
  one.text === other.text && one.posted.getTime() === other.posted.getTime() && one.reply_to === other.reply_to;

const rejectedRow = ({ line, raw, position }: ReadRow, { reason, field }: RowError): RejectedRow => ({
  row: position.rows,
  line,
  reason,
  field,
  raw,
});
