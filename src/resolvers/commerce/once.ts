/** Mutations that run once per idempotency key of the signed-in user. Kept with the shop, because the shop limits and keeps the keys. */
import { performOnce } from '../../database/index.js';
import type { MutationResolvers } from '../../generated/resolvers.js';
import { countKey, MEMBER_KEYS_MAX } from '../../models/commerce/orders/key-count.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';

interface KeyedCall {
  readonly operation: keyof MutationResolvers;
  /** If null or omitted, nothing is remembered. */
  readonly key: string | null | undefined;
  /** The complete input. The same key with a different input is refused. */
  readonly input: unknown;
  /** The owner of the key. Default: the signed-in user. */
  readonly scope?: string;
  /** Default: now. A call with an audit entry passes the entry's time, so that the key never outlives the entry. */
  readonly at?: Date;
}

/** @throws SextantError UNAUTHENTICATED, and as `performOnce` */
export function runOnce<T>(
  context: Context,
  { operation, key, input, scope, at = context.now() }: KeyedCall,
  work: (call: string, at: Date) => Promise<T>,
): Promise<T> {
  const once = { scope: scope ?? requirePerson(context.viewer), operation, key, input, ...keyKeeping(context) };
  return performOnce(context.db, once, at, (call) => work(call, at));
}

/** Members have a limited number of keys. Editors do not: they may run a till or a program with more to do. */
function keyKeeping({ db, store, viewer }: Context) {
  const person = requirePerson(viewer);
  const keepMs = store.keepAnswersMs;
  if (hasRole(viewer, 'EDITOR')) return { keepMs };
  return { keepMs, beforeKept: (until: Date) => countKey(db, person, MEMBER_KEYS_MAX, until) };
}
