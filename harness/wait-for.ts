/** Waiting for what announces no change. */

const PAUSE_MS = 50;

/**
 * Asks until there is an answer. Errors count as none. Works anywhere, also in tests that run at the same time, where Vitest's
 * `expect.poll` fails at random.
 * @param what for the error @param ask null: not yet
 */
export async function waitFor<T>(what: string, timeoutMs: number, ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== null) return answer;
    } catch (error) {
      last = (error as Error).message;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`Waited ${timeoutMs} ms for ${what}: ${last ?? 'no answer'}`);
}
