/**
 * Imports of access logs: which file, how far, with what result.
 * A file is known by its site and the SHA-256 of its first line, and proven by the SHA-256 of all that was read of it (`log-identity.ts`).
 * Invariant, at every instant: the counts of an import are the sums over its `log.batches`, and so are its requests and its kept
 * rejects, since one transaction writes them all (`log-batch.ts`). Its hits are in the counters a moment later, as far as the batches say
 * (`log-batch-hits.ts`), and all of them when it has ended.
 */
import type { Db, Filter, ObjectId } from 'mongodb';
import {
  commitConcernOf,
  type Durability,
  defineCollection,
  findNewestFirst,
  inTransaction,
  LeaseLostError,
} from '../../database/index.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../shared/connection.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type Act, recordAct } from '../people/audit.js';
import type { LogFormat, RejectReason } from './log-line.js';
import type { Checkpoint } from './log-reader.js';
import { normaliseHost } from './site.js';

export type LogImportState = 'WAITING' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'UNDOING' | 'UNDONE';

/** Fixed when the import is made: a file that goes on later is read in the same way. */
export interface LogImportOptions {
  durability: Durability;
  count_hits: boolean;
  leave_out_robots: boolean;
  /** Left out: each line may have either form. */
  format?: LogFormat | undefined;
}

export interface LogImportDocument {
  /** From the site, the first line and how many imports had the same before (`log-identity.ts`). */
  _id: string;
  site: string;
  /** SHA-256 in hex. */
  first_line: string;
  state: LogImportState;
  file_name: string;
  options: LogImportOptions;
  created_at: Date;
  /** Uploaded files (`log.files`) to read, in this order. None when a command reads the file. */
  files: ObjectId[];
  /** The lease's fencing token of whoever took the import up last: every write of its work repeats it in the filter. */
  token: number;
  checkpoint: Checkpoint;
  /** The file's last line, when it was read without a line feed: everything up to its end. Read again when the file has grown. */
  tail?: { bytes: number; sha256: string };
  /** A batch that is being stored in a segment without transactions, or taken back from it: by whoever had the lease with this token. */
  in_flight?: { segment: number; first_line: number; token: number };
  bytes_read: number;
  /** Absent while it is not known. */
  bytes_total?: number;
  /** What the unpacked size of a packed file is likely to be. */
  bytes_expected?: number;
  lines: number;
  /** How many there were when it began to be taken back. */
  lines_before?: number;
  imported: number;
  hits: number;
  rejected: number;
  reject_reasons: Partial<Record<RejectReason, number>>;
  started_at?: Date;
  finished_at?: Date;
  failure?: string;
  /** Why it does not move at present; whoever works on it tries again. */
  delay?: string;
}

export const logImports = defineCollection<LogImportDocument>('log.imports', [
  { key: { site: 1, created_at: -1, _id: -1 } }, // findLogImports
  { key: { site: 1, first_line: 1 } }, // log-identity.ts: imports of a file
  { key: { state: 1 } }, // findUnfinished
  { key: { files: 1 } }, // log-file.ts: whether an uploaded file is still to be read
]);

export interface RejectedLineDocument {
  /** As that of the request that the line would have been. */
  _id: string;
  import: string;
  line: number;
  reason: RejectReason;
  /** At most 4096 bytes as UTF-8. */
  raw: string;
}

/** The first 10,000 of each import. */
export const logRejects = defineCollection<RejectedLineDocument>('log.rejects');

export { LeaseLostError }; // what every write of an import throws when somebody else has taken the work over

const LINE_DIGITS = 12; // fixed width, so that ids sort as lines do

/** The `_id` of what a line became, here and in `log.events`: a line cannot be stored twice. */
export function lineId(importId: string, line: number): string {
  return `${importId}.${String(line).padStart(LINE_DIGITS, '0')}`;
}

/** The `_id`s of an import's lines, from the one after `line` on. */
export function lineIdsAfter(importId: string, line: number): { $gt: string; $lt: string } {
  return { $gt: lineId(importId, line), $lt: `${importId}/` }; // the slash follows the dot
}

export function findLogImport(db: Db, id: string): Promise<LogImportDocument | null> {
  return logImports(db).findOne({ _id: id });
}

const IMPORTS_FIRST_MAX = 100;
const REJECTS_FIRST_MAX = 500;

/** The imports of a site, newest first. @throws LimitError `first` is over 100 @throws CursorError */
export async function findLogImports(db: Db, site: string, page: PageInput): Promise<Connection<LogImportDocument>> {
  requireFirst(page.first, IMPORTS_FIRST_MAX);
  const host = normaliseHost('site', site);
  const read = (filter: Filter<LogImportDocument>, limit: number) =>
    logImports(db).find(filter).sort({ created_at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list: `imports ${host}`, moment: 'created_at', filter: { site: host }, read }, page);
}

/** The kept rejects of an import by line number. @throws LimitError `first` is over 500 @throws CursorError */
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

/** How much is stored, or taken back, from 0 to 1. Null while it is not known. */
export function progressOf(document: LogImportDocument): number | null {
  const { state, lines, lines_before, bytes_read, bytes_total, bytes_expected } = document;
  if (state === 'UNDOING') return lines_before ? 1 - lines / lines_before : null;
  if (state === 'FINISHED' || state === 'UNDONE') return 1;
  const size = bytes_total ?? bytes_expected;
  return size ? Math.min(1, bytes_read / size) : null;
}

/** Notes why an import does not move. The next batch that is stored or taken back takes the note off. */
export async function noteDelay(
  db: Db,
  { _id, token }: Pick<LogImportDocument, '_id' | 'token'>,
  delay: string,
): Promise<void> {
  await logImports(db).updateOne({ _id, token, state: { $in: ['RUNNING', 'UNDOING'] } }, { $set: { delay } }); // guard: by its holder alone
}

/** Imports that somebody must go on with: a process that worked on one may have died. At most `max`. */
export function findUnfinished(db: Db, max: number): Promise<LogImportDocument[]> {
  return logImports(db)
    .find({ state: { $in: ['WAITING', 'RUNNING', 'UNDOING'] } })
    .limit(max)
    .toArray();
}

/**
 * Marks an import to be undone; `LogImporter.undo` then does it. An import that was undone is answered as it is.
 * @returns the import, or a refusal, and then nothing has changed
 */
export async function requestUndo(
  db: Db,
  act: Act,
  id: string,
): Promise<LogImportDocument | Refusal<'LogImportNotFound'> | Refusal<'LogImportBusy', { import: LogImportDocument }>> {
  const { value: marked } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const found = await logImports(db).findOneAndUpdate(
      { _id: id, state: { $in: ['FINISHED', 'FAILED'] } }, // guard: nobody reads it, and nobody can begin to from here on
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
  const doing = found.state === 'UNDOING' ? 'being undone already' : 'still being read';
  return refuse('LogImportBusy', `The import is ${doing}`, { import: found });
}
