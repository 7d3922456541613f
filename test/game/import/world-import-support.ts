/** Imports of worlds in memory. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { workKindWith } from '../../../src/models/domain.js';
import { startWorldExport, worldExport } from '../../../src/models/game/export/world-export.js';
import type { WorldFormat } from '../../../src/models/game/import/source-rows.js';
import { startWorldImport, worldImport } from '../../../src/models/game/import/world-import.js';
import {
  findCharacterViolations,
  findItemViolations,
  findLocationViolations,
} from '../../../src/models/game/invariants.js';
import { copyRoom } from '../../../src/models/game/rooms/room-copy.js';
import { findLocations, type LocationDocument, locations } from '../../../src/models/game/world/location.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { findRejectedRows } from '../../../src/models/system/work/data-import.js';
import { readParts } from '../../../src/models/system/work/work-file.js';
import { WorkLoop, type WorkLoopOptions } from '../../../src/models/system/work/work-loop.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { lines } from '../../content/import/import-support.js';
import type { TestDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';

const kinds = [workKindWith(worldImport, { rooms: { changed: () => undefined } }), workKindWith(worldExport, {})];

export interface Given {
  readonly format?: WorldFormat;
  readonly prefix?: string;
}

/** Call next to `useDatabase`. */
export function useWorldImports(database: TestDatabase) {
  const run = async (id: string, options: Partial<WorkLoopOptions> = {}): Promise<WorkDocument> => {
    const onFault = (error: unknown) => {
      throw error;
    };
    const loop = new WorkLoop(database.db, kinds, { holder: randomUUID(), now: () => new Date(), onFault, ...options });
    const done = await loop.run(id);
    if (!done || done === 'BUSY') throw new Error('Nobody has done the work');
    return done;
  };
  const start = (file: string, { format = 'JSON_LINES', prefix }: Given = {}) => {
    const bytes = () => Readable.from([Buffer.from(file)]);
    const upload = { id: randomUUID(), fileName: 'world.jsonl', bytes, format, prefix, owner: null };
    return startWorldImport(database.db, testAct(), upload);
  };
  const accept = async (file: string, given?: Given): Promise<WorkDocument> => {
    const started = await start(file, given);
    if (!('_id' in started)) throw new Error(started.message);
    return started;
  };
  /** One step of it, as if the process had stopped then. */
  const runStep = async (id: string): Promise<WorkDocument> => {
    const onFault = (error: unknown) => {
      throw error;
    };
    const loop: WorkLoop = new WorkLoop(database.db, kinds, {
      holder: randomUUID(),
      now: () => new Date(),
      onFault,
      onStep: () => loop.stop(),
    });
    await loop.run(id);
    const work = await backgroundWork(database.db).findOne({ _id: id });
    if (!work) throw new Error('There is no such work');
    return work;
  };
  return {
    run,
    runStep,
    start,
    accept,
    importAll: async (rows: readonly object[] | string, given?: Given) =>
      run((await accept(typeof rows === 'string' ? rows : lines(rows), given))._id),
    exportAll: async (): Promise<string> => {
      const { _id } = await startWorldExport(database.db, { id: randomUUID(), owner: null }, new Date());
      await run(_id);
      const parts: Buffer[] = [];
      for await (const part of readParts(database.db, _id)) parts.push(part);
      return Buffer.concat(parts).toString();
    },
    rejectsOf: async ({ _id }: WorkDocument) =>
      (await findRejectedRows(database.db, _id, { first: 500 })).edges.map(({ node }) => [
        node.line,
        node.reason,
        node.field ?? null,
      ]),
    allLocations: async (): Promise<LocationDocument[]> =>
      (await findLocations(database.db, { first: 500 })).edges.map(({ node }) => node),
    expectSound: async () => {
      const due = locations(database.db).find({ uncopied_since: { $gt: new Date(0) } }, { projection: { _id: 1 } });
      for await (const { _id } of due) await copyRoom(database.db, _id);
      for (const find of [findItemViolations, findLocationViolations, findCharacterViolations])
        for await (const violation of find(database.db, visitOnly)) expect(violation).toBeNull();
    },
  };
}
