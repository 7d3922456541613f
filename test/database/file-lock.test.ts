import { existsSync } from 'node:fs';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { withFileLock } from '../../src/database/embedded/file-lock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NO_PROCESS = 4_194_305; // above the largest process id of Linux
const lock = async () => join(await temporaryFolder(), 'lock');
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

/** As left by a process that had this id. */
async function leave(path: string, pid: number | '', at: Date): Promise<void> {
  await writeFile(path, String(pid));
  await utimes(path, at, at);
}

describe('a lock between processes', () => {
  it('serializes work, and is removed afterwards', async () => {
    const path = await lock();
    let working = 0;
    const work = () =>
      withFileLock(
        path,
        async () => {
          working += 1;
          await new Promise((resolve) => setImmediate(resolve));
          expect(working).toBe(1);
          expect(await readFile(path, 'utf8')).toBe(String(process.pid));
          working -= 1;
        },
        () => undefined,
      );
    await Promise.all([work(), work(), work()]);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['when its owner has died', NO_PROCESS, 0],
    ['when its owner has died and the process id was reused', process.pid, 16],
    ['when its owner died before it wrote its id', '', 16],
  ] as const)('is taken over immediately %s', async (_case, pid, seconds) => {
    const path = await lock();
    await leave(path, pid, secondsAgo(seconds));
    const onWait = vi.fn();
    expect(await withFileLock(path, async () => 'done', onWait)).toBe('done');
    expect(onWait).not.toHaveBeenCalled();
  });

  it('makes others wait while its owner may be alive', async () => {
    const path = await lock();
    await leave(path, process.pid, secondsAgo(10));
    const onWait = vi.fn();
    const work = withFileLock(path, async () => 'done', onWait);
    await vi.waitFor(() => expect(onWait).toHaveBeenCalledTimes(1));
    await leave(path, process.pid, secondsAgo(16));
    expect(await work).toBe('done');
  });

  it('is renewed as long as the work takes', async () => {
    const path = await lock();
    await withFileLock(
      path,
      async () => {
        await utimes(path, secondsAgo(14), secondsAgo(14));
        await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - 5000), 5000);
      },
      () => undefined,
    );
  });
});
