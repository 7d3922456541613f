/** The work on one import by the holder of its lease. The filter of every write contains the holder's token. */
import { setImmediate } from 'node:timers/promises';
import type { Db, Document, ObjectId } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS } from '../../../shared/time.js';
import type { KeptFields } from '../log/log-fields.js';
import { rejectReasons } from '../log/log-line.js';
import { findGrowth, keptFrom } from '../log-growth/log-growth.js';
import { noteSite } from '../sites/site.js';
import { type BatchDocument, findLastBatches, storeBatch } from './log-batch.js';
import { type BatchContent, contentOf } from './log-batch-content.js';
import { COUNTED_TOGETHER, type HitCounting } from './log-batch-hits.js';
import { settleInFlight, undoLastBatch } from './log-batch-undo.js';
import { findStoredFile, markFileRead } from './log-file.js';
import { enlistFile } from './log-identity.js';
import { LeaseLostError, type LogImportDocument, type LogImportState, logImports } from './log-import.js';
import { BATCH_LINES_MAX, ChangedFileError, type LineBatch, readBatches } from './log-reader.js';
import { LogFileError, type LogSource, openUnpacked, sha256OfLine } from './log-source.js';

export interface RunOptions {
  readonly hits: HitCounting;
  readonly now: () => Date;
  readonly keep: KeptFields;
  /** Called between batches. @throws to stop the run there */
  readonly between: (held: LogImportDocument) => void;
  /** Called when a file turns out to belong to another import, which then has to be run as well. */
  readonly onOther: (importId: string) => void;
}

/** The run was asked to stop. Completed work is kept, and the next run of the import continues from there. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}

/**
 * Takes over the import with a new lease.
 * @param source a file read by a command; without one the uploaded files are read
 * @returns null when there is nothing to do
 */
export function takeUp(
  db: Db,
  id: string,
  { token }: { readonly token: number },
  source: LogSource | null,
  now: Date,
): Promise<LogImportDocument | null> {
  const states: LogImportState[] = source ? ['WAITING', 'RUNNING', 'FAILED'] : ['WAITING', 'RUNNING', 'UNDOING'];
  return logImports(db).findOneAndUpdate(
    { _id: id, state: { $in: states }, token: { $lt: token } }, // guard: no later lease holder
    [
      {
        $set: {
          token,
          state: { $cond: [{ $eq: ['$state', 'UNDOING'] }, 'UNDOING', 'RUNNING'] },
          started_at: { $ifNull: ['$started_at', now] },
          finished_at: { $cond: [{ $eq: ['$state', 'UNDOING'] }, '$finished_at', '$$REMOVE'] },
        },
      },
      { $unset: ['failure', 'delay'] },
    ],
    { returnDocument: 'after' },
  );
}

/**
 * Reads the source, or the uploaded files of the import one after the other.
 * @returns the import afterwards, FINISHED or FAILED; WAITING when another file has arrived that only a server can read
 * @throws LeaseLostError, StoppedError
 */
export async function readImport(
  db: Db,
  taken: LogImportDocument,
  source: LogSource | null,
  options: RunOptions,
): Promise<LogImportDocument> {
  let held = await settleInFlight(db, taken, options.hits);
  await options.hits.countLeft(held);
  failpoint('log.import.left-counted');
  while (held.state === 'RUNNING') {
    const file = source ? null : (held.files[0] ?? null);
    const from = source ?? (file && (await findStoredFile(db, file)));
    if (!from) {
      held = await leaveFile(db, held, file, file ? FILE_GONE : READER_GONE, options.now());
      continue;
    }
    let failure: string | null = null;
    try {
      held = await readFile(db, held, from, options);
    } catch (error) {
      if (!(error instanceof LogFileError)) throw error;
      if (error instanceof ChangedFileError && file) await giveToAnother(db, held, from, file, options);
      else failure = error.message;
      held = await requireHeld(db, held); // with the batches stored so far
    }
    held = await leaveFile(db, held, file, failure, options.now());
  }
  return held;
}

