/** Work on what was left half-way, one after the other: one that fails keeps none of the others waiting. The next turn comes back to it. */
import { BusyError } from '../../shared/errors.js';

/**
 * @param what for the message, in the plural
 * @returns how many were settled
 * @throws AggregateError some failed, otherwise than by its not being known yet how they stand (BusyError)
 */
export async function settleEach<T>(
  what: string,
  left: AsyncIterable<T>,
  settle: (one: T) => Promise<void>,
): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  for await (const one of left) {
    try {
      await settle(one);
      count += 1;
    } catch (error) {
      if (!(error instanceof BusyError)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${what} that failed again: ${failures.map(String)}`);
  return count;
}
