/** Child processes that never outlive the test process, however it ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Guarded {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when the process has exited, for whatever reason. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a process with a guard: a shell that reads from the test process and kills the child when the test process has exited. An
 * exit handler would not run when the test process is killed.
 */
export async function spawnGuarded(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<Guarded> {
  const child = spawn(command, args, options);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await once(child, 'spawn');
  const pid = child.pid as number; // set once `spawn` has been emitted
  const guard = spawn('sh', ['-c', `read -r _ || kill -9 ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a signal to the test's process group must not kill the guard early
  });
  guard.stdin?.on('error', () => undefined); // the guard may exit first
  void ended.then(() => guard.stdin?.end('dismissed\n'));
  return {
    child,
    pid,
    ended,
    async end(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}
