/** The record of jobs. `test/jobs` tests the schedule that runs them. */
import { beforeEach, describe, expect, it } from 'vitest';
import { beginJob, endJob, findJobs, jobs, planJobs, removeFormerJobs } from '../../src/models/system/job.js';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { schedule } from '../support/domain/domains.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);
const plan = (name: string) => ({ name, everyMs: DAY_MS, atStart: false });

beforeEach(() => jobs(database.db).deleteMany({}));

describe('a job', () => {
  it('is shown with its last run, and why that failed until one succeeds', async () => {
    const [name = ''] = schedule.map((job) => job.name);
    const shown = async () => {
      const query = '{ system { jobs { name lastRunAt lastFinishedAt nextRunAt failure } } }';
      return (await server.request<{ system: { jobs: object[] } }>(query)).data?.system.jobs;
    };
    expect(await shown()).toEqual([]);
    await planJobs(database.db, [plan(name)]);
    const nextRunAt = expect.any(String);
    expect(await shown()).toEqual([{ name, lastRunAt: null, lastFinishedAt: null, nextRunAt, failure: null }]);
    const ran = { name, lastRunAt: expect.any(String), lastFinishedAt: expect.any(String), nextRunAt };
    await beginJob(database.db, name);
    await endJob(database.db, name, 'The disk is full');
    expect(await shown()).toEqual([{ ...ran, failure: 'The disk is full' }]);
    await endJob(database.db, name, null);
    expect(await shown()).toEqual([{ ...ran, failure: null }]);
  });
});

describe('a start of the server', () => {
  const present = async () => (await findJobs(database.db)).map(({ name }) => name);

  it('removes the jobs of the library that managed them in earlier releases', async () => {
    await planJobs(database.db, [plan('own')]);
    await database.db.collection('jobs').insertOne({ name: 'Old', type: 'single', nextRunAt: new Date() });
    await removeFormerJobs(database.db, []);
    expect(await present()).toEqual(['own']);
  });

  it('forgets jobs under the names of earlier releases', async () => {
    await planJobs(database.db, ['own', 'Settle the transfers', 'Go on with imports'].map(plan));
    await removeFormerJobs(database.db, ['Settle the transfers', 'Go on with imports']);
    expect(await present()).toEqual(['own']);
  });
});
