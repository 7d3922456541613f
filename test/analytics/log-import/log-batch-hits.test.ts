/** Counting the hits of batches in parts: even if processes die or pause between any two parts, each hit counts once. */
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { analytics } from '../../../src/models/analytics/domain.js';
import { dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { createHitRecorder } from '../../../src/models/analytics/hits/hit-recorder.js';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import {
  type BatchDocument,
  findLastBatches,
  logBatches,
  storeBatch,
} from '../../../src/models/analytics/log-import/log-batch.js';
import { contentOf } from '../../../src/models/analytics/log-import/log-batch-content.js';
import { HitCounting } from '../../../src/models/analytics/log-import/log-batch-hits.js';
import { undoLastBatch } from '../../../src/models/analytics/log-import/log-batch-undo.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import {
  LeaseLostError,
  type LogImportDocument,
  logImports,
} from '../../../src/models/analytics/log-import/log-import.js';
import { takeUp } from '../../../src/models/analytics/log-import/log-import-run.js';
import { BEGINNING, type LineBatch } from '../../../src/models/analytics/log-import/log-reader.js';
import { findFirstViolations } from '../../../src/models/violation.js';
import { useDatabase } from '../../support/database.js';
import { logLine, memorySource } from '../log/log-support.js';

const test = useDatabase({ checked: false });
const now = new Date('2026-01-01T00:00:00Z');
const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;
const PAGES = 6;
const LINES = 12;
let sites = 0;

class Died extends Error {}

/** A process that works on an import until it dies, or pauses and continues with its old state. */
class Process {
  held: LogImportDocument | null = null;
  #parts = 0;

  /** @param file the file that every process reads */
  constructor(readonly file: ImportedFile) {}

  /** Counts hits, and dies after this number of parts. */
  counting(parts: number): HitCounting {
    this.#parts = parts;
    const between = () => {
      this.#parts -= 1;
      if (this.#parts < 0) throw new Died();
    };
    return new HitCounting(test.db, { documentsMax: 3, between });
  }

  async take(): Promise<void> {
    this.file.token += 1;
    const lease = { name: 'test', holder: 'test', token: this.file.token };
    this.held = await takeUp(test.db, this.file.id, lease, memorySource(['']), now);
    if (this.held) await this.counting(Number.POSITIVE_INFINITY).countLeft(this.held);
  }

  async store(): Promise<void> {
    if (this.held?.checkpoint.lines !== this.held?.lines) return; // undone lines are not read again
    if (this.held) this.held = (await storeBatch(test.db, this.held, this.file.batchAfter(this.held))).held;
  }

  async count(parts: number): Promise<void> {
    if (!this.held) return;
    const records = await logBatches(test.db).find({ import: this.file.id, uncounted: true }).toArray();
    await this.counting(parts).count(this.held, records);
  }

  async undo(parts: number): Promise<void> {
    if (this.held) this.held = (await undoLastBatch(test.db, this.held, this.counting(parts))) ?? this.held;
  }
}

class ImportedFile {
  token = 0;

  constructor(
    readonly id: string,
    readonly site: string,
  ) {}

