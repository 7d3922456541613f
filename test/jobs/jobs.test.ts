import { Readable } from 'node:stream';
import type { ObjectId } from 'mongodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startJobs } from '../../src/jobs/index.js';
import { Schedule } from '../../src/jobs/schedule.js';
import { analytics } from '../../src/models/analytics/domain.js';
import { createHitRecorder } from '../../src/models/analytics/hits/hit-recorder.js';
import { keptFields } from '../../src/models/analytics/log/log-fields.js';
import {
  deleteOldFiles,
  findStoredFile,
  markFileRead,
  storeFile,
} from '../../src/models/analytics/log-import/log-file.js';
import { enlistFile } from '../../src/models/analytics/log-import/log-identity.js';
import { findLogImport, findLogImports, requestUndo } from '../../src/models/analytics/log-import/log-import.js';
import { LogImporter } from '../../src/models/analytics/log-import/log-importer.js';
import { takeUpload } from '../../src/models/analytics/log-import/log-upload.js';
import { closeDomains, type Job } from '../../src/models/domain.js';
import { findDueJobs, findJobs, planJobs, removeFormerJobs } from '../../src/models/system/job.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/shared/time.js';
import { logLine, memorySource } from '../analytics/log/log-support.js';
import { useDatabase } from '../support/database.js';
import { openAllDomains, schedule } from '../support/domains.js';
import { testAct } from '../support/people.js';

const database = useDatabase();
const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;

const importer = () =>
  new LogImporter(database.db, {
    holder: 'test',
    keep: keptFields([]),
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
  });

async function upload(site: string, lines: readonly string[]): Promise<string> {
  const file = { name: 'access.log', bytes: () => Readable.from([Buffer.from(`${lines.join('\n')}\n`)]) };
  const taken = await takeUpload(database.db, file, { site, options }, new Date());
  if (!('_id' in taken)) throw new Error(taken.message);
  return taken._id;
}

async function turn(name: string, imports: LogImporter, now = new Date()): Promise<void> {
  const { client, db } = database;
  const job = analytics.jobs.find((each) => each.name === name);
  const hits = createHitRecorder({ client, db, waitingMax: 1 });
  await job?.run({ imports, hits, keepSessionsMs: 0 }, { db, now: () => now });
}
const RESUME = 'Resume interrupted imports';
const CLEAN_UP = 'Delete uploaded logs a day after their import';

