/** Settles unfinished work one item at a time. A failing item does not block the others. The next run retries it. */
import { asUnavailable } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';

/**
 * @param what the items in the error message, in the plural
 * @returns how many were settled
 * @throws AggregateError some failed, other than with a BusyError, which means that the outcome is not known yet
 * @throws what says that the database is unavailable: the others would fail as well
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
      if (asUnavailable(error)) throw error;
      if (!(error instanceof BusyError)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${what} that failed again: ${failures.map(String)}`);
  return count;
}
