/**
 * Mistaken or malicious input to commands: they say what is wrong and where, exit with 2 for wrong usage and 1 for everything else,
 * and change nothing. A partly readable file is imported up to the unreadable part, and every unreadable line is named.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSextant, unfolded } from '../../harness/command.js';
import type { FileOutcome } from '../../src/cli/support/import-outcome.js';
import { dailyHits } from '../../src/models/analytics/hits/hit.js';
import { logEvents } from '../../src/models/analytics/log-growth/log-segment.js';
import { logImports, logRejects } from '../../src/models/analytics/log-import/log-import.js';
import { findLogImportViolations } from '../../src/models/analytics/log-import/log-import-invariants.js';
import { sites } from '../../src/models/analytics/sites/site.js';
import { logLine } from '../analytics/log/log-support.js';
import { useDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const database = useDatabase();
const settings = () => ({ MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });
const SITE = 'bad.example.org';

interface Row {
  /** The content of the file, or how it is created. */
  readonly file: Buffer | ((path: string) => unknown);
  readonly state: FileOutcome['state'];
  readonly lines?: number;
  readonly rejected?: { readonly line: number; readonly reason: RegExp };
  readonly failure?: RegExp;
}

/** Files are identified by their first lines, so each row has a different one. */
const log = (path: string, lines: number) =>
  Buffer.from(Array.from({ length: lines }, (_, line) => `${logLine({ path: `/${path}/${line}` })}\n`).join(''));
/** A good line, a bad one, a good one. */
const around = (path: string, bad: Buffer | string) =>
  Buffer.concat([log(`${path}/before`, 1), Buffer.from(bad), Buffer.from('\n'), log(`${path}/after`, 1)]);
const withByteChanged = (bytes: Buffer, at: number) =>
  bytes.fill(~(bytes.at(at) ?? 0), bytes.length + at, bytes.length + at + 1);
const MB = 1_000_000;

const refused = (file: Row['file'], failure: RegExp): Row => ({ file, state: 'REFUSED', failure });
const failed = (file: Row['file'], failure: RegExp, lines = 0): Row => ({ file, state: 'FAILED', failure, lines });
const finished = (file: Row['file'], reason: RegExp): Row => ({
  file,
  state: 'FINISHED',
  lines: 3,
  rejected: { line: 2, reason },
});

const rows: Readonly<Record<string, Row>> = {
  'a missing file': refused(() => undefined, /cannot be read: ENOENT: no such file/),
  'a folder': refused((path) => mkdir(path), /^It is not a file$/),
  'a pipe without a writer': refused((path) => execFileSync('mkfifo', [path]), /^It is not a file$/),
  'a link to itself': refused((path) => symlink(path, path), /cannot be read: ELOOP/),
  'an empty file': refused(Buffer.alloc(0), /^The file is empty$/),
  'NUL bytes': refused(Buffer.alloc(5000), /^The file is not text$/),
  'UTF-16 text': refused(Buffer.from(`\ufeff${log('utf-16', 9)}`, 'utf16le'), /^The file is not text$/),
  'a file that is compressed twice': refused(gzipSync(gzipSync(log('twice', 900))), /^The file is not text$/),
  '100 MB of NUL bytes, compressed to 0.1 MB': refused(gzipSync(Buffer.alloc(100 * MB)), /^The file is not text$/),
  'the first bytes of a gzip file': refused(gzipSync(log('head', 20)).subarray(0, 5), /^The gzip file is truncated$/),
  'a gzip file with trailing data': refused(
    Buffer.concat([gzipSync(log('behind', 20)), Buffer.from('something')]),
    /^The gzip file is corrupt$/,
  ),
  'a short gzip file with a wrong checksum': refused(
    withByteChanged(gzipSync(log('short', 20)), -6),
    /^The gzip file is corrupt$/,
  ),
  'a truncated gzip file': failed(gzipSync(log('cut', 900)).subarray(0, -12), /^The gzip file is truncated$/),
  'a gzip file with a wrong checksum': failed(
    withByteChanged(gzipSync(log('checksum', 900)), -6),
    /^The gzip file is corrupt$/,
  ),
  'a line of 17 MB': failed(
    Buffer.concat([log('endless', 1), Buffer.alloc(17 * MB, 'x')]),
    /^Line 2 exceeds 16 MiB: this is not an access log$/,
  ),
  'a line of 100 MB, compressed to 0.1 MB': failed(gzipSync(Buffer.alloc(100 * MB, 'x')), /^Line 1 exceeds 16 MiB/),
  '50 million empty lines, compressed to 0.05 MB': failed(
    gzipSync(Buffer.alloc(50 * MB, '\n')),
    /^None of the first 1000 lines can be read as an access log. The line is empty$/,
    1000,
  ),
  'an HTML page': failed(
    Buffer.from('<p>Not found</p>\n'.repeat(1500)),
    /^None of the first 1000 lines can be read as an access log/,
    1000,
  ),
  'a line of 1 MB': finished(around('long', logLine({ path: `/${'x'.repeat(MB)}` })), /longer than 65,536 bytes/),
  'a line with a NUL byte': finished(around('nul', logLine({ path: '/a\0b' })), /contains a NUL byte/),
  'a line in another charset': finished(
    around('latin-1', Buffer.from(logLine({ path: '/café' }), 'latin1')),
    /is not UTF-8/,
  ),
  'a line with a future date': finished(
    around('future', logLine({ time: '17/May/2915:10:05:03 +0000' })),
    /more than a day in the future/,
  ),
};

