/**
 * Which import a file belongs to. The same file, even if it has grown, belongs to its existing import. A file that starts with the same
 * line but then differs from what was read is another file. Overlapping files (a rotated log concatenated with the previous one) are
 * not recognized: their common lines count twice.
 */
import { createHash } from 'node:crypto';
import type { Db, ObjectId } from 'mongodb';
import { isDuplicateKey } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import type { Refusal } from '../../../shared/outcome.js';
import { normalizeHost } from '../sites/site.js';
import { type LogImportDocument, type LogImportOptions, logImports } from './log-import.js';
import { BEGINNING, hashBeginnings } from './log-reader.js';
import { identifyFirstLine, type LogSource, openUnpacked } from './log-source.js';

export interface Enlisted {
  readonly document: LogImportDocument;
  /** Whether the file has content that was not read yet. */
  readonly unread: boolean;
}

/** The settings for importing a file. */
export interface EnlistInput {
  readonly site: string;
  readonly options: LogImportOptions;
  /** The uploaded file that the source reads; null for a command that reads its own file. */
  readonly file: ObjectId | null;
}

const ATTEMPTS_MAX = 10;
const CANDIDATES_AT_ONCE = 500; // each needs one digest of the start of the file

/**
 * Finds the import of a file or creates one. Idempotent. An import keeps its options.
 * @throws InputError the site is not a hostname
 * @throws LogFileError the file cannot be decompressed
 */
export async function enlistFile(
  db: Db,
  source: LogSource,
  { site, options, file }: EnlistInput,
  now: Date,
): Promise<Enlisted | Refusal<'LogFileRefused'>> {
  const host = normalizeHost('input.site', site);
  const firstLine = await identifyFirstLine(source);
  if ('message' in firstLine) return firstLine;
  const identity = { site: host, first_line: firstLine.sha256 };
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const before = await logImports(db).countDocuments(identity);
    const match = await findMatch(db, source, identity);
    const document = match
      ? await joinImport(db, match, file)
      : await makeImport(db, newImport(identity, before, source.name, options, file, now));
    if (document) return { document, unread: match?.unread ?? true };
  }
  throw new BusyError('The imports of this file are changing too quickly');
}

interface Match {
  readonly candidate: LogImportDocument;
  readonly unread: boolean;
}

/** Among all imports with the same first line, the one that has read most of this file. Compares CANDIDATES_AT_ONCE at a time. */
async function findMatch(
  db: Db,
  source: LogSource,
  identity: Pick<LogImportDocument, 'site' | 'first_line'>,
): Promise<Match | null> {
  let best: Match | null = null;
  let some: LogImportDocument[] = [];
  const compare = async () => {
    const match = await matchFile(source, some);
    if (match && (!best || match.candidate.checkpoint.bytes > best.candidate.checkpoint.bytes)) best = match;
    some = [];
  };
  for await (const candidate of logImports(db).find(identity)) {
    some.push(candidate);
    if (some.length === CANDIDATES_AT_ONCE) await compare();
  }
  await compare();
  return best;
}

/** Of these, the import that has read most of this file. */
async function matchFile(source: LogSource, imports: readonly LogImportDocument[]): Promise<Match | null> {
  const candidates = imports.filter(canGoOn).sort((left, right) => right.checkpoint.bytes - left.checkpoint.bytes);
  if (candidates.length === 0) return null;
  const lengths = candidates.flatMap(({ checkpoint, tail }) => [checkpoint.bytes, tail?.bytes ?? 0]);
  const { digests, seen } = await hashBeginnings((await openUnpacked(source)).bytes, lengths);
  const candidate = candidates.find(({ checkpoint }) => digests.get(checkpoint.bytes) === checkpoint.sha256);
  if (!candidate) return null;
  const { checkpoint, tail } = candidate;
  const read = tail ?? checkpoint;
  return { candidate, unread: seen > read.bytes || digests.get(read.bytes) !== read.sha256 };
}

/** An undone import cannot continue, nor can one in which no line could be parsed, because its format may be wrong. */
function canGoOn({ state, imported, lines }: LogImportDocument): boolean {
  if (state === 'UNDOING' || state === 'UNDONE') return false;
  return !(state === 'FAILED' && imported === 0 && lines > 0);
}

/** Adds the file to the import if it has new content. @returns null when the import's state has changed meanwhile */
function joinImport(db: Db, { candidate, unread }: Match, file: ObjectId | null): Promise<LogImportDocument | null> {
  if (!unread && candidate.state === 'FINISHED') return Promise.resolve(candidate);
  return logImports(db).findOneAndUpdate(
    { _id: candidate._id, state: { $in: ['WAITING', 'RUNNING', 'FINISHED', 'FAILED'] } }, // guard: not being undone
    [
      {
        $set: {
          files: file ? { $setUnion: ['$files', [file]] } : '$files',
          state: { $cond: [{ $eq: ['$state', 'RUNNING'] }, 'RUNNING', 'WAITING'] }, // its reader checks for more files at the end
        },
      },
    ],
    { returnDocument: 'after' },
  );
}

/** @returns null when another process has created an import with the same first line meanwhile: check again */
async function makeImport(db: Db, document: LogImportDocument): Promise<LogImportDocument | null> {
  try {
    await logImports(db).insertOne(document); // guard: two processes that see the same imports create the same `_id`
    return document;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

const ID_LENGTH = 24; // hexadecimal digits, like an ObjectId

function newImport(
  identity: Pick<LogImportDocument, 'site' | 'first_line'>,
  before: number,
  fileName: string,
  options: LogImportOptions,
  file: ObjectId | null,
  now: Date,
): LogImportDocument {
  const text = `${identity.site}\n${identity.first_line}\n${before}`;
  return {
    _id: createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH),
    ...identity,
    state: 'WAITING',
    file_name: fileName,
    options,
    created_at: now,
    files: file ? [file] : [],
    token: 0,
    checkpoint: BEGINNING,
    bytes_read: 0,
    lines: 0,
    imported: 0,
    hits: 0,
    rejected: 0,
    reject_reasons: {},
  };
}
