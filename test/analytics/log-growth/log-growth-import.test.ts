/** Imports into a log with each strategy: every line counts once, even if processes die or pause, and imports can be undone. */
import { describe, expect, it } from 'vitest';
import { analytics } from '../../../src/models/analytics/domain.js';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import { activeSegment, findGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { isTransactional } from '../../../src/models/analytics/log-growth/log-segment.js';
import { storeBatch } from '../../../src/models/analytics/log-import/log-batch.js';
import { type BatchContent, contentOf } from '../../../src/models/analytics/log-import/log-batch-content.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import {
  findLogImport,
  LeaseLostError,
  type LogImportDocument,
  type LogImportOptions,
  logImports,
} from '../../../src/models/analytics/log-import/log-import.js';
import { takeUp } from '../../../src/models/analytics/log-import/log-import-run.js';
import { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import {
  noteInFlight,
  removeLooseBatch,
  storeLooseBatch,
} from '../../../src/models/analytics/log-import/log-loose-batch.js';
import { readBatches } from '../../../src/models/analytics/log-import/log-reader.js';
import { type LogSource, openUnpacked } from '../../../src/models/analytics/log-import/log-source.js';
import { findFirstViolations } from '../../../src/models/violation.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { logLine, memorySource } from '../log/log-support.js';
import { allPages, change, goals } from './log-growth-support.js';

const test = useDatabase();
const now = new Date();
const TIME = '17/May/2026:10:05:03 +0000';
const LINES = 1200; // two batches
const options: LogImportOptions = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false };
const strategies = Object.keys(goals) as (keyof typeof goals)[];

const file = (site: string, lines = LINES) =>
  memorySource(Array.from({ length: lines }, (_, line) => logLine({ time: TIME, path: `/${site}/${line}` })));

const importer = () =>
  new LogImporter(test.db, {
    holder: 'test',
    keep: keptFields([]),
    now: () => now,
    onFault: (error) => {
      throw error;
    },
  });

async function enlist(site: string, source: LogSource): Promise<LogImportDocument> {
  const enlisted = await enlistFile(test.db, source, { site, options, file: null }, now);
  if (!('document' in enlisted)) throw new Error(enlisted.message);
  return enlisted.document;
}

const lease = (id: string, token: number) => ({ name: `log-import ${id}`, holder: 'test', token });

async function take(id: string, token: number, source: LogSource): Promise<LogImportDocument> {
  const taken = await takeUp(test.db, id, lease(id, token), source, now);
  if (!taken) throw new Error('The import was not taken up');
  return taken;
}

async function firstBatch(held: LogImportDocument, source: LogSource): Promise<BatchContent> {
  for await (const batch of readBatches((await openUnpacked(source)).bytes, held.checkpoint)) {
    const latestMs = now.getTime();
    return contentOf(held, batch, { keep: keptFields([]), latestMs, earliestMs: 0 });
  }
  throw new Error('The file has no batch');
}

/** Simulates that the dead process's lease expires, with a token above those used by the test. */
async function runLater(id: string, source: LogSource): Promise<unknown> {
  await test.db
    .collection('leases')
    .updateOne(
      { _id: `log-import ${id}` as never },
      { $set: { token: 10, holder: 'dead', expires_at: new Date(0) } },
      { upsert: true },
    );
  return importer().run(id, source);
}

const stored = async (site: string) => (await allPages(test.db, { site }, 500, now)).map(({ path }) => path);
const all = (site: string, lines = LINES) => Array.from({ length: lines }, (_, line) => `/${site}/${line}`);

