/** Storing an uploaded file of rows, so that after the response any process can import it. */
import type { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../../../shared/outcome.js';
import { removeFile, storeFile } from '../work-file.js';
import { type FileFormat, ImportFile, ImportFileError } from './import-file.js';

export interface RowsUpload {
  /** Of the work that will import it. */
  readonly id: string;
  readonly bytes: () => Readable; // plain or gzip
  readonly format: FileFormat;
  /** Of the unpacked file. Default: 1 GiB. */
  readonly bytesMax?: number | undefined;
}

const FILE_BYTES_MAX = 1024 ** 3;

/**
 * Stores the file, unpacked.
 * @returns its size, or why it is refused, and then nothing is kept
 * @throws LimitError the file is larger than `bytesMax` @throws the stream's error, with nothing kept
 */
export async function storeRowsFile(
  db: Db,
  { id, bytes, format, bytesMax = FILE_BYTES_MAX }: RowsUpload,
  now: Date,
): Promise<number | Refusal<'ImportFileRefused'>> {
  const file = new ImportFile(bytes());
  const stored = await storeFile(db, id, file.open(), bytesMax, now).catch(messageOf);
  if (typeof stored === 'string') return refuse('ImportFileRefused', stored);
  const reason = file.reasonToRefuse(format);
  if (reason === null) return stored;
  await removeFile(db, id);
  return refuse('ImportFileRefused', reason);
}

/** @throws what is not about the file */
function messageOf(error: unknown): string {
  if (error instanceof ImportFileError) return error.message;
  throw error;
}
