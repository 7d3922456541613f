/** Mutations that run once per idempotency key of the signed-in user. */

import type { Attempt, Brief } from '../../database/index.js';
import type { MutationResolvers } from '../../generated/resolvers.js';
import type { KeyAllowance } from '../../models/people/keyed-calls/key-count.js';
import { callOnce } from '../../models/people/keyed-calls/member-call.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { HOUR_MS } from '../../shared/time.js';

interface KeyedCall {
  readonly operation: keyof MutationResolvers;
  /** If null or omitted, nothing is remembered. */
  readonly key: string | null | undefined;
  /** The complete input. The same key with a different input is refused. */
  readonly input: unknown;
  /** The owner of the key. Default: the signed-in user. */
  readonly scope?: string;
  /** The types of refusals that time alone lifts. */
  readonly passing?: readonly string[];
  /** If it has one of its own. */
  readonly allowance?: KeyAllowance;
  /** Default: now. A call with an audit entry passes the entry's time, so that the key never outlives the entry. */
  readonly at?: Date;
}

/** @param brief stored instead of a large answer @throws SextantError the caller is not signed in; otherwise as `callOnce` */
export function runOnce<T>(
  { db, config, viewer, now }: Context,
  { scope, at = now(), ...call }: KeyedCall,
  work: (call: string, at: Date, begunAt: Date | null, attempt: Attempt) => Promise<T>,
  brief?: Brief<T>,
): Promise<T> {
  const caller = { id: requirePerson(viewer), isEditor: hasRole(viewer, 'EDITOR') };
  const once = { ...call, caller, scope: scope ?? caller.id, keepMs: config.IDEMPOTENCY_HOURS * HOUR_MS };
  return callOnce(db, once, at, (id, begunAt, attempt) => work(id, at, begunAt, attempt), brief);
}
