/** An import while callers record hits on the same pages: neither starves, and every hit counts once. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { runSextant } from '../../../harness/command.js';
import { analytics } from '../../../src/models/analytics/domain.js';
import { dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { createHitRecorder } from '../../../src/models/analytics/hits/hit-recorder.js';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import { logImports, requestUndo } from '../../../src/models/analytics/log-import/log-import.js';
import { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import { findFirstViolations } from '../../../src/models/violation.js';
import { HOUR_MS, SECOND_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { logLine, memorySource } from '../log/log-support.js';

const test = useDatabase();
const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;
const LINES = 3000;
const PAGES = 40;
const PER_SECOND = 500;
/** Formerly, an import with concurrent hits did not end at all. The machine may be busy with other work. */
const TIMEOUT_MS = 120_000;
const pages = Array.from({ length: PAGES }, (_, page) => `/page/${page}`);

/** The last hours up to now, so that days and months are the same as for the hits. */
function linesUpTo(now: Date): string[] {
  return Array.from({ length: LINES }, (_, line) => {
    const [, day, month, year, clock] = new Date(now.getTime() - (LINES - line) * 5 * SECOND_MS)
      .toUTCString()
      .split(' ');
    return logLine({ path: pages[line % PAGES] ?? '/', time: `${day}/${month}/${year}:${clock} +0000` });
  });
}

/** Records hits on all pages, one per call, while `work` runs. @returns how many were recorded */
async function besideHits(db: Db, site: string, work: () => Promise<void>): Promise<number> {
  const recorder = createHitRecorder({ client: test.client, db, waitingMax: 1_000_000 });
  const calls: Promise<{ recorded: number }>[] = [];
  const timer = setInterval(() => {
    for (let turn = 0; turn < PER_SECOND / 100; turn += 1) {
      const page = pages[calls.length % PAGES] ?? '/';
      calls.push(recorder.record([{ site, page, at: new Date() }], 'MAJORITY'));
    }
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const results = await Promise.all(calls);
  await recorder.close();
  expect(results.length).toBeGreaterThan(PAGES);
  return results.reduce((sum, { recorded }) => sum + recorded, 0);
}

async function hitsOf(site: string): Promise<{ days: number; months: number }> {
  const sum = (counts: Record<string, number>[]) =>
    counts.flatMap((each) => Object.values(each)).reduce((total, count) => total + count, 0);
  const query = { 'metadata.site': site, 'metadata.date': { $gte: new Date(Date.now() - 1000 * HOUR_MS) } };
  const days = await dailyHits(test.db).find(query).toArray();
  const months = await monthlyHits(test.db).find(query).toArray();
  return { days: sum(days.map(({ hourly }) => hourly ?? {})), months: sum(months.map(({ daily }) => daily ?? {})) };
}

const importer = () =>
  new LogImporter(test.db, {
    holder: 'test',
    keep: keptFields([]),
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
  });

describe('an import with concurrent live hits on its pages', () => {
  it('ends in the same process, and is undone, with every hit counted once', { timeout: TIMEOUT_MS }, async () => {
    const site = 'here.example.org';
    const source = memorySource(linesUpTo(new Date()));
    const enlisted = await enlistFile(test.db, source, { site, options, file: null }, new Date());
    if (!('document' in enlisted)) throw new Error(enlisted.message);
    const { _id } = enlisted.document;
    const recorded = await besideHits(test.db, site, async () => {
      expect(await importer().run(_id, source)).toMatchObject({ state: 'FINISHED', imported: LINES, hits: LINES });
    });
    expect(await hitsOf(site)).toEqual({ days: recorded + LINES, months: recorded + LINES });
    const more = await besideHits(test.db, site, async () => {
      await requestUndo(test.db, testAct(), _id);
      expect(await importer().run(_id)).toMatchObject({ state: 'UNDONE', hits: 0 });
    });
    expect(await hitsOf(site)).toEqual({ days: recorded + more, months: recorded + more });
    expect(await findFirstViolations(test.db, [analytics], 5)).toEqual([]);
  });

  it('ends in another process, with every hit counted once', { timeout: TIMEOUT_MS }, async () => {
    const site = 'there.example.org';
    const path = join(await temporaryFolder(), 'access.log');
    await writeFile(path, `${linesUpTo(new Date()).join('\n')}\n`);
    const place = { MONGODB_URI: test.uri, MONGODB_DATABASE: test.db.databaseName };
    const recorded = await besideHits(test.db, site, async () => {
      const { code, errors } = await runSextant(['import-log', path, '--site', site], place);
      expect(code, errors).toBe(0);
    });
    expect(await logImports(test.db).findOne({ site })).toMatchObject({ state: 'FINISHED', hits: LINES });
    expect(await hitsOf(site)).toEqual({ days: recorded + LINES, months: recorded + LINES });
    expect(await findFirstViolations(test.db, [analytics], 5)).toEqual([]);
  });
});
