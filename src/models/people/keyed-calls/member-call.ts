/** Calls that a signed-in user makes once per idempotency key. Those of carts, which anyone may change, are in `cart-call.ts`. */
import type { Db } from 'mongodb';
import { type Brief, type OnceOnly, performOnce, type Work } from '../../../database/index.js';
import { countIdOf, countKey, type KeyAllowance, MEMBER_KEYS_MAX } from './key-count.js';

export interface MemberCall extends Omit<OnceOnly, 'beforeKept'> {
  readonly caller: {
    readonly id: string;
    /** Members have a limited number of keys. Editors do not: they may run a till or a program with more to do. */
    readonly isEditor: boolean;
  };
  /** Default: that of all calls without one, for as long as `keepMs` says. */
  readonly allowance?: KeyAllowance | undefined;
}

/** @throws LimitError the member has used too many keys; otherwise as `performOnce` */
export function callOnce<T>(
  db: Db,
  { caller, allowance, ...given }: MemberCall,
  now: Date,
  work: Work<T>,
  brief?: Brief<T>,
): Promise<T> {
  const once = { ...given, keepMs: Math.min(given.keepMs, allowance?.keepMs ?? given.keepMs) };
  const beforeKept = (until: Date) =>
    countKey(db, countIdOf(caller.id, allowance), allowance?.max ?? MEMBER_KEYS_MAX, until);
  return performOnce(db, caller.isEditor ? once : { ...once, beforeKept }, now, work, brief);
}
