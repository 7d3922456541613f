/** Ends the process in good order when it is told to. */

/**
 * On SIGTERM or SIGINT runs the steps one after the other and exits with 0. A step that fails, or all of them together taking longer
 * than `limitMs`, ends it at once with 1; so does a second signal.
 */
export function endOnSignal(limitMs: number, steps: readonly (() => Promise<void>)[]): void {
  const end = async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(1));
    setTimeout(() => {
      process.stderr.write(`Work was still running ${limitMs} ms after the signal to stop (SHUTDOWN_MS)\n`);
      process.exit(1);
    }, limitMs).unref();
    for (const step of steps) await step();
    process.exit(0);
  };
  const begin = () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeListener(signal, begin);
    end().catch((error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, begin);
}
