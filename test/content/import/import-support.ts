/** Imports of files in memory. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Db } from 'mongodb';
import { projectRoot } from '../../../harness/project-root.js';
import { type ContentFormat, contentImport } from '../../../src/models/content/import/content-import.js';
import { startContentImport } from '../../../src/models/content/import/content-upload.js';
import { asNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { workKindWith } from '../../../src/models/domain.js';
import { PictureTurns } from '../../../src/models/system/assets/pictures/picture-turns.js';
import { findRejectedRows } from '../../../src/models/system/work/data-import.js';
import { WorkLoop, type WorkLoopOptions } from '../../../src/models/system/work/work-loop.js';
import { requestUndo } from '../../../src/models/system/work/work-start.js';
import type { WorkDocument } from '../../../src/models/work.js';
import type { TestDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { BOUNDS } from '../../system/assets/picture-support.js';
import { ann } from '../nodes/node-support.js';

export interface ImportOptions {
  /** Null for the root. */
  readonly parent: Pick<NodeDocument, '_id'> | null;
  readonly format?: ContentFormat;
  readonly asDrafts?: boolean;
}

export const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The posts of a real blog, if they are next to the project. */
export function readRealPosts(): Buffer | null {
  const path = join(projectRoot, '../shared/data/blog-18f/posts.jsonl.gz');
  return existsSync(path) ? gunzipSync(readFileSync(path)) : null;
}

const importKind = workKindWith(contentImport, { pictureCheck: { bounds: BOUNDS, turns: new PictureTurns() } });

/** Call next to `useDatabase`. */
export function useImports(database: TestDatabase) {
  const loop = (options: Partial<WorkLoopOptions> = {}): WorkLoop =>
    new WorkLoop(database.db, [importKind], {
      holder: randomUUID(),
      now: () => new Date(),
      onFault: (error) => {
        throw error;
      },
      ...options,
    });

  const begin = (file: string | Buffer, { parent, format = 'JSON_LINES', asDrafts = false }: ImportOptions) =>
    startContentImport(
      database.db,
      {
        id: randomUUID(),
        fileName: 'content.jsonl',
        bytes: () => Readable.from([Buffer.from(file)]),
        parentId: parent?._id ?? null,
        format,
        asDrafts,
        owner: ann._id,
        author: ann,
      },
      new Date(),
    );

  const accept = async (file: string | Buffer, options: ImportOptions): Promise<WorkDocument> => {
    const started = await begin(file, options);
    if (!('_id' in started)) throw new Error(started.message);
    return started;
  };

  const run = async (id: string, options: Partial<WorkLoopOptions> = {}): Promise<WorkDocument> => {
    const done = await loop(options).run(id);
    if (!done || done === 'BUSY') throw new Error('Nobody has done the import');
    return done;
  };

  return {
    loop,
    begin,
    accept,
    run,
    /** Imports a file, to its end. */
    importAll: async (file: string | Buffer, options: ImportOptions) => run((await accept(file, options))._id),
    undo: async (id: string, options: Partial<WorkLoopOptions> = {}): Promise<WorkDocument> => {
      const request = { id, type: 'DataImport', owner: null, kinds: [importKind] };
      await requestUndo(database.db, testAct(), request);
      return run(id, options);
    },
    rejectsOf: async (id: string, more?: 'field') =>
      (await findRejectedRows(database.db, id, { first: 100 })).edges.map(({ node: { line, reason, field } }) => [
        line,
        reason,
        ...(more ? [field] : []),
      ]),
  };
}

/** The nodes directly below a node, by slug. */
export const below = (db: Db, { _id }: Pick<NodeDocument, '_id'>): Promise<NodeDocument[]> =>
  nodes(db).find({ parent_id: _id }).sort({ slug: 1 }).map(asNode).toArray();
