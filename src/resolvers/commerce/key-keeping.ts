/** How long, and how many, idempotency keys of signed-in users are kept. */
import { countKey, MEMBER_KEYS_MAX } from '../../models/commerce/orders/key-count.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';

/** Members have a limited number of keys. Editors do not: they may run a till or a program with more to do. */
export function keyKeeping({ db, store, viewer }: Context) {
  const person = requirePerson(viewer);
  const keepMs = store.keepAnswersMs;
  if (hasRole(viewer, 'EDITOR')) return { keepMs };
  return { keepMs, beforeKept: (until: Date) => countKey(db, person, MEMBER_KEYS_MAX, until) };
}
