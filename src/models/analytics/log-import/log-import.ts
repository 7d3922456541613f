/**
 * Imports of access logs: file, progress and result.
 * A file is identified by its site and the SHA-256 of its first line, and verified by the SHA-256 of everything read (`log-identity.ts`).
 * Invariant, at every moment: the counts of an import are the sums over its `log.batches`, and its stored requests and kept rejects match
 * them, because one transaction writes them all (`log-batch.ts`; for segments without transactions see `log-loose-batch.ts`). The hits are
 * counted shortly afterwards from the batches (`log-batch-hits.ts`), all of them by the time the import has ended.
 */
import type { Db, Filter, ObjectId } from 'mongodb';
import {
  commitConcernOf,
  type Durability,
  defineCollection,
  defineDocumentFeed,
  findNewestFirst,
  inTransaction,
  LeaseLostError,
} from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { type Act, recordAct } from '../../people/audit.js';
import type { LogFormat, RejectReason } from '../log/log-line.js';
import { normalizeHost } from '../sites/site.js';
import type { Checkpoint } from './log-reader.js';

export type LogImportState = 'WAITING' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'UNDOING' | 'UNDONE';

/** Fixed when the import is created, so that a file continued later is read in the same way. */
export interface LogImportOptions {
  durability: Durability;
  count_hits: boolean;
  leave_out_robots: boolean;
  /** If omitted, each line may have either format. */
  format?: LogFormat | undefined;
}

export interface LogImportDocument {
  /** Derived from the site, the first line and the number of earlier imports with the same (`log-identity.ts`). */
  _id: string;
  site: string;
  /** SHA-256 in hex. */
  first_line: string;
  state: LogImportState;
  file_name: string;
  options: LogImportOptions;
  created_at: Date;
  /** Uploaded files (`log.files`) to read, in this order. Empty when a command reads the file. */
  files: ObjectId[];
  /** The fencing token of the latest lease holder. The filter of every write contains it. */
  token: number;
  checkpoint: Checkpoint;
  /** If the last line was read without a line feed: everything up to its end. It is read again when the file has grown. */
  tail?: { bytes: number; sha256: string };
  /** A batch being stored in, or undone from, a segment without transactions, by the lease holder with this token. */
  in_flight?: { segment: number; first_line: number; token: number };
  bytes_read: number;
  /** Absent while unknown. */
  bytes_total?: number;
  /** The expected uncompressed size of a compressed file. */
  bytes_expected?: number;
  lines: number;
  /** The number of lines when undo started. */
  lines_before?: number;
  imported: number;
  hits: number;
  rejected: number;
  reject_reasons: Partial<Record<RejectReason, number>>;
  started_at?: Date;
  finished_at?: Date;
  failure?: string;
  /** Why it is stalled. Its worker keeps retrying. */
  delay?: string;
}

export const logImports = defineCollection<LogImportDocument>('log.imports', [
  { key: { site: 1, created_at: -1, _id: -1 } }, // findLogImports
  { key: { site: 1, first_line: 1 } }, // log-identity.ts: imports of a file
  { key: { state: 1 } }, // findUnfinished
  { key: { files: 1 } }, // log-file.ts: whether an uploaded file still has to be read
]);

/** An import, followed live: the current state, then the state after every batch. */
export const logImportFeed = defineDocumentFeed('log-import', logImports, 'No import has this id');

export interface RejectedLineDocument {
  /** The `_id` that the line's request would have had (`lineId`). */
  _id: string;
  import: string;
  line: number;
  reason: RejectReason;
  /** At most 4096 bytes in UTF-8. */
  raw: string;
}

/** The first 10,000 of each import. */
export const logRejects = defineCollection<RejectedLineDocument>('log.rejects');

export { LeaseLostError }; // thrown by every write of an import when another worker has taken over

const LINE_DIGITS = 12; // fixed width, so that ids sort like line numbers

/** The `_id` of a line's document, here and in `log.events`, so that a line cannot be stored twice. */
export function lineId(importId: string, line: number): string {
  return `${importId}.${String(line).padStart(LINE_DIGITS, '0')}`;
}