const FILE_GONE = 'The uploaded file no longer exists. Import it again to continue';
const READER_GONE = 'The command that read the file has ended. Import the file again to continue';
const AHEAD_MS_MAX = DAY_MS; // as for single requests and hits: fast clocks, and local times logged as UTC

/**
 * Reads one file from the checkpoint on. While a batch is being stored, the next one is read and parsed, and the hits of the previous one
 * are counted. However it ends, even by an error, counting the hits of stored batches has finished or failed.
 */
async function readFile(
  db: Db,
  taken: LogImportDocument,
  source: LogSource,
  options: RunOptions,
): Promise<LogImportDocument> {
  // The last line was read without a line feed and may have grown, so it is read again.
  let held = taken.tail ? ((await undoLastBatch(db, taken, options.hits)) ?? taken) : taken;
  const { bytes, size, expectedSize } = await openUnpacked(source);
  if (size !== null) held = await change(db, held, [{ $set: { bytes_total: size } }]);
  const contents = readContents(db, held, bytes, options, size === null ? expectedSize : () => null);
  let uncounted: BatchDocument[] = [];
  let counting = Promise.resolve();
  const countRest = async () => {
    await contents.return(undefined); // closes the file
    await counting;
    await options.hits.count(held, uncounted);
  };
  try {
    for (let { value: content } = await contents.next(); content; ) {
      let next: ReturnType<typeof readAhead> | null = null;
      if (content.events.length > 0) await noteSite(db, held.site, options.now()); // a file that is not a log creates no site
      failpoint('log.import.site-noted');
      const stored = await storeBatch(db, held, content, () => {
        next ??= readAhead(contents); // once, no matter how often the transaction is retried
      });
      held = stored.held;
      uncounted.push(stored.record);
      if (uncounted.length >= COUNTED_TOGETHER) {
        await counting; // limits how much is stored but not counted
        counting = options.hits.count(held, uncounted);
        counting.catch(() => undefined); // awaited later
        uncounted = [];
      }
      requireSomethingReadable(held);
      options.between(held);
      ({ value: content } = await (next ?? contents.next()));
    }
  } catch (error) {
    await countRest().catch((late: unknown) => {
      if (endsImport(error)) throw late;
    });
    throw error; // the first error is the reason
  }
  await countRest();
  return held;
}

/** These errors may end the import. It must not end with uncounted hits, so a failure to count them takes precedence. */
const endsImport = (error: unknown): boolean => error instanceof LogFileError || error instanceof StoppedError;

async function* readContents(
  db: Db,
  held: LogImportDocument,
  bytes: AsyncIterable<Buffer>,
  { keep, now }: RunOptions,
  expectedSize: () => number | null,
): AsyncGenerator<BatchContent, undefined> {
  for await (const batch of readBatches(bytes, held.checkpoint)) {
    requireFirstLine(held, batch);
    const latestMs = now().getTime() + AHEAD_MS_MAX;
    const earliestMs = keptFrom(await findGrowth(db), now())?.getTime() ?? 0;
    yield { ...contentOf(held, batch, { keep, latestMs, earliestMs }), expectedBytes: expectedSize() };
  }
  return undefined;
}

/**
 * Content read earlier is verified by its SHA-256 (`readBatches`). Of an unread file, only the first line is known: after log rotation,
 * another file may have its name.
 * @throws ChangedFileError
 */
function requireFirstLine({ first_line }: LogImportDocument, { firstLine, lines: [line] }: LineBatch): void {
  if (firstLine > 1 || !line || sha256OfLine(line) === first_line) return;
  throw new ChangedFileError('The file has been replaced by another one. Import it again');
}

/** Starts reading after earlier commands have been sent. A failure is reported when the result is awaited. */
function readAhead(contents: AsyncGenerator<BatchContent, undefined>) {
  const next = setImmediate().then(() => contents.next());
  next.catch(() => undefined);
  return next;
}

