/**
 * The number of idempotency keys used with a cart or by a member, for each allowance. Anyone may change a cart, and anyone may sign up if that is open. Each
 * key is stored for as long as keys are kept, so without a limit a single user could fill the disk.
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { LimitError } from '../../../shared/errors.js';

interface KeyCount {
  /** The id of the cart, or of the member; for another allowance than that of all calls with its name. */
  _id: string;
  count: number;
  /** Same expiry as the first key's record. Then counting starts again. */
  expires_at: Date;
}

export const keyCounts = defineCollection<KeyCount>(
  'idempotency.counts',
  [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }], // MongoDB removes them with the keys
  { isBookkeeping: true },
);

/** Ten per line of a full cart. */
export const CART_KEYS_MAX = 1000;
/** Enough for about one payment every ten seconds, all day. */
export const MEMBER_KEYS_MAX = 10_000;

/** For calls of members that are too many for the allowance of all others. */
export interface KeyAllowance {
  readonly name: 'acts';
  readonly max: number;
  /** How long a key is remembered, at most. */
  readonly keepMs: number;
}

const allowanceNames: readonly KeyAllowance['name'][] = ['acts'];

export const countIdOf = (member: string, allowance?: Pick<KeyAllowance, 'name'>): string =>
  allowance ? `${member} ${allowance.name}` : member;

/** The ids of all counts of a member. */
export const countIdsOf = (member: string): string[] => [
  countIdOf(member),
  ...allowanceNames.map((name) => countIdOf(member, { name })),
];

/**
 * Counts a key that will be stored.
 * @throws LimitError this cart or member has used too many
 */
export async function countKey(db: Db, _id: string, max: number, keptUntil: Date): Promise<void> {
  const counted = await keyCounts(db).findOneAndUpdate(
    { _id }, // guard: of two concurrent upserts, the server retries the later one
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
  throw new LimitError(`At most ${max} idempotency keys can be used until the first of them expires`, max);
}
