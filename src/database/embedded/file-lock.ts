/**
 * A lock between processes: a file that holds its owner's process id and whose modification time the owner renews. The lock of a dead
 * process is taken over: immediately when no process has its id, otherwise (the id may have been reused) after 15 s without a renewal.
 * It only avoids duplicate work and guards nothing else: work under it must be atomic by itself, because two processes that
 * find the same dead owner at the same instant may both continue, and so may the owner when its machine wakes up.
 */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 100;
const RENEW_MS = 1_000;
const ABANDONED_MS = 15_000; // many renewals long: the owner's process, or its disk, may be busy

/** Runs `work` while this process holds the lock; waits as long as another process holds it. */
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

/** A failed renewal is followed by others. */
async function renew(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(path, 'utf8')); // 0: its owner died before it wrote, or has not written yet
    if (owner > 0 && !isAlive(owner)) return true;
    // A time in the future counts too: the clock was set back. A live owner renews it within a second.
    return Math.abs(Date.now() - (await stat(path)).mtimeMs) > ABANDONED_MS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // released in the meantime
    throw error;
  }
}

/** Whether a process with this id exists, even if it belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