describe.each(strategies)('an import into a log with the strategy %s', (strategy) => {
  const name = strategy.toLowerCase().replaceAll('_', '-');

  it('stores every line once, and undoes all of them', async () => {
    await change(test.db, goals[strategy], now);
    const site = `${name}.example.org`;
    const { _id } = await enlist(site, file(site));
    expect(await importer().run(_id, file(site))).toMatchObject({ state: 'FINISHED', imported: LINES, hits: LINES });
    expect((await stored(site)).sort()).toEqual(all(site).sort());
    expect(await findLogImport(test.db, _id)).not.toHaveProperty('in_flight');
    await logImports(test.db).updateOne({ _id }, { $set: { state: 'UNDOING' } });
    expect(await importer().run(_id)).toMatchObject({ state: 'UNDONE', imported: 0, hits: 0 });
    expect(await stored(site)).toEqual([]);
  });

  it('continues in another collection when the strategy changes during the import', async () => {
    await change(test.db, goals[strategy], now);
    const site = `${name}-changing.example.org`;
    const { _id } = await enlist(site, file(site));
    const held = await take(_id, 1, file(site));
    await storeBatch(test.db, held, await firstBatch(held, file(site)));
    await change(test.db, strategy === 'CAPPED' ? goals.TIME_SERIES : goals.CAPPED, now);
    expect(await runLater(_id, file(site))).toMatchObject({ state: 'FINISHED', imported: LINES });
    expect((await stored(site)).sort()).toEqual(all(site).sort());
    await logImports(test.db).updateOne({ _id }, { $set: { state: 'UNDOING' } });
    await expireLeases(test.db);
    expect(await importer().run(_id)).toMatchObject({ state: 'UNDONE' });
    expect(await stored(site)).toEqual([]);
  });

  it('counts a batch once whose lines were stored by a process that died, or paused and wrote later', async () => {
    await change(test.db, goals[strategy], now);
    const segment = activeSegment(await findGrowth(test.db));
    if (isTransactional(segment)) return; // a transaction leaves no uncommitted lines: see `log-import.test.ts`
    const site = `${name}-left.example.org`;
    const { _id } = await enlist(site, file(site));
    const sleeper = await take(_id, 1, file(site));
    const batch = await firstBatch(sleeper, file(site));
    const loose = { import: _id, first_line: 1, token: sleeper.token };
    const store = () => storeLooseBatch(test.db, 'MAJORITY', segment, batch.events, loose, () => undefined);
    await noteInFlight(test.db, sleeper, segment, 1);
    expect(await store()).toBe(true);
    expect(await runLater(_id, file(site))).toMatchObject({ state: 'FINISHED', imported: LINES });
    expect((await stored(site)).sort()).toEqual(all(site).sort());
    await store(); // the paused process resumes
    await removeLooseBatch(test.db, segment, loose); // as it does when it notices that its lease is lost
    expect((await stored(site)).sort()).toEqual(all(site).sort());
    await expect(storeBatch(test.db, sleeper, batch)).rejects.toThrow(LeaseLostError);
    expect((await stored(site)).sort()).toEqual(all(site).sort());
  });
});

describe('lines outside of the retention window', () => {
  it('are counted with their reason, and not stored', async () => {
    await change(test.db, { strategy: 'TTL', maxAge: { ms: 3_600_000 } }, now);
    const site = 'old.example.org';
    const recent = now.toISOString().replace(/^(\d+)-(\d+)-(\d+)T(.{8}).*$/, (_, year, month, day, clock) => {
      const name = new Date(`2026-${month}-01T00:00:00Z`).toLocaleString('en', { month: 'short', timeZone: 'UTC' });
      return `${day}/${name}/${year}:${clock} +0000`;
    });
    const old = Array.from({ length: 1000 }, () => logLine({ time: TIME })); // a whole batch: newer lines may follow
    const source = memorySource([...old, logLine({ time: recent, path: '/new' })]);
    const { _id } = await enlist(site, source);
    expect(await importer().run(_id, source)).toMatchObject({
      state: 'FINISHED',
      lines: 1001,
      imported: 1,
      hits: 1,
      rejected: 1000,
      reject_reasons: { OUTSIDE_WINDOW: 1000 },
    });
    expect(await stored(site)).toEqual(['/new']);
  });
});

describe('all these imports together', () => {
  it('violate no invariants', async () => {
    expect(await findFirstViolations(test.db, [analytics], 5)).toEqual([]);
  });
});