  /** A batch that follows the stored ones: its lines depend on its start, like those of a file. */
  batchAfter({ _id, site, lines, checkpoint }: LogImportDocument, count = LINES, pages = PAGES) {
    const texts = Array.from({ length: count }, (_, index) => {
      const line = lines + index;
      const day = String(1 + (line % 3)).padStart(2, '0');
      return logLine({ path: `/${(line * 5) % pages}`, time: `${day}/May/2025:10:0${line % 7}:00 +0000` });
    });
    const bytes = checkpoint.bytes + texts.reduce((sum, text) => sum + text.length + 1, 0);
    const to = { bytes, lines: lines + count, sha256: createHash('sha256').update(String(bytes)).digest('hex') };
    const buffers = texts.map((text) => Buffer.from(text));
    const batch: LineBatch = {
      lines: buffers,
      firstLine: lines + 1,
      from: { ...BEGINNING, ...checkpoint },
      to,
      isTail: false,
    };
    const rules = { keep: keptFields([]), latestMs: now.getTime(), earliestMs: 0 };
    return contentOf({ _id, site, options }, batch, rules);
  }
}

async function begin(): Promise<ImportedFile> {
  sites += 1;
  const site = `property${sites}.example`;
  const source = memorySource([logLine({ path: `/${site}` })]);
  const enlisted = await enlistFile(test.db, source, { site, options, file: null }, now);
  if (!('document' in enlisted)) throw new Error(enlisted.message);
  return new ImportedFile(enlisted.document._id, site);
}

/** Hits by page, from both kinds of counters. */
async function counters(site: string) {
  const sum = (counts: Record<string, number> = {}) => Object.values(counts).reduce((total, count) => total + count, 0);
  const [days, months] = [new Map<string, number>(), new Map<string, number>()];
  const add = (into: Map<string, number>, page: string, count: number) => into.set(page, (into.get(page) ?? 0) + count);
  for await (const { metadata, hourly } of dailyHits(test.db).find({ 'metadata.site': site }))
    add(days, metadata.page, sum(hourly));
  for await (const { metadata, daily } of monthlyHits(test.db).find({ 'metadata.site': site }))
    add(months, metadata.page, sum(daily));
  return { days: Object.fromEntries(days), months: Object.fromEntries(months) };
}

function sumsOf(records: readonly BatchDocument[], live: Readonly<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = { ...live };
  for (const { hits } of records) for (const { page, count } of hits) sums[page] = (sums[page] ?? 0) + count;
  return sums;
}

const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('take' as const), who: fc.nat(1) }),
    fc.record({ step: fc.constant('store' as const), who: fc.nat(1) }),
    fc.record({ step: fc.constant('count' as const), who: fc.nat(1), parts: fc.nat(4) }),
    fc.record({ step: fc.constant('count' as const), who: fc.nat(1), parts: fc.nat(4) }),
    fc.record({ step: fc.constant('undo' as const), who: fc.nat(1), parts: fc.nat(4) }),
    fc.record({ step: fc.constant('both' as const), parts: fc.nat(4) }),
    fc.record({ step: fc.constant('live' as const), page: fc.nat(PAGES - 1) }),
  ),
  { minLength: 5, maxLength: 25 },
);

type Schedule = typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never;

/**
 * One process dies while it counts, the other one takes over and dies while it undoes, and the first one continues with its old state:
 * four deaths, three lost leases, three undoings.
 */
const deathsAndTakeovers = (parts: number, page: number): Schedule => [
  { step: 'count', who: 0, parts },
  { step: 'live', page },
  { step: 'take', who: 1 },
  { step: 'store', who: 0 },
  { step: 'undo', who: 0, parts },
  { step: 'undo', who: 1, parts },
  { step: 'take', who: 1 },
  { step: 'store', who: 0 },
  { step: 'store', who: 1 },
  { step: 'count', who: 1, parts },
  { step: 'live', page },
  { step: 'undo', who: 1, parts },
];

/** Random schedules rarely reach all of it, so these always run. */
const certain = [0, 1].flatMap((parts) => [0, 1, 2].map((page) => deathsAndTakeovers(parts, page)));
const RANDOM_SCHEDULES = 40;

