/** How many comments come from one account, and from one network address without an account. The counts are in the database. */
import type { Db } from 'mongodb';
import { addressBlock } from '../../shared/address-block.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type Bounds, countAttempt, findThrottle } from '../people/throttle.js';

/** In 15 minutes. A lively discussion is a comment a minute; a visitor's comments each cost a moderator a decision. */
const COMMENTS_MAX = { account: 100, address: 10 } as const;

export type CommentThrottled = Refusal<'CommentThrottled', { readonly retryAfterMs: number }>;

/** @param accountId null for a visitor @param address the network address */
export const boundsOf = (accountId: string | null, address: string): Bounds =>
  accountId === null
    ? new Map([[`comments-from:${addressBlock(address)}`, COMMENTS_MAX.address]])
    : new Map([[`comments-of:${accountId}`, COMMENTS_MAX.account]]);

/** Counts a comment. Simultaneous ones may exceed the limit by as many as are checked at once. */
export async function findCommentThrottle(db: Db, bounds: Bounds, now: Date): Promise<CommentThrottled | null> {
  const throttled = await findThrottle(db, bounds, now);
  if (throttled) {
    const { retryAfterMs } = throttled;
    return refuse('CommentThrottled', 'Too many comments in a short time. Try again later', { retryAfterMs });
  }
  await countAttempt(db, bounds, now);
  failpoint('comment.counted');
  return null;
}
