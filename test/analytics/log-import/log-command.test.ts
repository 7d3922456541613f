import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unfolded } from '../../../harness/command.js';
import type { FileOutcome } from '../../../src/cli/support/import-outcome.js';
import { monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { changeLogGrowth } from '../../../src/models/analytics/log-growth/log-growth-change.js';
import type { GrowthInput } from '../../../src/models/analytics/log-growth/log-growth-goal.js';
import { logEvents } from '../../../src/models/analytics/log-growth/log-segment.js';
import { logImports } from '../../../src/models/analytics/log-import/log-import.js';
import { DAY_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { fileOf, hitsOf, log, outcomes, type RunOptions, runSextantOn } from './import-command.js';

const database = useDatabase();
const sextant = (args: readonly string[], options?: RunOptions) => runSextantOn(database, args, options);

describe('sextant import-log', () => {
  it('imports several files, compressed or not, and standard input, in order', async () => {
    const files = [await fileOf(log(3)), await fileOf(gzipSync(log(4, (line) => `/packed/${line}`)), 'b.log.gz')];
    const site = 'files.example.org';
    const ended = await sextant(['import-log', ...files, '-', '--site', site, '--json'], {
      input: log(5, () => '/in'),
    });
    expect(ended.code).toBe(0);
    expect(outcomes(ended).map(({ file, state, lines, hits }) => [file, state, lines, hits])).toEqual([
      [files[0], 'FINISHED', 3, 3],
      [files[1], 'FINISHED', 4, 4],
      ['-', 'FINISHED', 5, 5],
    ]);
    expect(await hitsOf(database, site)).toBe(12);
  });

  it('reports the result of a file, and what is wrong with its lines', async () => {
    const path = await fileOf(Buffer.concat([log(2), Buffer.from('bad\n\nworse\n')]));
    const first = await sextant(['import-log', path, '--site', 'people.example.org', '--no-hits']);
    const [, id] = /undo-import (\w+)/.exec(first.output) ?? [];
    expect(unfolded(first.output.replace(/[\d.]+ s\n/, '0 s\n'))).toBe(
      unfolded(
        `${path}: 5 lines, 2 requests, 0 hits, 3 rejected, after 0 s\n` +
          '  2 x The line has no time in brackets, in the form [day/month/year:hour:minute:second zone]\n' +
          '  1 x The line is empty\n' +
          `  To undo it: sextant undo-import ${id}\n`,
      ),
    );
    const place = `${database.db.databaseName} at ${database.client.options.hosts.map(String).join(', ')}`;
    expect(first.errors).toContain(`Database: ${place}\n`);
    const again = await sextant(['import-log', path, '--site', 'people.example.org']);
    expect(unfolded(again.output)).toContain(`${path}: nothing new: 5 lines, 2 requests, 0 hits, 3 rejected`);
    expect(await sextant(['undo-import', id ?? ''])).toMatchObject({ code: 0, output: 'access.log: undone\n' });
    expect(await logEvents(database.db).countDocuments({ site: 'people.example.org' })).toBe(0);
  });

  it('reports that the database is new, in case the server uses another one', async () => {
    const environment = { MONGODB_DATABASE: `${database.db.databaseName}_new` };
    try {
      const ended = await sextant(['import-log', await fileOf(log(2)), '--site', 'new.example.org'], { environment });
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.errors).toContain('This database is new.');
    } finally {
      await database.client.db(environment.MONGODB_DATABASE).dropDatabase();
    }
  });

  it.each([
    ['a file that does not exist', ['import-log', '/nowhere/access.log', '--site', 'a.example'], 1],
    ['a file that is not text', ['import-log', process.execPath, '--site', 'a.example'], 1],
    ['an empty standard input', ['import-log', '-', '--site', 'a.example'], 1],
    ['a missing file argument', ['import-log', '--site', 'a.example'], 2],
    ['a missing site', ['import-log', 'access.log'], 2],
    ['an invalid hostname', ['import-log', 'access.log', '--site', 'a b'], 2],
    ['an unknown durability', ['import-log', 'access.log', '--site', 'a.example', '--durability', 'some'], 2],
    ['an unknown import to undo', ['undo-import', 'none'], 1],
  ])('refuses %s, and stores nothing', async (_case, args, code) => {
    expect(await sextant(args)).toMatchObject({ code });
    expect(await logImports(database.db).countDocuments({ site: 'a.example' })).toBe(0);
  });

  it('stops after a batch at Ctrl-C, and continues when it is started again', async () => {
    const path = await fileOf(log(30_000));
    const args = ['import-log', path, '--site', 'stopped.example.org', '--json'];
    const begun = () => logImports(database.db).findOne({ site: 'stopped.example.org', lines: { $gt: 0 } });
    const stopped = await sextant(args, {
      async during(kill) {
        await expect.poll(begun, { timeout: 20_000, interval: 5 }).not.toBeNull();
        kill('SIGINT');
      },
    });
    expect(stopped).toMatchObject({ code: 1, signal: null });
    const [{ state, failure, lines } = { lines: -1 }] = outcomes(stopped) as Partial<FileOutcome>[];
    expect({ state, failure }).toEqual({
      state: 'FAILED',
      failure: 'The import was stopped. Import the file again to continue',
    });
    expect((lines ?? 0) % 1000).toBe(0);
    expect(lines).toBeLessThan(30_000);
    expect(outcomes(await sextant(args))).toMatchObject([{ state: 'FINISHED', lines: 30_000, hits: 30_000 }]);
    expect(await hitsOf(database, 'stopped.example.org')).toBe(30_000);
  });

  it('reads a log to its end while it is rotated, and counts each line once', async () => {
    const site = 'rotated.example.org';
    const path = await fileOf(log(10_000));
    const run = (file: string) => sextant(['import-log', file, '--site', site, '--json']);
    const begun = () => logImports(database.db).findOne({ site, lines: { $gt: 0 } });
    const rotated = await sextant(['import-log', path, '--site', site, '--json'], {
      async during() {
        await expect.poll(begun, { timeout: 20_000, interval: 5 }).not.toBeNull();
        await rename(path, `${path}.1`);
        await writeFile(
          path,
          log(500, () => '/after'),
        );
      },
    });
    expect(outcomes(rotated)).toMatchObject([{ state: 'FINISHED', lines: 10_000, hits: 10_000 }]);
    expect(outcomes(await run(path))).toMatchObject([{ state: 'FINISHED', lines: 500, hits: 500 }]);
    expect(outcomes(await run(`${path}.1`))).toMatchObject([{ state: 'FINISHED', lines: 10_000, hits: 10_000 }]);
    expect(await hitsOf(database, site)).toBe(10_500);
  });

  it('imports a file once when two commands import it concurrently', async () => {
    const site = 'twice.example.org';
    const args = ['import-log', await fileOf(log(5000)), '--site', site, '--json'];
    const both = await Promise.all([sextant(args), sextant(args)]);
    for (const one of both) expect(outcomes(one)).toMatchObject([{ state: 'FINISHED', lines: 5000, hits: 5000 }]);
    expect(await hitsOf(database, site)).toBe(5000);
  });
});

const REAL = fileURLToPath(new URL('../../../../shared/data/access-logs/blog-combined.log.gz', import.meta.url));

describe.skipIf(!existsSync(REAL))('a published log (skipped if ../shared does not exist)', () => {
  it('has as many hits of a path as grep counts', async () => {
    const path = await fileOf(gunzipSync(readFileSync(REAL)));
    const site = 'real.example.org';
    expect(await sextant(['import-log', path, '--site', site])).toMatchObject({ code: 0 });
    for (const page of ['/', '/favicon.ico', '/style2.css', '/blog/tags/puppet', '/projects/xdotool/']) {
      const pattern = `"GET ${page.replaceAll('.', '\\.')}(\\?[^ "]*)? HTTP/[0-9.]+" (2[0-9][0-9]|304) `;
      const counted = Number(execFileSync('grep', ['-cE', pattern, path], { encoding: 'utf8' }));
      const months = await monthlyHits(database.db).find({ 'metadata.site': site, 'metadata.page': page }).toArray();
      const hits = months.flatMap(({ daily }) => Object.values(daily ?? {})).reduce((sum, count) => sum + count, 0);
      expect({ page, hits }).toEqual({ page, hits: counted });
      expect(counted).toBeGreaterThan(10);
    }
  });
});

// The last test: later ones would find their requests in another collection.
describe('an import into a log with a retention window', () => {
  it('reports in advance which lines are not kept, and then how many there were', async () => {
    const change = (input: GrowthInput) => changeLogGrowth(database.db, testAct(), input, new Date());
    await change({ strategy: 'TTL', maxAge: { ms: 30 * DAY_MS } });
    const { code, output, errors } = await sextant(['import-log', await fileOf(log(3)), '--site', 'old.example.org']);
    expect(code).toBe(0);
    expect(unfolded(errors)).toMatch(
      /The log keeps requests since \d{4}-\d\d-\d\dT[\d:.]+Z: older lines are rejected$/,
    );
    expect(output).toContain('3 lines, 0 requests, 0 hits, 3 rejected');
    expect(output).toContain('3 x The request is older than what the log keeps');
  });
});
