import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import { logEvents } from '../../../src/models/analytics/log-growth/log-segment.js';
import { logBatches, storeBatch } from '../../../src/models/analytics/log-import/log-batch.js';
import { type BatchContent, contentOf } from '../../../src/models/analytics/log-import/log-batch-content.js';
import { HitCounting } from '../../../src/models/analytics/log-import/log-batch-hits.js';
import { undoLastBatch } from '../../../src/models/analytics/log-import/log-batch-undo.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import {
  findLogImport,
  findRejectedLines,
  LeaseLostError,
  type LogImportDocument,
  logImports,
  logRejects,
  progressOf,
  requestUndo,
} from '../../../src/models/analytics/log-import/log-import.js';
import { readImport, StoppedError, takeUp } from '../../../src/models/analytics/log-import/log-import-run.js';
import { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import { readBatches } from '../../../src/models/analytics/log-import/log-reader.js';
import { type LogSource, openUnpacked } from '../../../src/models/analytics/log-import/log-source.js';
import { findSite } from '../../../src/models/analytics/sites/site.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { logLine, memorySource } from '../log/log-support.js';
import { everything, now, useImports } from './log-import-support.js';

const database = useDatabase();
const { site, importer, enlist, importAll, hitsOf, violations, events } = useImports(database);

describe('importing a log', () => {
  it('stores each line as a request, and counts each displayed page as a hit', async () => {
    const lines = [
      logLine({ path: '/a?x=1' }),
      logLine({ path: '/a', status: 304 }),
      logLine({ path: '/a', status: 404 }),
      logLine({ path: '/a', method: 'POST' }),
      'no log line',
      logLine({ path: '/b', agent: 'Googlebot/2.1' }),
    ];
    const done = await importAll(memorySource(lines));
    expect(done).toMatchObject({
      state: 'FINISHED',
      site: site(),
      file_name: 'access.log',
      lines: 6,
      imported: 5,
      hits: 3,
      rejected: 1,
      reject_reasons: { NO_TIME: 1 },
      bytes_read: Buffer.byteLength(`${lines.join('\n')}\n`),
    });
    expect(await events()).toBe(5);
    expect(await hitsOf('/a')).toEqual({ days: 2, months: 2 });
    expect(await hitsOf('/b')).toEqual({ days: 1, months: 1 });
    const { edges } = await findRejectedLines(database.db, done._id, { first: 10 });
    expect(edges.map(({ node }) => node)).toMatchObject([{ line: 5, reason: 'NO_TIME', raw: 'no log line' }]);
    expect(await violations()).toEqual([]);
  });

  it('can exclude the hits of robots, or all hits', async () => {
    const lines = [logLine({ path: '/a', agent: 'Googlebot/2.1' }), logLine({ path: '/a' })];
    const withoutRobots = await importAll(memorySource(lines), { ...everything, leave_out_robots: true });
    expect(withoutRobots).toMatchObject({ imported: 2, hits: 1 });
    const withoutHits = await importAll(memorySource([...lines].reverse()), { ...everything, count_hits: false });
    expect(withoutHits).toMatchObject({ imported: 2, hits: 0 });
    expect(await hitsOf('/a')).toEqual({ days: 1, months: 1 });
  });

  it('stores only the fields that are kept, and still counts hits', async () => {
    await importAll(memorySource([logLine({ path: '/a?secret' })]), everything, importer(keptFields(['method'])));
    const [event] = await logEvents(database.db).find({ site: site() }).toArray();
    expect(Object.keys(event ?? {}).sort()).toEqual(['_id', 'host', 'import', 'method', 'site', 'status', 'time']);
    expect(await hitsOf('/a')).toEqual({ days: 1, months: 1 });
  });

  it.each([
    ['gzip', (bytes: Buffer) => gzipSync(bytes)],
    [
      'gzip of several members',
      (bytes: Buffer) => Buffer.concat([gzipSync(bytes.subarray(0, 70)), gzipSync(bytes.subarray(70))]),
    ],
    ['chunks of one byte', (bytes: Buffer) => bytes],
  ])('reads %s', async (name, pack) => {
    const lines = Array.from({ length: 50 }, (_, index) => logLine({ path: `/${index}` }));
    const bytes = pack(Buffer.from(`${lines.join('\n')}\n`));
    const done = await importAll(memorySource(bytes, { chunkBytes: name === 'chunks of one byte' ? 1 : 10 }));
    expect(done).toMatchObject({ state: 'FINISHED', lines: 50, imported: 50, hits: 50 });
  });

  it('rejects lines that are too long, contain NUL, are not UTF-8 or in the future, by number and reason', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${logLine({})}\n`),
      Buffer.from(`${'x'.repeat(1024 * 1024)}\n`),
      Buffer.from(`${logLine({ path: '/\0' })}\n`),
      Buffer.from(`${logLine({ path: '/é' })}\n`, 'latin1'),
      Buffer.from(`${logLine({ time: '02/Jan/2026:00:00:01 +0000' })}\n`),
      Buffer.from(`${logLine({ time: '02/Jan/2026:00:00:00 +0000' })}\n\n`),
    ]);
    const done = await importAll(memorySource(bytes));
    expect(done).toMatchObject({ lines: 7, imported: 2, rejected: 5 });
    const rejects = await logRejects(database.db).find({ import: done._id }).sort({ _id: 1 }).toArray();
    expect(rejects.map(({ line, reason, raw }) => [line, reason, Buffer.byteLength(raw)])).toEqual([
      [2, 'TOO_LONG', 4096],
      [3, 'NUL', logLine({ path: '/\0' }).length],
      [4, 'NOT_UTF8', logLine({ path: '/é' }).length + 2],
      [5, 'TIME_AHEAD', logLine({}).length],
      [7, 'EMPTY', 0],
    ]);
  });

  it('lists the site with the first valid line, and not for a file that is not a log', async () => {
    expect(await importAll(memorySource(['no log', 'at all']))).toMatchObject({ state: 'FINISHED', rejected: 2 });
    expect(await findSite(database.db, site())).toBeNull();
    await importAll(memorySource([logLine({})]));
    expect(await findSite(database.db, site())).toMatchObject({ _id: site() });
  });

  it('keeps the first 10,000 rejects and counts the others', async () => {
    const lines = Array.from({ length: 10_500 }, (_, index) => (index === 0 ? logLine({}) : `bad ${index}`));
    const done = await importAll(memorySource(lines));
    expect(done).toMatchObject({ imported: 1, rejected: 10_499, reject_reasons: { NO_TIME: 10_499 } });
    expect(await logRejects(database.db).countDocuments({ import: done._id })).toBe(10_000);
  });

  it('stops when none of the first 1,000 lines can be parsed, and can then be retried with another format', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => logLine({ path: `/${index}` }));
    const refused = await importAll(memorySource(lines), { ...everything, format: 'COMMON' });
    expect(refused).toMatchObject({ state: 'FAILED', lines: 1000, imported: 0, hits: 0 });
    expect(refused.failure).toBe(
      'None of the first 1000 lines can be read as an access log. The line has more fields than the common format',
    );
    const done = await importAll(memorySource(lines), { ...everything, format: 'COMBINED' });
    expect(done).toMatchObject({ state: 'FINISHED', lines: 2500, imported: 2500 });
    expect(done._id).not.toBe(refused._id);
  });

  it.each([
    ['empty', Buffer.alloc(0), 'The file is empty'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108', 'hex'), 'The file is not text'],
    ['gzip of nothing', gzipSync(''), 'The file is empty'],
  ])('refuses a file that is %s', async (_case, bytes, message) => {
    const refusal = await enlistFile(
      database.db,
      memorySource(bytes),
      { site: site(), options: everything, file: null },
      now(),
    );
    expect(refusal).toEqual({ __typename: 'LogFileRefused', message });
    expect(await logImports(database.db).countDocuments({ site: site() })).toBe(0);
  });

  it('keeps what was read of a truncated gzip file, and continues when it is complete', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) =>
      logLine({ path: `/${createHash('md5').update(`${index}`).digest('hex')}` }),
    );
    const packed = gzipSync(`${lines.join('\n')}\n`);
    const failed = await importAll(memorySource(packed.subarray(0, packed.length / 2)));
    expect(failed).toMatchObject({ state: 'FAILED', failure: 'The gzip file is truncated' });
    expect(failed.imported).toBe(failed.lines);
    expect([1000, 2000]).toContain(failed.lines);
    const done = await importAll(memorySource(packed));
    expect(done).toMatchObject({ _id: failed._id, state: 'FINISHED', lines: 5000, imported: 5000, hits: 5000 });
    expect(done).not.toHaveProperty('failure');
    expect(await events()).toBe(5000);
  });

  it('reports how much of a gzip file is stored, and how much of it is undone', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) =>
      logLine({ path: `/${createHash('md5').update(`${index}`).digest('hex')}` }),
    );
    const shares: number[] = [];
    const telling = new LogImporter(database.db, {
      holder: 'test',
      keep: keptFields([]),
      now,
      onFault: (error) => {
        throw error;
      },
      onProgress: (held) => shares.push(Math.round((progressOf(held) ?? 0) * 10)),
    });
    const done = await importAll(memorySource(gzipSync(`${lines.join('\n')}\n`)), everything, telling);
    expect(shares).toEqual([2, 4, 6, 8, 10]);
    shares.length = 0;
    await requestUndo(database.db, testAct(), done._id);
    await telling.run(done._id);
    expect(shares).toEqual([2, 4, 6, 8, 10]);
  });

  it('fails with a reason at a line that never ends', async () => {
    const source: LogSource = {
      name: 'endless',
      size: null,
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.from(`${logLine({})}\n`);
            for (;;) yield Buffer.alloc(65_536, 'x');
          })(),
        ),
    };
    expect(await importAll(source)).toMatchObject({
      state: 'FAILED',
      failure: 'Line 2 exceeds 16 MiB: this is not an access log',
    });
  });
});

describe('an import that ends with an error while its hits cannot be counted', () => {
  it.each([
    ['that error, if the import is retried', new Error('The loop'), 'The loop'],
    ['the failure to count, if the import would otherwise end', new StoppedError('The loop'), 'The counting'],
  ])('reports %s', async (_case, error, told) => {
    const source = memorySource([logLine({ path: '/a' })]);
    const { _id } = await enlist(source);
    const held = await takeUp(database.db, _id, { token: 1 }, source, now());
    if (!held) throw new Error('The import was not taken up');
    const hits = new HitCounting(database.db, {
      between: () => {
        throw new Error('The counting');
      },
    });
    const between = () => {
      throw error;
    };
    const options = { hits, now, keep: keptFields([]), between, onOther: () => undefined };
    await expect(readImport(database.db, held, source, options)).rejects.toThrow(told);
    const again = await takeUp(database.db, _id, { token: 2 }, source, now());
    if (!again) throw new Error('The import was not taken up');
    const freely = { ...options, hits: new HitCounting(database.db), between: () => undefined };
    const done = await readImport(database.db, again, source, freely);
    expect(done).toMatchObject({ state: 'FINISHED', imported: 1, hits: 1 });
    expect(await hitsOf('/a')).toEqual({ days: 1, months: 1 });
    expect(await violations()).toEqual([]);
  });
});

describe('a holder whose import was taken over by another', () => {
  it('can no longer store or undo anything', async () => {
    const source = memorySource(Array.from({ length: 1500 }, (_, index) => logLine({ path: `/${index % 2}` })));
    const { _id } = await enlist(source);
    const lease = (token: number) => ({ name: `log-import ${_id}`, holder: 'test', token });
    const sleeper = await takeUp(database.db, _id, lease(1), source, now());
    if (!sleeper) throw new Error('The import was not taken up');
    const [first, second] = await batchesOf(sleeper, source);
    if (!first || !second) throw new Error('The file has fewer than two batches');
    const hits = new HitCounting(database.db);
    const { held: moved, record } = await storeBatch(database.db, sleeper, first);
    await hits.count(moved, [record]);
    const other = await takeUp(database.db, _id, lease(2), source, now());
    if (!other) throw new Error('The import was not taken up');
    await hits.countLeft(other);
    await expect(storeBatch(database.db, moved, second)).rejects.toThrow(LeaseLostError);
    await expect(undoLastBatch(database.db, moved, hits)).rejects.toThrow(LeaseLostError);
    expect(await takeUp(database.db, _id, lease(1), source, now())).toBeNull();
    expect(await findLogImport(database.db, _id)).toEqual(other);
    expect(await events()).toBe(1000);
    expect(await hitsOf('/0')).toEqual({ days: 500, months: 500 });
  });

  async function batchesOf(held: LogImportDocument, source: LogSource): Promise<BatchContent[]> {
    const batches: BatchContent[] = [];
    for await (const batch of readBatches((await openUnpacked(source)).bytes, held.checkpoint)) {
      batches.push(contentOf(held, batch, { keep: keptFields([]), latestMs: now().getTime(), earliestMs: 0 }));
    }
    return batches;
  }
});

describe('undoing an import', () => {
  it('removes its requests and hits, and keeps those of others', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => logLine({ path: `/${index % 3}` }));
    await importAll(memorySource([logLine({ path: '/0' })]));
    const before = await hitsOf('/0');
    const done = await importAll(memorySource(Buffer.from(lines.slice(1).join('\n'))));
    expect(await requestUndo(database.db, testAct(), done._id)).toMatchObject({ state: 'UNDOING' });
    const undone = await importer().run(done._id);
    expect(undone).toMatchObject({ state: 'UNDONE', lines: 0, imported: 0, hits: 0, rejected: 0, bytes_read: 0 });
    expect(await events()).toBe(1);
    expect(await hitsOf('/0')).toEqual(before);
    for (const hits of [dailyHits(database.db), monthlyHits(database.db)])
      expect(await hits.distinct('metadata.page', { 'metadata.site': site() })).toEqual(['/0']); // the other documents are empty and removed
    expect(await logBatches(database.db).countDocuments({ import: done._id })).toBe(0);
    expect(await violations()).toEqual([]);
    const again = await importAll(memorySource(Buffer.from(lines.slice(1).join('\n'))));
    expect(again).toMatchObject({ state: 'FINISHED', imported: 2499 });
    expect(again._id).not.toBe(done._id);
  });

  it('is refused while the import is running, and leaves it to its holder', async () => {
    const source = memorySource([logLine({ path: '/a' })]);
    const { _id } = await enlist(source);
    const held = await takeUp(database.db, _id, { token: 1 }, source, now());
    if (!held) throw new Error('The import was not taken up');
    expect(await requestUndo(database.db, testAct(), _id)).toMatchObject({
      __typename: 'LogImportBusy',
      message: 'The import is still running',
      import: { _id, state: 'RUNNING' },
    });
    const options = { hits: new HitCounting(database.db), now, keep: keptFields([]), onOther: () => undefined };
    const done = await readImport(database.db, held, source, { ...options, between: () => undefined });
    expect(done).toMatchObject({ state: 'FINISHED', imported: 1, hits: 1 });
  });

  it('is refused while the import is being undone, and recorded once', async () => {
    const done = await importAll(memorySource([logLine({ path: '/a' })]));
    await requestUndo(database.db, testAct(), done._id);
    const undoing = await findLogImport(database.db, done._id);
    expect(await requestUndo(database.db, testAct(), done._id)).toMatchObject({
      __typename: 'LogImportBusy',
      message: 'The import is already being undone',
    });
    expect(await findLogImport(database.db, done._id)).toEqual(undoing);
    const deed = { action: 'LOG_IMPORT_UNDONE', detail: site() };
    expect(await database.db.collection('audit').countDocuments(deed)).toBe(1);
    expect(await importer().run(done._id)).toMatchObject({ state: 'UNDONE' });
  });

  it('is refused for an import that is unknown or waiting, and changes nothing', async () => {
    const document = await enlist(memorySource([logLine({})]));
    expect(await requestUndo(database.db, testAct(), 'none')).toMatchObject({ __typename: 'LogImportNotFound' });
    expect(await requestUndo(database.db, testAct(), document._id)).toMatchObject({ __typename: 'LogImportBusy' });
    expect(await findLogImport(database.db, document._id)).toEqual(document);
  });
});
