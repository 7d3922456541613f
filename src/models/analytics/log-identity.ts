/**
 * Which import a file belongs to. The same file again, also when it has grown, belongs to the import that it had; a file that
 * begins with the same line but goes on otherwise than what was read is another one. Files that overlap (a rotated log and the one
 * before it, put together) are not recognised: their common lines count twice.
 */
import { createHash } from 'node:crypto';
import { type Db, MongoServerError, type ObjectId } from 'mongodb';
import { BusyError } from '../../shared/errors.js';
import type { Refusal } from '../../shared/outcome.js';
import { type LogImportDocument, type LogImportOptions, logImports } from './log-import.js';
import { BEGINNING, hashBeginnings } from './log-reader.js';
import { identifyFirstLine, type LogSource, openUnpacked } from './log-source.js';
import { normaliseHost } from './site.js';

export interface Enlisted {
  readonly document: LogImportDocument;
  /** Whether the file has anything that was not read yet. */
  readonly unread: boolean;
}

/** How a file is to be imported. */
export interface EnlistInput {
  readonly site: string;
  readonly options: LogImportOptions;
  /** The uploaded file that the source reads; null for a command that reads a file of its own. */
  readonly file: ObjectId | null;
}

const ATTEMPTS_MAX = 10;
const CANDIDATES_AT_ONCE = 500; // each needs one digest of the file's beginning
const DUPLICATE_KEY = 11000;

/**
 * Finds the import of a file, or makes one. A repeat finds what the first has made. An import keeps its options.
 * @throws InputError the site is no host name
 * @throws LogFileError the file cannot be unpacked
 */
export async function enlistFile(
  db: Db,
  source: LogSource,
  { site, options, file }: EnlistInput,
  now: Date,
): Promise<Enlisted | Refusal<'LogFileRefused'>> {
  const host = normaliseHost('input.site', site);
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
  throw new BusyError('The imports of this file change too quickly');
}

interface Match {
  readonly candidate: LogImportDocument;
  readonly unread: boolean;
}

/** The import that has read most of this very file: of all with its first line, however many there are, some hundreds at a time. */
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

/** The import of these that has read most of this very file. */
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

/** One that was undone is over; so is one of which nothing could be read, since it may have been given the wrong format. */
function canGoOn({ state, imported, lines }: LogImportDocument): boolean {
  if (state === 'UNDOING' || state === 'UNDONE') return false;
  return !(state === 'FAILED' && imported === 0 && lines > 0);
}

/** Gives the file to the import, if it has anything new. @returns null when the import has become something else meanwhile */
function joinImport(db: Db, { candidate, unread }: Match, file: ObjectId | null): Promise<LogImportDocument | null> {
  if (!unread && candidate.state === 'FINISHED') return Promise.resolve(candidate);
  return logImports(db).findOneAndUpdate(
    { _id: candidate._id, state: { $in: ['WAITING', 'RUNNING', 'FINISHED', 'FAILED'] } }, // guard: it is not being undone
    [
      {
        $set: {
          files: file ? { $setUnion: ['$files', [file]] } : '$files',
          state: { $cond: [{ $eq: ['$state', 'RUNNING'] }, 'RUNNING', 'WAITING'] }, // its reader looks for more files at the end
        },
      },
    ],
    { returnDocument: 'after' },
  );
}

/** @returns null when somebody else has made an import of the same first line meanwhile: look again */
async function makeImport(db: Db, document: LogImportDocument): Promise<LogImportDocument | null> {
  try {
    await logImports(db).insertOne(document); // guard: two who see the same imports make the same `_id`
    return document;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null;
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
