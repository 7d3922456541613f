/** Accepting a file of content: it is stored first, so that after the response any process can import it. */
import { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { AuthorReference } from '../../people/author.js';
import { removeFile, storeFile } from '../../system/work/work-file.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument } from '../../work.js';
import { isGroup } from '../nodes/group.js';
import { findNode, ROOT } from '../nodes/node.js';
import type { ParentNotFound } from '../nodes/parent.js';
import { type ContentFormat, type ContentImportInput, contentImport } from './content-import.js';

export interface ContentUpload {
  /** Identifies the call, and becomes the id of the work. */
  readonly id: string;
  /** For display. */
  readonly fileName: string;
  readonly bytes: () => Readable;
  /** As stored. Null for the root. */
  readonly parentId: string | null;
  readonly format: ContentFormat;
  readonly asDrafts: boolean;
  /** Null for a command. */
  readonly owner: string | null;
  readonly author: AuthorReference;
  /** Default: 1 GiB. */
  readonly bytesMax?: number;
}

const FILE_BYTES_MAX = 1024 ** 3;
/** Enough to tell what a file is. */
const START_BYTES = 4096;

/**
 * Stores the file and starts its import.
 * @throws LimitError the file is larger than `bytesMax`, or the owner has too many imports that have not ended
 * @throws the stream's error, with nothing kept
 */
export async function startContentImport(
  db: Db,
  upload: ContentUpload,
  now: Date,
): Promise<WorkDocument | Refusal<'ImportFileRefused'> | ParentNotFound> {
  const { id, fileName, parentId, format, asDrafts, owner, author, bytesMax = FILE_BYTES_MAX } = upload;
  if (!(await isImportTarget(db, parentId)))
    return refuse('ParentNotFound', 'There is no such node, it is in the trash, or it does not group others');
  const start = new StartOfFile();
  const bytes = await storeFile(db, id, start.of(upload.bytes()), bytesMax, now);
  const reason = reasonToRefuse(start.text, format);
  if (reason !== null) {
    await removeFile(db, id);
    return refuse('ImportFileRefused', reason);
  }
  const input: ContentImportInput = { parent_id: parentId ?? ROOT, format, as_drafts: asDrafts, author };
  return startWork(db, { id, kind: contentImport, owner, input, file: { name: fileName, bytes } }, now);
}

async function isImportTarget(db: Db, parentId: string | null): Promise<boolean> {
  if (parentId === null) return true;
  const parent = await findNode(db, parentId);
  return parent !== null && !parent.trash && isGroup(parent.type);
}

/** Keeps the beginning of a stream that passes. */
class StartOfFile {
  #kept = Buffer.alloc(0);

  get text(): string {
    return this.#kept
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
  }

  of(bytes: Readable): Readable {
    const pass = async function* (this: StartOfFile) {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        if (this.#kept.length < START_BYTES)
          this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, START_BYTES - this.#kept.length)]);
        yield chunk;
      }
    }.bind(this);
    return Readable.from(pass(), { objectMode: false });
  }
}

function reasonToRefuse(start: string, format: ContentFormat): string | null {
  if (start === '') return 'The file is empty';
  if (format === 'FEED')
    return start.startsWith('<') ? null : 'The file is no feed: it does not start with an XML element';
  return start.startsWith('{') ? null : 'The file does not consist of JSON lines: it does not start with an object';
}
