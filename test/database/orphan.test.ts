import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { type Guarded, spawnGuarded } from '../../harness/process.js';
import { endOrphan } from '../../src/database/embedded/orphan.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const STOP_TIMEOUT_MS = 30_000;
const STUBBORN = 'process.on("SIGTERM", () => {}); process.stdout.write("ready"); setInterval(() => {}, 1000);';

/** A process that looks like the mongod of a folder and ignores requests to stop. */
async function startStubborn(): Promise<{ folder: string; orphan: Guarded }> {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  await mkdir(data);
  const orphan = await spawnGuarded(process.execPath, ['-e', STUBBORN, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => orphan.end());
  if (orphan.child.stdout) await once(orphan.child.stdout, 'data');
  await writeFile(join(data, 'mongod.lock'), `${orphan.pid}\n`);
  return { folder, orphan };
}

const missing = () => Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });

/** Observes the signals sent. @param send what happens instead */
function watchSignals(send: (signal: unknown) => true) {
  return vi.spyOn(process, 'kill').mockImplementation((_pid, signal) => send(signal));
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('kills an orphan that does not stop in time, once, however long it takes to exit', async () => {
  const { folder, orphan } = await startStubborn();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const signals = watchSignals(() => true);
  const ending = endOrphan(folder);
  await expect.poll(() => signals.mock.calls).toEqual([[orphan.pid, 'SIGTERM']]);
  await vi.advanceTimersByTimeAsync(2 * STOP_TIMEOUT_MS);
  const exited = orphan.end();
  expect(await ending).toBe(true);
  await exited;
  expect(signals.mock.calls).toEqual([
    [orphan.pid, 'SIGTERM'],
    [orphan.pid, 'SIGKILL'],
  ]);
});

it('regards an orphan as stopped that exits right before a signal is sent', async () => {
  const { folder, orphan } = await startStubborn();
  const signals = watchSignals(() => {
    orphan.child.kill('SIGKILL');
    throw missing();
  });
  expect(await endOrphan(folder)).toBe(true);
  expect(signals).toHaveBeenCalledOnce();
});
