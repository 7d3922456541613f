/** Shuts the process down gracefully on a signal. */
import { whenToldToStop } from '../terminal/signals.js';

/**
 * On SIGTERM or SIGINT runs the steps in order and exits with 0. It exits with 1 when a step fails, or when all of them
 * together take longer than `limitMs`.
 */
export function endOnSignal(limitMs: number, steps: readonly (() => Promise<void>)[]): void {
  const fail = (reason: string) => {
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  };
  const end = async () => {
    for (const step of steps) await step();
    process.exit(0);
  };
  whenToldToStop(() => {
    setTimeout(() => fail(`Work was still running ${limitMs} ms after the signal to stop (SHUTDOWN_MS)`), limitMs);
    end().catch((error: unknown) => fail(String((error as Error).stack)));
  });
}
