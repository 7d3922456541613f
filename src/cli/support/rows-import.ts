/** What the commands share that import rows from a file: storing the file, working until the import ends, and printing the outcome. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { LogFileError } from '../../models/analytics/log-import/log-source.js';
import type { WorkDocument, WorkKind } from '../../models/work.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print, printJson } from '../../terminal/output.js';
import { describeImport, type ImportOutcome, outcomeOfImport, refusedFile } from './data-import.js';
import type { DomainSession } from './domain-session.js';
import { DiskFile } from './log-file.js';
import { workToEnd } from './work-progress.js';

/** A file on this disk, as every import takes it. */
export interface RowsFile {
  /** Identifies the call. */
  readonly id: string;
  readonly fileName: string;
  readonly bytes: () => Readable;
  readonly owner: null;
  readonly bytesMax: number;
}

/** Why a file, or what to do with it, is refused. */
interface Refused {
  readonly message: string;
}

/** What is read from disk. */
export interface OpenFile {
  readonly name: string;
  open(): Readable;
  close(): Promise<void>;
}

interface ImportRowsOptions {
  /** Whether the outcome has all rejected rows, not only the first. */
  readonly allRejects?: boolean | undefined;
  /** Opens what is shown as `path`. Default: the file there. */
  readonly find?: () => Promise<OpenFile>;
}

/** @param start stores the file and starts the import */
export async function importRows(
  session: DomainSession,
  kind: Pick<WorkKind, 'name' | 'rejectReasons'>,
  path: string,
  start: (file: RowsFile) => Promise<WorkDocument | Refused>,
  { allRejects = false, find = () => DiskFile.find(path) }: ImportRowsOptions,
): Promise<ImportOutcome> {
  const started = await store(find, start);
  if ('message' in started) return refusedFile(path, started.message);
  return outcomeOfImport(session.db, kind, path, await workToEnd(session, started), allRejects);
}

async function store(
  find: () => Promise<OpenFile>,
  start: Parameters<typeof importRows>[3],
): Promise<WorkDocument | Refused> {
  try {
    const file = await find();
    try {
      return await start({
        id: randomUUID(),
        fileName: file.name,
        bytes: () => file.open(),
        owner: null,
        bytesMax: Number.POSITIVE_INFINITY, // it is on this disk already
      });
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof LogFileError) return { message: error.message };
    throw error;
  }
}

/** Runs an import and prints its outcome. Exits with 1 when the file was refused or a row rejected. */
export async function reportImport(
  run: () => Promise<ImportOutcome>,
  { json = false, canBeUndone }: { readonly json?: boolean | undefined; readonly canBeUndone: boolean },
): Promise<void> {
  const begun = performance.now();
  const outcome = await run();
  if (json) printJson(outcome);
  else print(describeImport(outcome, performance.now() - begun, canBeUndone));
  if (outcome.state !== 'FINISHED' || outcome.rejected > 0) process.exitCode = EXIT_FAILED;
}