/** Imports run in the background. */
const ended = (id: string) => expect.poll(() => findLogImport(database.db, id), { timeout: 20_000 });

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

  it('finishes an import that was stopped after its last line, when the file is uploaded', async () => {
    const site = 'stopped.example.org';
    const lines = [logLine({}), logLine({ path: '/b' })];
    const source = memorySource(lines);
    const enlisted = await enlistFile(database.db, source, { site, options, file: null }, new Date());
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
    await turn(RESUME, importer());
    await ended(id).toMatchObject({ state: 'UNDONE', imported: 0, hits: 0 });
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

describe('the scheduler', () => {
  it('runs every job, records when, and stops', async () => {
    const id = await upload('scheduled.example.org', [logLine({})]);
    const domains = await openAllDomains(database.db);
    const running = await startJobs({
      db: database.db,
      domains,
      now: () => new Date(),
      onTrouble: () => undefined,
    });
    const names = schedule.map(({ name }) => name).sort();
    await expect
      .poll(async () => (await findJobs(database.db)).filter((job) => job.lastFinishedAt).map(({ name }) => name), {
        timeout: 20_000,
      })
      .toEqual(names);
    await ended(id).toMatchObject({ state: 'FINISHED', imported: 1 });
    await running.close();
    await closeDomains(domains);
    expect(await findJobs(database.db)).toMatchObject(names.map((name) => ({ name, failure: null })));
  });
});

describe('the schedule', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const stored = () => database.db.collection<{ _id: string }>('jobs');
  const statusOf = async (name: string) => (await findJobs(database.db)).find((job) => job.name === name);
  const leadMs = async (name: string) => Number((await statusOf(name))?.nextRunAt) - Date.now();
  /** Counts its runs. */
  const job = (name: string, more: Partial<Job> = {}) => {
    const counted = { name, everyMs: DAY_MS, atStart: false, runs: 0, run: async () => {} };
    return Object.assign(counted, {
      run: async () => {
        counted.runs += 1;
      },
      ...more,
    });
  };
  const start = (...scheduled: Job[]) =>
    Schedule.start(database.db, scheduled, (trouble, error) => {
      throw new Error(trouble, { cause: error });
    });
  const ran = (name: string) => expect.poll(async () => Boolean((await statusOf(name))?.lastFinishedAt)).toBe(true);

  it('gives each run to one of many processes', async () => {
    const own = job('one of many');
    const schedules = await Promise.all(Array.from({ length: 5 }, () => start(own)));
    await ran(own.name);
    await Promise.all(schedules.map((schedule) => schedule.stop()));
    expect(own.runs).toBe(1);
  });

  it('remembers across restarts when a job ran, and does not run it sooner', async () => {
    const own = job('restarted');
    const first = await start(own);
    await ran(own.name);
    await first.stop();
    const told = await statusOf(own.name);
    const second = await start(own);
    expect(await statusOf(own.name)).toEqual(told);
    await second.stop();
    expect(own.runs).toBe(1);
  });

  it('runs recovery jobs on each start', async () => {
    const own = job('at start', { atStart: true });
    for (const times of [1, 2]) {
      const schedule = await start(own);
      await expect.poll(() => own.runs).toBe(times);
      await schedule.stop();
    }
  });

  it.each([
    ['three hours ahead', 3 * HOUR_MS],
    ['ten minutes behind', -10 * MINUTE_MS],
  ])('is the same for a process whose clock is %s', async (clock, stepMs) => {
    const own = job(`clock ${clock}`, { everyMs: HOUR_MS });
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + stepMs });
    const schedule = await start(own);
    await ran(own.name);
    await schedule.stop();
    vi.useRealTimers();
    expect(Math.abs((await leadMs(own.name)) - HOUR_MS)).toBeLessThan(MINUTE_MS);
    expect(Number((await statusOf(own.name))?.lastRunAt) - now).toBeLessThan(MINUTE_MS);
  });

  it('repairs a job that is planned further ahead than its interval', async () => {
    const own = job('far ahead', { everyMs: 30 * SECOND_MS });
    await planJobs(database.db, [own]);
    await stored().updateOne({ _id: own.name }, { $set: { next_run_at: new Date(Date.now() + 3 * HOUR_MS) } });
    expect(await findDueJobs(database.db, [own.name])).toEqual([own.name]);
    const schedule = await start(own);
    await ran(own.name);
    await schedule.stop();
    expect(await leadMs(own.name)).toBeLessThan(30 * SECOND_MS);
  });

  it('retries a failed job within a minute, and shows why it failed until then', async () => {
    const told: string[] = [];
    let broken = true;
    const own = job('failing', {
      run: async () => {
        if (broken) throw new Error('The disk is full');
      },
    });
    const failing = await Schedule.start(database.db, [own], (trouble) => told.push(trouble));
    await ran(own.name);
    await failing.stop();
    expect(told).toEqual(['The job "failing" has failed']);
    expect(await statusOf(own.name)).toMatchObject({ failure: 'The disk is full' });
    expect(await leadMs(own.name)).toBeLessThan(MINUTE_MS);
    broken = false;
    await stored().updateOne({ _id: own.name }, { $set: { next_run_at: new Date() } });
    const well = await start(own);
    await expect.poll(async () => (await statusOf(own.name))?.failure).toBeNull();
    await well.stop();
  });

  it('restarts a run whose process has died', async () => {
    const own = job('died');
    await planJobs(database.db, [own]);
    await stored().updateOne({ _id: own.name }, { $set: { last_run_at: new Date() } }); // it had started
    const schedule = await start(own);
    await ran(own.name);
    await schedule.stop();
    expect(own.runs).toBe(1);
  });

  it('migrates from the library that managed the jobs before', async () => {
    const present = await findJobs(database.db);
    await database.db.collection('jobs').insertOne({ name: 'Old', type: 'single', nextRunAt: new Date() });
    await removeFormerJobs(database.db, []);
    expect(await findJobs(database.db)).toEqual(present);
  });

  it('forgets jobs under the names of earlier releases', async () => {
    const present = await findJobs(database.db);
    await planJobs(database.db, [job('Settle the transfers'), job('Go on with imports')]);
    await removeFormerJobs(database.db, ['Settle the transfers', 'Go on with imports']);
    expect(await findJobs(database.db)).toEqual(present);
  });
});
