/**
 * A lock between processes: a file that holds its owner's process id, and whose time its owner renews. The lock of a process that has
 * died is taken over: at once when no process has its id any more, else (another program may have got it) when it was not renewed for long.
 * It spares work that would be done twice and guards nothing else: what is done under it must be atomic by itself, because two
 * processes that find the same dead owner at the same instant may both go on, and so may the owner when its machine wakes up.
 */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 100;
const RENEW_MS = 1_000;
const ABANDONED_MS = 15_000; // many renewals: the owner's process, or its disk, may be busy

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
  const renewal = setInterval(() => void renew(path), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
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

/** One that fails is followed by others. */
async function renew(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(path, 'utf8')); // 0: its owner has died before it wrote, or is about to
    if (owner > 0 && !isAlive(owner)) return true;
    // Also one from the time to come: the clock was set back. An owner that lives has renewed it within a second.
    return Math.abs(Date.now() - (await stat(path)).mtimeMs) > ABANDONED_MS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // given back in the meantime
    throw error;
  }
}

/** Whether a process with this id exists, also when it is another user's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
