/** Imports and exports of comments in memory. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { startCommentImport } from '../../../src/models/comments/comment-import.js';
import { designs } from '../../../src/models/comments/designs/index.js';
import type { StoredComment } from '../../../src/models/comments/discussion/comment.js';
import { findDiscussion } from '../../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { commentsDomain } from '../../../src/models/comments/domain.js';
import { startCommentExport } from '../../../src/models/comments/export/comment-export.js';
import { productHost } from '../../../src/models/commerce/catalog/product-comments.js';
import { nodeHost } from '../../../src/models/content/comment-host.js';
import { workKindWith } from '../../../src/models/domain.js';
import { findRejectedRows } from '../../../src/models/system/work/data-import.js';
import { readParts } from '../../../src/models/system/work/work-file.js';
import { WorkLoop, type WorkLoopOptions } from '../../../src/models/system/work/work-loop.js';
import type { WorkDocument } from '../../../src/models/work.js';
import type { TestDatabase } from '../../support/database.js';

const services = { discussionWriter: new DiscussionWriter(), commentHosts: [nodeHost, productHost] };
const kinds = (commentsDomain.workKinds ?? []).map((kind) => workKindWith(kind, services));

interface ImportOptions {
  /** A discussion. */
  readonly below?: string | null;
  readonly isStrict?: boolean;
}

/** Call next to `useDatabase`. */
export function useCommentImports(database: TestDatabase) {
  const run = async (id: string, options: Partial<WorkLoopOptions> = {}): Promise<WorkDocument> => {
    const onFault = (error: unknown) => {
      throw error;
    };
    const loop = new WorkLoop(database.db, kinds, { holder: randomUUID(), now: () => new Date(), onFault, ...options });
    const done = await loop.run(id);
    if (!done || done === 'BUSY') throw new Error('Nobody has done the work');
    return done;
  };
  const accept = async (
    file: string | Buffer,
    { below = null, isStrict = false }: ImportOptions = {},
  ): Promise<WorkDocument> => {
    const bytes = () => Readable.from([Buffer.from(file)]);
    const upload = { id: randomUUID(), fileName: 'comments.jsonl', bytes, below, isStrict, owner: null };
    const started = await startCommentImport(database.db, upload, new Date());
    if (!('_id' in started)) throw new Error(started.message);
    return started;
  };
  return {
    run,
    accept,
    importAll: async (file: string | Buffer, options: ImportOptions = {}) => run((await accept(file, options))._id),
    exportAll: async (below: string | null): Promise<string> => {
      const request = { id: randomUUID(), below, withPrivate: true, name: 'comments', owner: null };
      const { _id } = await startCommentExport(database.db, request, new Date());
      const { state, failure } = await run(_id);
      if (state !== 'FINISHED') throw new Error(failure);
      const parts: Buffer[] = [];
      for await (const part of readParts(database.db, _id)) parts.push(part);
      return Buffer.concat(parts).toString();
    },
    rejectsOf: async ({ _id }: WorkDocument) =>
      (await findRejectedRows(database.db, _id, { first: 100 })).edges.map(({ node }) => [
        node.line,
        node.reason,
        node.field ?? null,
      ]),
    /** As they are stored, in the order of their numbers. */
    storedIn: async (id: string): Promise<StoredComment[]> => {
      const discussion = await findDiscussion(database.db, id);
      if (!discussion) return [];
      const numbers = Array.from({ length: discussion.issued }, (_, at) => at + 1);
      const found = await designs[discussion.design].find(database.db, discussion, numbers);
      return found.toSorted((one, other) => one.number - other.number);
    },
  };
}
