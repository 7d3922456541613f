/** Exports of the world: background work that writes it as JSON lines, which `importWorld` accepts. */
import type { Db } from 'mongodb';
import type { WorkKindDeclaration } from '../../domain.js';
import { makeDownloadKey } from '../../system/work/data-export.js';
import { writeExport } from '../../system/work/export-file.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument } from '../../work.js';
import { type ReaderPosition, WorldReader } from './world-reader.js';

export const worldExport: WorkKindDeclaration<object> = {
  name: 'world-export',
  type: 'DataExport',

  async run(held) {
    const reader = new WorldReader(held.db, (held.work.position as ReaderPosition | undefined) ?? null);
    await writeExport(held, reader.lines(), () => reader.position);
  },
};

export interface WorldExportRequest {
  readonly id: string;
  /** Null for a command. */
  readonly owner: string | null;
}

/** @throws LimitError the owner has too much work that has not ended */
export function startWorldExport(db: Db, { id, owner }: WorldExportRequest, now: Date): Promise<WorkDocument> {
  const file = { name: 'world.jsonl', bytes: 0 };
  return startWork(db, { id, kind: worldExport, owner, input: {}, file, downloadKey: makeDownloadKey() }, now);
}
