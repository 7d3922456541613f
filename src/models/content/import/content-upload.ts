/** Accepting a file of content: it is stored first, so that after the response any process can import it. */
import type { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { AuthorReference } from '../../people/author.js';
import { storeRowsFile } from '../../system/work/rows/import-upload.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument } from '../../work.js';
import { isGroup } from '../nodes/group.js';
import { findNode, ROOT } from '../nodes/node.js';
import type { ParentNotFound } from '../nodes/parent.js';
import { type ContentFormat, type ContentImportInput, contentImport } from './content-import.js';
import { NOTES_FORM } from './undo/import-undo.js';

export interface ContentUpload {
  /** Identifies the call, and becomes the id of the work. */
  readonly id: string;
  /** For display. */
  readonly fileName: string;
  readonly bytes: () => Readable; // plain or gzip
  /** As stored. Null for the root. */
  readonly parentId: string | null;
  readonly format: ContentFormat;
  readonly asDrafts: boolean;
  /** Null for a command. */
  readonly owner: string | null;
  readonly author: AuthorReference;
  /** Of the unpacked file. Default: 1 GiB. */
  readonly bytesMax?: number;
}

/**
 * Stores the file, unpacked, and starts its import.
 * @throws LimitError the file is larger than `bytesMax`, or the owner has too many imports that have not ended
 * @throws the stream's error, with nothing kept
 */
export async function startContentImport(
  db: Db,
  upload: ContentUpload,
  now: Date,
): Promise<WorkDocument | Refusal<'ImportFileRefused'> | ParentNotFound> {
  const { id, fileName, parentId, format, asDrafts, owner, author, bytesMax } = upload;
  if (!(await isImportTarget(db, parentId)))
    return refuse('ParentNotFound', 'There is no such node, it is in the trash, or it does not group others');
  const bytes = await storeRowsFile(db, { id, bytes: upload.bytes, format, bytesMax }, now);
  if (typeof bytes !== 'number') return bytes;
  const input: ContentImportInput = {
    parent_id: parentId ?? ROOT,
    format,
    as_drafts: asDrafts,
    author,
    form: NOTES_FORM,
  };
  return startWork(db, { id, kind: contentImport, owner, input, file: { name: fileName, bytes } }, now);
}

async function isImportTarget(db: Db, parentId: string | null): Promise<boolean> {
  if (parentId === null) return true;
  const parent = await findNode(db, parentId);
  return parent !== null && !parent.trash && isGroup(parent.type);
}
