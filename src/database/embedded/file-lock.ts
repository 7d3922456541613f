/**
 * A lock between processes: a file that holds its owner's process id. The lock of a process that has died is taken over.
 * It spares work that would be done twice and guards nothing else: what is done under it must be atomic by itself, because two
 * processes that find the same dead owner at the same instant may both go on.
 */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 100;
const UNWRITTEN_MS = 5_000; // an empty file this old was left by a process that died between creating and writing it

/** Runs `work` while this process holds the lock; waits for as long as another holds it. */
export async function withFileLock<T>(path: string, work: () => Promise<T>, onWait: () => void): Promise<T> {
  for (let waited = false; !(await take(path)); waited = true) {
    if (await isAbandoned(path)) {
      await rm(path, { force: true });
      continue;
    }
    if (!waited) onWait();
    await delay(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(path, 'utf8'));
    return owner > 0 ? !isAlive(owner) : Date.now() - (await stat(path)).mtimeMs > UNWRITTEN_MS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // given back in the meantime
    throw error;
  }
}

/** Whether a process with this id exists, also when it is another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
