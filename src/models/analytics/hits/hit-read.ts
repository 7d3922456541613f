/** The time limit for reads of hits. */
import { MongoServerError } from 'mongodb';
import { LimitError } from '../../../shared/errors.js';

export const READ_MS_MAX = 10_000;
const MAX_TIME_EXPIRED = 50;

/** @throws LimitError the server gave up after READ_MS_MAX; any other error unchanged */
export function refuseLongRead(error: unknown): never {
  if (error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED) {
    throw new LimitError(
      `Reading the hits took longer than ${READ_MS_MAX / 1000} s. Ask for a shorter range`,
      READ_MS_MAX,
    );
  }
  throw error;
}