describe('a file given to sextant import-log', () => {
  let folder: string;
  let code: number | null;
  const outcomes = new Map<string, FileOutcome>();
  const pathOf = (name: string) => join(folder, `${Object.keys(rows).indexOf(name)}.log`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sextant-bad-files-'));
    for (const [name, { file }] of Object.entries(rows)) {
      await (typeof file === 'function' ? file(pathOf(name)) : writeFile(pathOf(name), file));
    }
    const paths = Object.keys(rows).map(pathOf);
    const ended = await runSextant(['import-log', ...paths, '--site', SITE, '--json'], settings());
    code = ended.code;
    for (const outcome of JSON.parse(ended.output) as FileOutcome[]) outcomes.set(outcome.file, outcome);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.entries(rows))(
    'that is %s is reported by name',
    async (name, { state, lines = 0, rejected, failure }) => {
      const outcome = outcomes.get(pathOf(name));
      expect(outcome).toMatchObject({ state, lines, failure: failure ? expect.stringMatching(failure) : null });
      if (!rejected) return;
      expect(outcome).toMatchObject({ imported: lines - 1, hits: lines - 1, rejected: 1 });
      expect(outcome?.rejectReasons).toEqual([{ count: 1, reason: expect.stringMatching(rejected.reason) }]);
      const kept = await logRejects(database.db)
        .find({ import: outcome?.import ?? '' })
        .toArray();
      expect(kept.map(({ line }) => line)).toEqual([rejected.line]);
    },
  );

  it('makes the command exit with 1, and leaves only what was reported', async () => {
    expect(code).toBe(1);
    const told = [...outcomes.values()];
    const sum = (of: (outcome: FileOutcome) => number) => told.reduce((total, outcome) => total + of(outcome), 0);
    const begun = told.filter(({ state }) => state !== 'REFUSED').map(({ import: id }) => id);
    expect((await logImports(database.db).distinct('_id')).toSorted()).toEqual(begun.toSorted());
    expect(await logEvents(database.db).countDocuments()).toBe(sum(({ imported }) => imported));
    expect(await logRejects(database.db).countDocuments()).toBe(sum(({ rejected }) => rejected));
    expect(await dailyHits(database.db).countDocuments()).toBe(sum(({ hits }) => hits)); // each line has its own page
    for await (const violation of findLogImportViolations(database.db)) expect(violation).toBeUndefined();
  });
});

describe('an argument', () => {
  it.each([
    ['an unknown import', ['undo-import', '{"$gt":""}'], 1, '{"$gt":""}: No import has this id'],
    ['an empty import id', ['undo-import', ''], 1, 'No import has this id'],
    ['a site with a path', ['import-log', 'a.log', '--site', '../../etc'], 2, '--site must be a hostname'],
    ['a site of 300 letters', ['import-log', 'a.log', '--site', 'a'.repeat(300)], 2, '--site must be a hostname'],
    ['an unknown format', ['import-log', 'a.log', '--site', 'a.example', '--format', 'json'], 2, "'json' is invalid"],
    ['a setting where no argument is allowed', ['config', 'PORT=1'], 2, 'too many arguments'],
    ['an extra argument', ['serve', 'now'], 2, 'too many arguments'],
  ])('that is %s is refused', async (_case, args, code, message) => {
    const before = await sites(database.db).countDocuments();
    const ended = await runSextant(args, settings());
    expect(ended.code).toBe(code);
    expect(unfolded(ended.output + ended.errors)).toContain(message);
    expect(await sites(database.db).countDocuments()).toBe(before);
  });

  it('that is empty standard input is refused, and nothing is stored', async () => {
    const ended = await runSextant(['import-log', '-', '--site', 'stdin.example.org'], settings());
    expect(ended).toMatchObject({ code: 1, output: '-: not imported. The file is empty\n' });
    expect(await database.db.collection('log.files').countDocuments()).toBe(0);
    expect(await sites(database.db).countDocuments({ _id: 'stdin.example.org' })).toBe(0);
  });
});

