/** The sample traffic: a site with its log, taken back as far as nothing else belongs to the site. */
import { afterEach, describe, expect, it } from 'vitest';
import { dailyHits } from '../../../src/models/analytics/hits/hit.js';
import { findEvents } from '../../../src/models/analytics/log/request-log.js';
import { logImports } from '../../../src/models/analytics/log-import/log-import.js';
import type { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import { SAMPLE_FILES, SAMPLE_SITE, sampleFile } from '../../../src/models/analytics/seed/sample-log.js';
import { trafficSteps } from '../../../src/models/analytics/seed/traffic-seed.js';
import {
  changeSiteOrigins,
  findSite,
  noteSite,
  registerSite,
  sites,
} from '../../../src/models/analytics/sites/site.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { contentsOf, expectSound, repeated, useSeed } from '../../system/work/seed-support.js';

const database = useDatabase();
const seed = useSeed(database, 'analytics');
const steps = () => trafficSteps((seed.domain.services as { imports: LogImporter }).imports);

afterEach(async () => {
  for (const { collectionName } of [sites, dailyHits]) await database.db.collection(collectionName).deleteMany({});
});

const linesOf = (files: readonly { readonly text: string }[]) => files.flatMap(({ text }) => text.trim().split('\n'));

describe('the sample log', () => {
  const end = new Date('2026-03-15T10:20:30Z');
  const files = Array.from({ length: SAMPLE_FILES }, (_, index) => sampleFile(index, end));

  it('is the same for the same end, in order of time, and ends there', () => {
    expect(sampleFile(2, end)).toEqual(files[2]);
    const times = linesOf(files).map((line) => {
      const [, day, month, year, time] = /\[(\d+)\/(\w+)\/(\d+):([\d:]+) \+0000\]/.exec(line) ?? [];
      return Date.parse(`${day} ${month} ${year} ${time} GMT`);
    });
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThan(end.getTime());
    expect(end.getTime() - (times.at(-1) ?? 0)).toBeLessThan(10 * 60_000);
    expect(end.getTime() - (times[0] ?? 0)).toBeGreaterThan(29 * 86_400_000);
  });

  it('has no two files that begin with the same line', () => {
    const first = files.map(({ text }) => text.slice(0, text.indexOf('\n')));
    expect(new Set(first).size).toBe(SAMPLE_FILES);
  });
});

describe('the sample traffic', () => {
  it('registers a site and imports its log, once, and is taken back whole, if each step is repeated', async () => {
    const { db } = database;
    const before = await contentsOf(db, seed.domain);
    const twice = repeated(steps());
    const filled = await seed.fill(twice);
    expect(filled).toMatchObject({ state: 'FINISHED', done: 1 + SAMPLE_FILES, total: 1 + SAMPLE_FILES });
    expect(await findSite(db, SAMPLE_SITE)).toMatchObject({ allowed_origins: [`https://${SAMPLE_SITE}`] });
    const imports = await logImports(db).find().toArray();
    expect(imports.map(({ state }) => state)).toEqual(Array(SAMPLE_FILES).fill('FINISHED'));
    const files = Array.from({ length: SAMPLE_FILES }, (_, index) => sampleFile(index, filled.created_at));
    expect(imports.reduce((sum, { imported }) => sum + imported, 0)).toBe(linesOf(files).length);
    expect(imports.reduce((sum, { rejected }) => sum + rejected, 0)).toBe(0);
    await expectSound(db);

    const undone = await seed.undo(filled, twice);
    expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
    expect(undone.kept).toBeUndefined();
    expect(await contentsOf(db, seed.domain)).toEqual(before);
    await expectSound(db);
  });

  it('keeps its site if a hit has arrived, or if its origins were changed', async () => {
    const { db } = database;
    const [site] = steps();
    if (!site) throw new Error('No steps');
    const hit = { date: new Date('2026-01-01'), site: SAMPLE_SITE, page: '/mine' };
    for (const change of [
      () => dailyHits(db).insertOne({ _id: `20260101/${SAMPLE_SITE}/mine`, metadata: hit }),
      () => changeSiteOrigins(db, testAct(), SAMPLE_SITE, ['https://other.example']),
    ]) {
      const filled = await seed.fill([site]);
      await change();
      const undone = await seed.undo(filled, [site]);
      expect(undone).toMatchObject({ state: 'UNDONE', kept: 1 });
      expect(await findSite(db, SAMPLE_SITE)).not.toBeNull();
      await dailyHits(db).deleteMany({});
      await sites(db).deleteMany({});
    }
  });

  it('lists its site again if a hit arrives after it was undone', async () => {
    const { db } = database;
    const [site] = steps();
    if (!site) throw new Error('No steps');
    const filled = await seed.fill([site]);
    await noteSite(db, SAMPLE_SITE, new Date());
    await seed.undo(filled, [site]);
    expect(await findSite(db, SAMPLE_SITE)).toBeNull();
    await noteSite(db, SAMPLE_SITE, new Date());
    expect(await findSite(db, SAMPLE_SITE)).toEqual({ _id: SAMPLE_SITE, created_at: expect.any(Date) });
  });

  it('fails, and changes nothing, if its site was registered meanwhile', async () => {
    const { db } = database;
    const [site, ...rest] = steps();
    if (!site) throw new Error('No steps');
    const late = {
      ...site,
      fill: async (...held: Parameters<typeof site.fill>) => {
        await registerSite(db, testAct(), { host: SAMPLE_SITE, allowedOrigins: [] });
        return site.fill(...held);
      },
    };
    const failed = await seed.fill([late, ...rest]);
    expect(failed).toMatchObject({ state: 'FAILED', done: 0 });
    expect(failed.failure).toContain('already registered');
    expect(await findSite(db, SAMPLE_SITE)).toMatchObject({ allowed_origins: [] });
    expect((await findEvents(db, { site: SAMPLE_SITE }, { first: 1 }, new Date())).edges).toEqual([]);
    expect(await seed.undo(failed)).toMatchObject({ state: 'UNDONE', kept: 1 });
  });
});
