/** Ctrl-C, and the equivalent signals from process managers. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm forwards a Ctrl-C to a process that already got it from the terminal: within this time it is the same one. */
const SAME_MS = 1_000;

/** Calls `stop` on the first SIGINT or SIGTERM. On another one the process exits with 1. */
export function whenToldToStop(stop: () => void): void {
  let toldAt: number | null = null;
  const listen = () => {
    if (toldAt === null) {
      toldAt = performance.now();
      stop();
    } else if (performance.now() - toldAt > SAME_MS) {
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, listen);
}