/** @throws LogFileError none of the first lines can be parsed: wrong format or not a log. Lines that are too old count as parsed */
function requireSomethingReadable({ lines, imported, reject_reasons: reasons }: LogImportDocument): void {
  if (imported > 0 || lines < BATCH_LINES_MAX || reasons.OUTSIDE_WINDOW) return;
  const [commonest] = Object.entries(reasons).sort(([, left], [, right]) => right - left);
  const reason = rejectReasons[(commonest?.[0] ?? 'EMPTY') as keyof typeof rejectReasons];
  throw new LogFileError(`None of the first ${lines} lines can be read as an access log. ${reason}`);
}

/** The file differs from the one read so far, so it gets its own import. */
async function giveToAnother(
  db: Db,
  { site, options }: LogImportDocument,
  source: LogSource,
  file: ObjectId,
  { now, onOther }: RunOptions,
): Promise<void> {
  const enlisted = await enlistFile(db, source, { site, options, file }, now());
  failpoint('log.import.given-away'); // a retry finds the other import, which lists the file only once
  if ('document' in enlisted) onOther(enlisted.document._id);
}

/** Removes the file from the list, and ends the import if it was the last one. */
async function leaveFile(
  db: Db,
  held: LogImportDocument,
  file: ObjectId | null,
  failure: string | null,
  now: Date,
): Promise<LogImportDocument> {
  if (file) await markFileRead(db, file, now);
  const more = { $gt: [{ $size: '$files' }, 0] };
  return change(db, held, [
    { $set: { files: { $setDifference: ['$files', file ? [file] : []] } } },
    {
      $set: {
        // A command leaves uploaded files to a server.
        state: { $cond: [more, file ? 'RUNNING' : 'WAITING', failure ? 'FAILED' : 'FINISHED'] },
        ...(failure
          ? { failure: { $cond: [more, '$$REMOVE', { $literal: failure }] } }
          : { finished_at: { $cond: [more, '$$REMOVE', now] }, bytes_total: '$bytes_read' }),
      },
    },
    { $unset: ['delay'] },
  ]);
}

/** Ends the run before the end of the file. It continues when the import is run again. */
export function putDown(db: Db, held: LogImportDocument, source: LogSource | null): Promise<LogImportDocument> {
  const end = source
    ? { state: 'FAILED', failure: 'The import was stopped. Import the file again to continue' }
    : { state: 'WAITING' };
  return change(db, held, [{ $set: held.state === 'UNDOING' ? { state: 'UNDOING' } : end }, { $unset: ['delay'] }]);
}

/** Undoes all batches, last first. */
export async function undoImport(
  db: Db,
  taken: LogImportDocument,
  { between, hits }: RunOptions,
): Promise<LogImportDocument> {
  let held = await settleInFlight(db, taken, hits);
  for (;;) {
    const last = await findLastBatches(db, held._id, COUNTED_TOGETHER);
    if (last.length === 0) break;
    await hits.uncount(held, last); // together, as they were counted
    for (let left = last.length; left > 0; left -= 1) {
      held = (await undoLastBatch(db, held, hits)) ?? held;
      between(held);
    }
  }
  return change(db, held, [{ $set: { state: 'UNDONE' } }, { $unset: ['delay'] }]);
}

/** @throws LeaseLostError */
async function change(db: Db, { _id, token }: LogImportDocument, pipeline: Document[]): Promise<LogImportDocument> {
  const changed = await logImports(db).findOneAndUpdate({ _id, token }, pipeline, { returnDocument: 'after' });
  if (!changed) throw new LeaseLostError(`The import ${_id} was taken over by another worker`);
  failpoint('log.import.changed');
  return changed;
}

/** The import as currently stored. @throws LeaseLostError */
export async function requireHeld(
  db: Db,
  { _id, token }: Pick<LogImportDocument, '_id' | 'token'>,
): Promise<LogImportDocument> {
  const held = await logImports(db).findOne({ _id, token });
  if (!held) throw new LeaseLostError(`The import ${_id} was taken over by another worker`);
  return held;
}
