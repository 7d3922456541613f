/** The bound on how long a read of hits may take. */
import { MongoServerError } from 'mongodb';
import { LimitError } from '../../shared/errors.js';

export const READ_MS_MAX = 10_000;
const MAX_TIME_EXPIRED = 50;

/** @throws LimitError the server gave up after READ_MS_MAX; any other error as it is */
export function refuseLongRead(error: unknown): never {
  if (error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED) {
    throw new LimitError(
      `Reading the hits took longer than ${READ_MS_MAX / 1000} s: ask for a shorter range`,
      READ_MS_MAX,
    );
  }
  throw error;
}