describe('the hits of batches', () => {
  it('count once each, no matter which process counts or undoes them, dies or pauses', {
    timeout: 300_000,
  }, async () => {
    const reached = { died: 0, lost: 0, undone: 0 };
    const recorder = createHitRecorder({ client: test.client, db: test.db, waitingMax: 1000 });
    const survive = async (work: Promise<unknown>) => {
      await work.catch((error: unknown) => {
        if (error instanceof Died) reached.died += 1;
        else if (error instanceof LeaseLostError) reached.lost += 1;
        else throw error;
      });
    };
    await fc.assert(
      fc.asyncProperty(steps, async (schedule) => {
        const file = await begin();
        const live: Record<string, number> = {};
        const processes = [new Process(file), new Process(file)] as const;
        await processes[0].take();
        await processes[0].store();
        for (const each of schedule) {
          if (each.step === 'live') {
            const page = `/${each.page}`;
            live[page] = (live[page] ?? 0) + 1;
            await recorder.record([{ site: file.site, page, at: new Date('2025-05-02T10:00:00Z') }], 'ACKNOWLEDGED');
          } else if (each.step === 'both') {
            await Promise.all([survive(processes[0].count(each.parts)), survive(processes[1].undo(each.parts))]);
          } else {
            const process = processes[each.who as 0 | 1];
            if (each.step === 'take' || each.step === 'store') await survive(process[each.step]());
            else await survive(process[each.step](each.parts));
            if (each.step === 'undo') reached.undone += 1;
          }
        }
        const last = new Process(file);
        await last.take();
        const records = await logBatches(test.db).find({ import: file.id }).toArray();
        const sums = sumsOf(records, live);
        expect(await counters(file.site)).toEqual({ days: sums, months: sums });
        expect(records.filter(({ uncounted }) => uncounted)).toEqual([]);
        while ((await findLastBatches(test.db, file.id, 1)).length > 0) await last.undo(Number.POSITIVE_INFINITY);
        expect(await counters(file.site)).toEqual({ days: live, months: live });
        expect(await logImports(test.db).findOne({ _id: file.id })).toMatchObject({ lines: 0, hits: 0, imported: 0 });
        for (const process of processes) {
          await survive(process.count(2));
          await survive(process.undo(2));
        }
        expect(await counters(file.site)).toEqual({ days: live, months: live });
      }),
      { examples: certain.map((schedule) => [schedule]), numRuns: certain.length + RANDOM_SCHEDULES },
    );
    await recorder.close();
    expect(reached.died).toBeGreaterThanOrEqual(4 * certain.length);
    expect(reached.lost).toBeGreaterThanOrEqual(3 * certain.length);
    expect(reached.undone).toBeGreaterThanOrEqual(3 * certain.length);
    expect(await findFirstViolations(test.db, [analytics], 5)).toEqual([]);
  });

  it('are counted in large parts while nobody else writes, and in small parts next to live hits', async () => {
    const recorder = createHitRecorder({ client: test.client, db: test.db, waitingMax: 1000 });
    const countAPageEach = async (pages: number) => {
      const process = new Process(await begin());
      await process.take();
      if (!process.held) throw new Error('The import was not taken up');
      const { held, record } = await storeBatch(
        test.db,
        process.held,
        process.file.batchAfter(process.held, pages, pages),
      );
      let parts = 0;
      const counting = new HitCounting(test.db, {
        between: () => {
          parts += 1;
        },
      });
      await counting.count(held, [record]);
      return parts;
    };
    // The fewest parts of three times: any other write on the server may delay a part's snapshot, and a part that conflicts becomes smaller.
    const countThrice = async (before: () => Promise<unknown>) => {
      let fewest = Number.POSITIVE_INFINITY;
      for (let time = 0; time < 3; time += 1) {
        await before();
        fewest = Math.min(fewest, await countAPageEach(161));
      }
      return fewest;
    };
    const hit = { site: 'live.example', page: '/', at: now };
    expect(await countThrice(() => recorder.record([hit], 'ACKNOWLEDGED'))).toBe(6); // 322 days and months, 64 in a part
    const later = performance.now() + 6_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    expect(await countThrice(() => Promise.resolve())).toBe(3); // 160 in a part
    vi.restoreAllMocks();
    await recorder.close();
  });

  it('count once each when a failover rolls back the part that completed a batch', async () => {
    const file = await begin();
    const process = new Process(file);
    await process.take();
    await process.store();
    await process.store();
    const records = await logBatches(test.db).find({ import: file.id }).toArray();
    // What a holder believes whose last part was acknowledged and then rolled back: one batch is counted completely, another partly.
    const believed = records.map((record, index) => ({ ...record, counted: index === 0 ? record.hits.length : 2 }));
    if (process.held) await process.counting(Number.POSITIVE_INFINITY).count(process.held, believed);
    const sums = sumsOf(records, {});
    expect(await counters(file.site)).toEqual({ days: sums, months: sums });
    expect(await logBatches(test.db).countDocuments({ import: file.id, uncounted: true })).toBe(0);
  });

  it('are counted completely if their batch was stored before hits were counted in parts, and can be undone', async () => {
    const file = await begin();
    const process = new Process(file);
    await process.take();
    await process.store();
    await process.count(Number.POSITIVE_INFINITY);
    await logBatches(test.db).updateOne({ import: file.id }, { $unset: { counted: '', counted_by: '' } });
    await process.take();
    await expect(process.undo(1)).rejects.toThrow(Died);
    await process.take(); // counts them again, because the batch is still stored
    expect((await counters(file.site)).days).toEqual(
      sumsOf(await logBatches(test.db).find({ import: file.id }).toArray(), {}),
    );
    await process.undo(Number.POSITIVE_INFINITY);
    expect(await counters(file.site)).toEqual({ days: {}, months: {} });
  });
});
