/** Processes that use all the CPU time they can get. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs the work while `count` processes are busy. */
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
