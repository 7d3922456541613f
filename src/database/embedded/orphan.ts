/** A mongod that outlived its killed supervisor. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { dataFolderOf } from './mongod.js';

const POLL_MS = 50;
const STOP_TIMEOUT_MS = 30_000;

/**
 * Cleanly stops the mongod that runs on the folder's data. Called by the folder's only supervisor, which did not start it.
 * @returns false when there is none visible from here: it may run in another container
 */
export async function endOrphan(folder: string): Promise<boolean> {
  const dataFolder = dataFolderOf(folder);
  const pid = Number(await readFile(join(dataFolder, 'mongod.lock'), 'utf8').catch(() => '')); // empty after a clean stop
  if (!(await isMongodOf(dataFolder, pid))) return false;
  signal(pid, 'SIGTERM');
  const impatience = setTimeout(() => signal(pid, 'SIGKILL'), STOP_TIMEOUT_MS);
  while (await isMongodOf(dataFolder, pid)) await delay(POLL_MS);
  clearTimeout(impatience);
  return true;
}

/** It may have exited since it was last seen. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The process id may have been reused: the command line must name the folder. An exited process has an empty one. */
async function isMongodOf(dataFolder: string, pid: number): Promise<boolean> {
  return pid > 0 && (await commandLineOf(pid)).includes(dataFolder);
}

async function commandLineOf(pid: number): Promise<string> {
  const asking =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(({ stdout }) => stdout);
  return await asking.catch(() => ''); // there is no such process
}
