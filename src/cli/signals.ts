/** Ctrl-C, and its like from process managers. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm passes a Ctrl-C on to a process that has got it from the terminal already: within this time it is the same. */
const SAME_MS = 1_000;

/** Calls `stop` at the first SIGINT or SIGTERM. Whoever sends another one is in a hurry: the process exits with 1. */
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
