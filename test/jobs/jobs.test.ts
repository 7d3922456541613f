import { afterEach, describe, expect, it, vi } from 'vitest';
import { startJobs } from '../../src/jobs/index.js';
import { Schedule } from '../../src/jobs/schedule.js';
import { closeDomains, type Job } from '../../src/models/domain.js';
import { findDueJobs, findJobs, planJobs } from '../../src/models/system/job.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/shared/time.js';
import { logLine } from '../analytics/log/log-support.js';
import { useImports } from '../analytics/log-import/log-import-support.js';
import { useDatabase } from '../support/database.js';
import { openAllDomains, schedule } from '../support/domain/domains.js';

const database = useDatabase();
const { upload, ended } = useImports(database);

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

  it('gives each run to only one of many processes', async () => {
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

  it('repairs a job that is scheduled further ahead than its interval', async () => {
    const own = job('far ahead', { everyMs: 30 * SECOND_MS });
    await planJobs(database.db, [own]);
    await stored().updateOne({ _id: own.name }, { $set: { next_run_at: new Date(Date.now() + 3 * HOUR_MS) } });
    expect(await findDueJobs(database.db, [own.name])).toEqual([own.name]);
    const schedule = await start(own);
    await ran(own.name);
    await schedule.stop();
    expect(await leadMs(own.name)).toBeLessThan(30 * SECOND_MS);
  });

  it('retries a failed job within a minute, and shows the failure until a run succeeds', async () => {
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
});
