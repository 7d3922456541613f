/** The jobs of imports: resuming what was interrupted, and deleting uploads. */
import { Readable } from 'node:stream';
import type { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { analytics } from '../../../src/models/analytics/domain.js';
import { createHitRecorder } from '../../../src/models/analytics/hits/hit-recorder.js';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import {
  deleteOldFiles,
  findStoredFile,
  markFileRead,
  storeFile,
} from '../../../src/models/analytics/log-import/log-file.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import { findLogImport, findLogImports, requestUndo } from '../../../src/models/analytics/log-import/log-import.js';
import type { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { logLine, memorySource } from '../log/log-support.js';
import { everything, useImports } from './log-import-support.js';

const database = useDatabase();
const { upload, ended, ...imports } = useImports(database);
/** With the real time, as the uploads have. */
const importer = () => imports.importer(keptFields([]), () => new Date());

async function turn(name: string, imports: LogImporter, now = new Date()): Promise<void> {
  const { client, db } = database;
  const job = analytics.jobs.find((each) => each.name === name);
  const hits = createHitRecorder({ client, db, waitingMax: 1 });
  await job?.run({ imports, hits, keepSessionsMs: 0 }, { db, now: () => now });
}

const RESUME = 'Resume interrupted imports';
const CLEAN_UP = 'Delete uploaded logs a day after their import';

const chunksOf = (id: ObjectId) => database.db.collection('log.chunks').countDocuments({ files_id: id });

describe('the job that resumes imports', () => {
  it('imports uploads that no process is importing', async () => {
    const id = await upload('left.example.org', [logLine({}), logLine({ path: '/b' })]);
    await turn(RESUME, importer());
    await ended(id).toMatchObject({ state: 'FINISHED', imported: 2, hits: 2, files: [] });
  });

  it('creates a new import for a file that turns out to be a different one', async () => {
    const site = 'other.example.org';
    const first = await upload(site, [logLine({}), logLine({ path: '/a' }), logLine({ path: '/b' })]);
    const second = await upload(site, [logLine({}), ...Array.from({ length: 4 }, () => logLine({ path: '/x' }))]);
    expect(second).toBe(first); // nothing was read yet, and they start alike
    await turn(RESUME, importer());
    await expect
      .poll(() => findLogImports(database.db, site, { first: 10 }), { timeout: 20_000 })
      .toMatchObject({
        edges: [
          { node: { state: 'FINISHED', imported: 5, files: [] } },
          { node: { _id: first, state: 'FINISHED', imported: 3, files: [] } },
        ],
      });
  });

  it('finishes an import that was stopped after its last line, once the file is uploaded', async () => {
    const site = 'stopped.example.org';
    const lines = [logLine({}), logLine({ path: '/b' })];
    const source = memorySource(lines);
    const enlisted = await enlistFile(database.db, source, { site, options: everything, file: null }, new Date());
    if (!('document' in enlisted)) throw new Error(enlisted.message);
    const stopped = importer();
    stopped.stop();
    expect(await stopped.run(enlisted.document._id, source)).toMatchObject({ state: 'FAILED', imported: 2 });
    const id = await upload(site, lines);
    expect(id).toBe(enlisted.document._id);
    await turn(RESUME, importer());
    await ended(id).toMatchObject({ state: 'FINISHED', imported: 2, files: [] });
  });

  it('completes a requested undo', async () => {
    const id = await upload('undo.example.org', [logLine({})]);
    await turn(RESUME, importer());
    await ended(id).toMatchObject({ state: 'FINISHED' });
    await requestUndo(database.db, testAct(), id);
    const resumed = async () => {
      await turn(RESUME, importer()); // again, as in a server: the first importer may still be giving back its lease
      return findLogImport(database.db, id);
    };
    await expect
      .poll(resumed, { timeout: 20_000, interval: 500 })
      .toMatchObject({ state: 'UNDONE', imported: 0, hits: 0 });
  });
});

describe('the job that deletes uploaded logs', () => {
  const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  const store = () => storeFile(database.db, 'access.log', Readable.from([Buffer.alloc(3 * 1024 * 1024, 'x')]));

  it('keeps a file for 24 hours after it was read, then deletes it with its data', async () => {
    const id = await store();
    await markFileRead(database.db, id, later(10));
    await turn(CLEAN_UP, importer(), later(33));
    expect(await findStoredFile(database.db, id)).toMatchObject({ name: 'access.log', size: 3 * 1024 * 1024 });
    expect(await chunksOf(id)).toBe(3);
    await turn(CLEAN_UP, importer(), later(35));
    expect(await findStoredFile(database.db, id)).toBeNull();
    expect(await chunksOf(id)).toBe(0);
  });

  it('keeps files that an import still has to read', async () => {
    const id = await upload('slow.example.org', [logLine({})]);
    expect(await deleteOldFiles(database.db, later(1000))).toBe(0);
    const [file] = (await findLogImport(database.db, id))?.files ?? [];
    expect(file && (await findStoredFile(database.db, file))).not.toBeNull();
  });

  it('deletes the remains of a broken upload', async () => {
    const id = await store();
    await database.db.collection('log.files').deleteOne({ _id: id });
    expect(await deleteOldFiles(database.db, new Date())).toBe(0); // it may be in progress
    expect(await chunksOf(id)).toBe(3);
    expect(await deleteOldFiles(database.db, later(25))).toBe(1);
    expect(await chunksOf(id)).toBe(0);
  });

  it('keeps nothing of an interrupted upload', async () => {
    const before = await database.db.collection('log.chunks').countDocuments();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(2 * 1024 * 1024);
        throw new Error('The line is dead');
      })(),
    );
    await expect(storeFile(database.db, 'access.log', broken)).rejects.toThrow('The line is dead');
    expect(await database.db.collection('log.chunks').countDocuments()).toBe(before);
  });
});
