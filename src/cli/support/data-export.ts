/** Exporting rows to a file, or to standard output. */
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Db } from 'mongodb';
import { findVisibleWork } from '../../models/system/work/background-work.js';
import { expiryOf } from '../../models/system/work/data-export.js';
import { readParts } from '../../models/system/work/work-file.js';
import type { WorkDocument } from '../../models/work.js';
import { idOfType } from '../../shared/global-id.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { unbroken } from '../../terminal/fold.js';
import { formatCount } from '../../terminal/import-progress.js';
import { tell } from '../../terminal/output.js';
import type { DomainSession } from './domain-session.js';
import { workToEnd } from './work-progress.js';

export interface ExportOptions {
  readonly output?: string;
  readonly resume?: string;
}

/** Of every command that exports. */
export const withExportOptions = (command: Command): Command =>
  command
    .option('--output <file>', 'default: standard output')
    .option(
      '--resume <id>',
      'continue an export that was interrupted, and the file that it had begun, as far as it is of this export',
    )
    .addHelpText(
      'after',
      '\nThe file is written as <file>.part, and gets its name when it is complete. Exits with 1 when it is not. Ctrl-C stops; the id to resume with is printed.',
    );

const NO_FILE = 'The file of this export is no longer kept. Export it again';

/** @param begin starts an export, or says why there is none */
export async function exportToFile(
  session: DomainSession,
  options: ExportOptions,
  begin: () => Promise<WorkDocument | string>,
): Promise<void> {
  const begun = options.resume === undefined ? await begin() : await find(session, options.resume);
  if (typeof begun === 'string') return failed(begun);
  if (begun.open) tell(`If this is interrupted, add: --resume ${begun._id}`);
  const done = begun.open ? await workToEnd(session, begun) : begun;
  if (done.open) return failed(`Stopped. To continue, add: --resume ${done._id}`);
  if (done.state === 'FAILED') return failed(done.failure ?? 'It failed');
  const expiry = expiryOf(done);
  if (!expiry || expiry <= session.now()) return failed(NO_FILE);
  const { output } = options;
  if (output === undefined) await writeToStandardOutput(session.db, done);
  else if (!(await writeToFile(session.db, done, output, options.resume !== undefined))) return failed(NO_FILE);
  const place = output === undefined ? '' : `${unbroken(output)}: `;
  tell(`${place}${formatCount(done.done)} rows, ${formatCount(done.bytes ?? 0)} bytes`);
}

async function find({ db }: DomainSession, id: string): Promise<WorkDocument | string> {
  const found = await findVisibleWork(db, null, idOfType('DataExport', id) ?? id, 'DataExport');
  return found ?? 'No export has this id';
}

async function writeToStandardOutput(db: Db, { _id }: WorkDocument): Promise<void> {
  for await (const part of readParts(db, _id))
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(part, (error) => (error ? reject(error) : resolve()));
    });
}

/**
 * @param isResumed keep what an earlier run has written, as far as it is the same: the bytes of an export never change
 * @returns false if the end of the export is missing, and then the file does not get its name
 */
async function writeToFile(
  db: Db,
  { _id, bytes = 0 }: WorkDocument,
  output: string,
  isResumed: boolean,
): Promise<boolean> {
  const unfinished = `${output}.part`;
  const file = await open(unfinished, constants.O_RDWR | constants.O_CREAT | (isResumed ? 0 : constants.O_TRUNC));
  let written = 0;
  let isKept = isResumed;
  try {
    for await (const part of readParts(db, _id)) {
      isKept &&= await hasPart(file, part, written);
      for (let from = 0; !isKept && from < part.length; )
        from += (await file.write(part, from, part.length - from, written + from)).bytesWritten;
      written += part.length;
    }
    await file.truncate(written);
    await file.sync();
  } finally {
    await file.close();
  }
  if (written !== bytes) return false;
  await rename(unfinished, output);
  return true;
}

/** Whether these bytes are in the file, from `from` on. */
async function hasPart(file: FileHandle, part: Buffer, from: number): Promise<boolean> {
  const found = Buffer.alloc(part.length);
  let length = 0;
  for (let read = 1; read > 0 && length < part.length; length += read)
    read = (await file.read(found, length, part.length - length, from + length)).bytesRead;
  return length === part.length && found.equals(part);
}

function failed(message: string): void {
  tell(message);
  process.exitCode = EXIT_FAILED;
}
