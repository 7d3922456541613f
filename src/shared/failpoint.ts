/**
 * Named places where the crash harness kills the process (`test/crash`). Nothing happens in production: no failpoint is armed
 * unless `SEXTANT_FAILPOINT` names it, which the configuration rejects when NODE_ENV is production.
 */
let armed: { name: string; passes: number } | null = null;
let observer: ((name: string) => void) | null = null;

/** Arms one failpoint. @param spec `name` or `name:n`: the process dies on the n-th pass */
export function armFailpoint(spec: string): void {
  const [name = '', hits = '1'] = spec.split(/:(?=\d+$)/);
  armed = { name, passes: Number(hits) };
}

/** For the test suite, which checks that no operation writes twice without a failpoint in between. @param onPass called at each pass */
export function observeFailpoints(onPass: (name: string) => void): void {
  observer = onPass;
}

/** Placed between two related writes. Dies by SIGKILL here when armed: no handler runs, nothing is flushed. */
export function failpoint(name: string): void {
  observer?.(name);
  if (armed === null || armed.name !== name) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, 'SIGKILL');
}