/** The range of `_id`s of an import's lines after `line`. */
export function lineIdsAfter(importId: string, line: number): { $gt: string; $lt: string } {
  return { $gt: lineId(importId, line), $lt: `${importId}/` }; // the slash follows the dot
}

export function findLogImport(db: Db, id: string): Promise<LogImportDocument | null> {
  return logImports(db).findOne({ _id: id });
}

const IMPORTS_FIRST_MAX = 100;
const REJECTS_FIRST_MAX = 500;

/** The imports of a site, newest first. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findLogImports(db: Db, site: string, page: PageInput): Promise<Connection<LogImportDocument>> {
  requireFirst(page.first, IMPORTS_FIRST_MAX);
  const host = normalizeHost('site', site);
  const read = (filter: Filter<LogImportDocument>, limit: number) =>
    logImports(db).find(filter).sort({ created_at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list: `imports ${host}`, moment: 'created_at', filter: { site: host }, read }, page);
}

/** The kept rejects of an import, sorted by line number. @throws LimitError `first` exceeds 500 @throws CursorError */
export async function findRejectedLines(
  db: Db,
  importId: string,
  { first, after }: PageInput,
): Promise<Connection<RejectedLineDocument>> {
  requireFirst(first, REJECTS_FIRST_MAX);
  const list = `rejects ${importId}`;
  const [line] = after ? (decodePosition(list, after, ['number']) as [number]) : [0];
  const found = await logRejects(db)
    .find({ _id: lineIdsAfter(importId, line) })
    .sort({ _id: 1 })
    .limit(first + 1)
    .toArray();
  return toConnection(found, first, (reject) => encodePosition(list, [reject.line]));
}

/** The stored or undone share, from 0 to 1. Null while unknown. */
export function progressOf(document: LogImportDocument): number | null {
  const { state, lines, lines_before, bytes_read, bytes_total, bytes_expected } = document;
  if (state === 'UNDOING') return lines_before ? 1 - lines / lines_before : null;
  if (state === 'FINISHED' || state === 'UNDONE') return 1;
  const size = bytes_total ?? bytes_expected;
  return size ? Math.min(1, bytes_read / size) : null;
}

/** Notes why an import is stalled. The next stored or undone batch removes the note. */
export async function noteDelay(
  db: Db,
  { _id, token }: Pick<LogImportDocument, '_id' | 'token'>,
  delay: string,
): Promise<void> {
  await logImports(db).updateOne({ _id, token, state: { $in: ['RUNNING', 'UNDOING'] } }, { $set: { delay } }); // guard: only by its holder
}

/** Unfinished imports, whose worker may have died. At most `max`. */
export function findUnfinished(db: Db, max: number): Promise<LogImportDocument[]> {
  return logImports(db)
    .find({ state: { $in: ['WAITING', 'RUNNING', 'UNDOING'] } })
    .limit(max)
    .toArray();
}

/**
 * Marks an import to be undone, which `LogImporter` then does. An import already undone is returned unchanged.
 * @returns the import, or a refusal if nothing has changed
 */
export async function requestUndo(
  db: Db,
  act: Act,
  id: string,
): Promise<LogImportDocument | Refusal<'LogImportNotFound'> | Refusal<'LogImportBusy', { import: LogImportDocument }>> {
  const { value: marked } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const found = await logImports(db).findOneAndUpdate(
      { _id: id, state: { $in: ['FINISHED', 'FAILED'] } }, // guard: it is not being read, and from here on it cannot be
      [{ $set: { state: 'UNDOING', lines_before: '$lines' } }, { $unset: ['failure'] }],
      { session, returnDocument: 'after' },
    );
    if (found) {
      const deed = { action: 'LOG_IMPORT_UNDONE', subject: found.file_name, detail: found.site } as const;
      await recordAct(db, session, act, deed);
    }
    return found;
  });
  if (marked) return marked;
  const found = await findLogImport(db, id);
  if (!found) return refuse('LogImportNotFound', 'No import has this id');
  if (found.state === 'UNDONE') return found;
  const doing = found.state === 'UNDOING' ? 'already being undone' : 'still running';
  return refuse('LogImportBusy', `The import is ${doing}`, { import: found });
}
