/**
 * How many keys were used under a cart, and by a member. Anybody may change a cart, and anybody may sign up where that is open; each key
 * leaves a record for as long as keys are kept: without a bound, one of them could fill the disk with them.
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { LimitError } from '../../shared/errors.js';

interface KeyCount {
  /** The id of the cart, or of the member. */
  _id: string;
  count: number;
  /** As late as its first key's record: then it begins again. */
  expires_at: Date;
}

const counts = defineCollection<KeyCount>(
  'idempotency.counts',
  [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }], // MongoDB removes them with the keys
  { isBookkeeping: true },
);

/** Ten for each line of a full cart. */
export const CART_KEYS_MAX = 1000;
/** Of one who pays for something every ten seconds, all day long. */
export const MEMBER_KEYS_MAX = 10_000;

/**
 * Counts a key that is to be kept.
 * @throws LimitError so many were used under this cart, or by this member
 */
export async function countKey(db: Db, _id: string, max: number, keptUntil: Date): Promise<void> {
  const counted = await counts(db).findOneAndUpdate(
    { _id }, // guard: of two that begin, the server tries the later one again
    [
      {
        $set: {
          count: { $min: [{ $add: [{ $ifNull: ['$count', 0] }, 1] }, max + 1] },
          expires_at: { $ifNull: ['$expires_at', keptUntil] },
        },
      },
    ],
    { upsert: true, returnDocument: 'after' },
  );
  if (counted && counted.count <= max) return;
  throw new LimitError(`At most ${max} idempotency keys are taken until the first of them are forgotten`, max);
}
