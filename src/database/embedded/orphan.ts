/** A mongod that outlived its supervisor, because that was killed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './file-lock.js';
import { dataFolderOf } from './mongod.js';

const POLL_MS = 50;
const STOP_TIMEOUT_MS = 30_000;

/**
 * Ends the mongod that holds the data folder's lock, cleanly. To be called when a mongod has found the lock held and no supervisor
 * answers: the holder's process id is in the lock file, and the held lock proves that the id is not an old one.
 * @returns false when the process cannot be seen from here, or is no mongod of this folder (it runs in another container, say)
 */
export async function endOrphan(folder: string): Promise<boolean> {
  const dataFolder = dataFolderOf(folder);
  const pid = Number(await readFile(join(dataFolder, 'mongod.lock'), 'utf8'));
  if (!(pid > 0) || !isAlive(pid) || !(await isMongodOf(dataFolder, pid))) return false;
  process.kill(pid, 'SIGTERM');
  const impatient = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (Date.now() > impatient) process.kill(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
  return true;
}

/** Where the system shows command lines as files (Linux), the process must name the folder; elsewhere the held lock is proof enough. */
async function isMongodOf(dataFolder: string, pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  return commandLine === null ? process.platform !== 'linux' : commandLine.split('\0').includes(dataFolder);
}
