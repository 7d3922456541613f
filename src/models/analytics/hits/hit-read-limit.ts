/** The time limit for reads of hits. */
import { isMaxTimeExpired } from '../../../database/index.js';
import { LimitError } from '../../../shared/errors.js';

export const READ_MS_MAX = 10_000;

/** @throws LimitError the server gave up after READ_MS_MAX; any other error unchanged */
export function refuseLongRead(error: unknown): never {
  if (isMaxTimeExpired(error)) {
    throw new LimitError(
      `Reading the hits took longer than ${READ_MS_MAX / 1000} s. Ask for a shorter range`,
      READ_MS_MAX,
    );
  }
  throw error;
}
