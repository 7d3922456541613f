/** Imports of comments: background work that reads an uploaded file, brings its rows in order, and stores them. */
import type { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import type { Refusal } from '../../shared/outcome.js';
import type { CommentHost } from '../commentable.js';
import type { WorkKindDeclaration } from '../domain.js';
import { storeRowsFile } from '../system/work/rows/import-upload.js';
import { startWork } from '../system/work/work-start.js';
import { type HeldWork, type WorkDocument, WorkFailure } from '../work.js';
import { rejectReasons } from './import/comment-row.js';
import { Places } from './import/places.js';
import { type ReadPosition, stageRows } from './import/row-reading.js';
import { removeStaged } from './import/staged-row.js';
import { storeNextRows } from './row-storing.js';

export interface CommentImportInput {
  /** The discussion of the object to which it is imported, or null. */
  readonly below: string | null;
  /** Store nothing if a row is rejected when it is read. */
  readonly is_strict: boolean;
}

const BEGIN: ReadPosition = { rows: 0, lines: 0, bytes: 0 };

const positionOf = ({ position }: HeldWork['work']): ReadPosition => (position as ReadPosition | undefined) ?? BEGIN;

export const commentImport: WorkKindDeclaration<{ readonly commentHosts: readonly CommentHost[] }> = {
  name: 'comment-import',
  type: 'DataImport',
  rejectReasons,

  async run(held, { commentHosts }) {
    const { below, is_strict } = held.work.input as CommentImportInput;
    const places = new Places(held.db, commentHosts, below);
    const from = positionOf(held.work);
    if (!from.isRead) await stageRows(held, places, from);
    const { rejected = 0, imported = 0 } = held.work;
    if (is_strict && rejected > 0 && imported === 0) {
      await removeStaged(held.db, held.work._id);
      throw new WorkFailure('Rows were rejected, so nothing was imported');
    }
    while (await storeNextRows(held, places));
  },
};

export interface CommentUpload {
  /** Identifies the call, and becomes the id of the work. */
  readonly id: string;
  /** For display. */
  readonly fileName: string;
  readonly bytes: () => Readable; // plain or gzip
  /** The discussion of the object to which it is imported, or null. */
  readonly below: string | null;
  readonly isStrict: boolean;
  /** Null for a command. */
  readonly owner: string | null;
  /** Of the unpacked file. Default: 1 GiB. */
  readonly bytesMax?: number;
}

/**
 * Stores the file, unpacked, and starts its import.
 * @throws LimitError the file is larger than `bytesMax`, or the owner has too much work that has not ended
 * @throws the stream's error, with nothing kept
 */
export async function startCommentImport(
  db: Db,
  { id, fileName, bytes, below, isStrict, owner, bytesMax }: CommentUpload,
  now: Date,
): Promise<WorkDocument | Refusal<'ImportFileRefused'>> {
  const stored = await storeRowsFile(db, { id, bytes, format: 'JSON_LINES', bytesMax }, now);
  if (typeof stored !== 'number') return stored;
  const input: CommentImportInput = { below, is_strict: isStrict };
  return startWork(db, { id, kind: commentImport, owner, input, file: { name: fileName, bytes: stored } }, now);
}
