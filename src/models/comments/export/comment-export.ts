/** Exports of comments: background work that writes them as JSON lines, which `importComments` accepts. */
import type { Db } from 'mongodb';
import type { CommentHost } from '../../commentable.js';
import type { WorkKindDeclaration } from '../../domain.js';
import { makeDownloadKey } from '../../system/work/data-export.js';
import { writeExport } from '../../system/work/export-file.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument } from '../../work.js';
import { CommentReader, type ReaderPosition } from './comment-reader.js';

interface CommentExportInput {
  /** The discussion of the object whose comments, and those below it, are exported; or null for all. */
  readonly below: string | null;
  /** Of all, also of those that only some see. */
  readonly withPrivate?: boolean;
}

export const commentExport: WorkKindDeclaration<{ readonly commentHosts: readonly CommentHost[] }> = {
  name: 'comment-export',
  type: 'DataExport',

  async run(held, { commentHosts }) {
    const { below, withPrivate } = held.work.input as CommentExportInput;
    const from = (held.work.position as ReaderPosition | undefined) ?? null;
    const hosts = commentHosts.filter(({ isPrivate }) => withPrivate || below !== null || !isPrivate);
    const reader = new CommentReader(held.db, hosts, below, from);
    await writeExport(held, reader.lines(), () => reader.position);
  },
};

export interface CommentExportRequest {
  readonly id: string;
  /** The discussion of the object, or null for all. */
  readonly below: string | null;
  /** If all: also those on objects that not every editor sees. */
  readonly withPrivate: boolean;
  /** Of the file. */
  readonly name: string;
  /** Null for a command. */
  readonly owner: string | null;
}

/** @throws LimitError the owner has too much work that has not ended */
export function startCommentExport(
  db: Db,
  { id, below, withPrivate, name, owner }: CommentExportRequest,
  now: Date,
): Promise<WorkDocument> {
  const input: CommentExportInput = { below, withPrivate };
  const file = { name: `${name}.jsonl`, bytes: 0 };
  return startWork(db, { id, kind: commentExport, owner, input, file, downloadKey: makeDownloadKey() }, now);
}
