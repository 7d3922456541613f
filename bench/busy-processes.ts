/** Processes that take all the time of the processor that they can get. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Does the work while so many are busy. */
export async function besideBusyProcesses<T>(count: number, work: () => Promise<T>): Promise<T> {
  const busy: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    await Promise.all(busy.map((one) => once(one, 'spawn')));
    return await work();
  } finally {
    for (const one of busy) one.kill('SIGKILL');
  }
}
