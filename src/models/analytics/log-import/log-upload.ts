/** Accepting an uploaded log: the file is stored first, so that after the response any process can import it. */
import type { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import { endAbandonedTransactions } from '../../../database/connection/abandoned-transactions.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { normalizeHost } from '../sites/site.js';
import { deleteFile, findStoredFile, storeFile } from './log-file.js';
import { type Enlisted, type EnlistInput, enlistFile } from './log-identity.js';
import type { LogImportDocument } from './log-import.js';
import { LogFileError } from './log-source.js';

/**
 * Stores the file and finds or creates its import, which a `LogImporter` then runs. Uploading the same file again finds its import.
 * @param name for display
 * @throws InputError the site is not a hostname
 * @throws the stream's error, with nothing kept
 */
export async function takeUpload(
  db: Db,
  { name, bytes }: { readonly name: string; readonly bytes: () => Readable },
  input: Omit<EnlistInput, 'file'>,
  now: Date,
): Promise<LogImportDocument | Refusal<'LogFileRefused'>> {
  const site = normalizeHost('input.site', input.site); // before anything is stored
  const file = await storeFile(db, name, bytes());
  const source = await findStoredFile(db, file);
  if (!source) throw new Error(`The file ${file} no longer exists right after it was stored`);
  // If a process died while importing this file, its open transaction locks the import and would block this request.
  await endAbandonedTransactions(db.client);
  const enlisted = await enlistFile(db, source, { ...input, site, file }, now).catch(refusalOf);
  const outcome = isEnlisted(enlisted) ? enlisted.document : enlisted;
  const isNeeded = 'files' in outcome && outcome.files.some((each) => each.equals(file));
  if (!isNeeded) await deleteFile(db, file);
  return outcome;
}

const isEnlisted = (outcome: Enlisted | Refusal<'LogFileRefused'>): outcome is Enlisted => 'document' in outcome;

/** A file whose start cannot be decompressed is not a log. */
function refusalOf(error: unknown): Refusal<'LogFileRefused'> {
  if (error instanceof LogFileError) return refuse('LogFileRefused', error.message);
  throw error;
}