describe('a setting', () => {
  const absurd: Readonly<Record<string, readonly [value: string, rule: string]>> = {
    NODE_ENV: ['prod', 'Invalid option: expected one of "production"|"development"|"test"'],
    PORT: ['0x10', 'must be a whole number from 0 to 65535'],
    MAX_DEPTH: [' ', 'must be a whole number from 1 to 50'],
    MAX_COST: ['-1', 'must be a whole number from 100 to 1000000'],
    MAX_UPLOAD_BYTES: ['9'.repeat(16), `must be a whole number from 1000000 to ${Number.MAX_SAFE_INTEGER}`],
    RING_EVENTS: ['1e3', 'must be a whole number from 10 to 1000000'],
    SHUTDOWN_MS: ['10s', 'must be a whole number from 100 to 600000'],
    GRAPHIQL: ['yes', 'must be true or false'],
    PUBLIC_URL: ['javascript:alert(1)', 'must be an address such as https://stats.example.org'],
    ALLOWED_ORIGINS: ['null', 'must be origins such as https://shop.example.org, without a path'],
    LOG_FIELDS: [
      'path,password',
      'must be among site, time, host, status, logname, user, method, path, page, protocol, bytes, referrer, user_agent',
    ],
    MONGODB_DATABASE: ['../x', 'must have 1 to 38 letters, digits, _ or -'],
  };
  let errors: string;
  beforeAll(async () => {
    const values = Object.entries(absurd).map(([name, [value]]) => [name, value]);
    const ended = await runSextant(['config'], Object.fromEntries(values));
    expect(ended).toMatchObject({ code: 2, output: '' });
    errors = ended.errors.replaceAll(/\n {2}(?![A-Z_]+: )/g, ' '); // a longer line continues at its indent
  });

  it.each(Object.entries(absurd))('%s with an invalid value is named, with its rule', (name, [, rule]) => {
    expect(errors.split('\n').filter((line) => line.startsWith(`  ${name}: `))).toEqual([`  ${name}: ${rule}`]);
  });

  it('with a path in an origin, which no browser would ever send, is refused', async () => {
    const { code, errors: told } = await runSextant(['config'], { ALLOWED_ORIGINS: 'https://shop.example.org/' });
    expect({ code, told }).toMatchObject({
      code: 2,
      told: expect.stringContaining('ALLOWED_ORIGINS: must be origins'),
    });
  });

  it('with an invalid value keeps the server from touching anything', async () => {
    const folder = await temporaryFolder();
    const { code, errors: told } = await runSextant(['serve'], {
      DATA_DIR: join(folder, 'data'),
      LOG_FIELDS: 'password',
    });
    expect({ code, told }).toMatchObject({ code: 2, told: expect.stringContaining('LOG_FIELDS: must be among') });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('an unusable path', () => {
  it.each([
    [
      'a data folder inside a file',
      (folder: string) => writeFile(join(folder, 'file'), ''),
      { DATA_DIR: 'file' },
      1,
      /cannot use its data folder \(see DATA_DIR\): ENOTDIR: .*file\/mongodb/,
    ],
    [
      'a damaged record of the embedded server',
      async (folder: string) => {
        await mkdir(join(folder, 'data/mongodb'), { recursive: true });
        await writeFile(join(folder, 'data/mongodb/server.json'), 'null');
      },
      { DATA_DIR: 'data' },
      1,
      /data\/mongodb\/server\.json is damaged\. Remove it/,
    ],
    [
      'a folder as the database binary',
      (folder: string) => mkdir(join(folder, 'mongod')),
      { DATA_DIR: 'data', MONGOD_BINARY: './mongod' },
      1,
      /^Cannot use MONGOD_BINARY: .*EACCES/,
    ],
    [
      'a folder as the settings file',
      (folder: string) => mkdir(join(folder, '.env')),
      { NODE_ENV: 'development' },
      2,
      /^\.env cannot be read: EISDIR/,
    ],
  ])('is reported without a stack: %s', async (_case, prepare, environment, code, message) => {
    const folder = await temporaryFolder();
    await prepare(folder);
    const before = await readdir(folder, { recursive: true });
    const ended = await runSextant(['doctor'], environment, folder);
    expect(ended).toMatchObject({ code, output: '' });
    expect(unfolded(ended.errors)).toMatch(message);
    expect(ended.errors).not.toMatch(/^ {4}at /m);
    const made = (await readdir(folder, { recursive: true })).filter((path) => !before.includes(path));
    expect(made.filter((path) => !/^data(\/mongodb(\/server\.json)?)?$/.test(path))).toEqual([]); // no database was created
  });
});
