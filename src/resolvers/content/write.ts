/** Who writes content: a user, or a program with an API key, which writes all of it. */
import type { MutationResolvers } from '../../generated/resolvers.js';
import type { Write } from '../../models/content/nodes/node-change.js';
import type { Writer } from '../../models/content/nodes/rights.js';
import type { Tagging } from '../../models/content/tags/node-tags.js';
import { findApiKeyById } from '../../models/people/api-key.js';
import type { Act } from '../../models/people/audit.js';
import { callOnce } from '../../models/people/keyed-calls/member-call.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { HOUR_MS } from '../../shared/time.js';
import { actOf } from '../people/act.js';
import { findViewer } from '../people/viewer.js';

/** A person's name follows their account. A program has no account, so its works carry the name of its key. */
export async function authorOf(context: Context): Promise<Writer & { readonly actor: string }> {
  const { assets, db, viewer } = context;
  if (viewer.keyId !== null) {
    const name = (await findApiKeyById(db, viewer.keyId))?.name ?? '';
    return { author: { name }, actor: name };
  }
  const user = await findViewer(context);
  return {
    author: { _id: requirePerson(viewer), name: user?.name ?? '' },
    ownOnly: !hasRole(viewer, 'EDITOR'),
    isPublicPicture: (id) => assets.isPublic(id),
    actor: user?.email ?? '',
  };
}

export async function taggingOf(context: Context): Promise<Tagging> {
  const { author, ownOnly } = await authorOf(context);
  return { author, ownOnly, at: context.now() };
}

interface WriteCall {
  readonly operation: keyof MutationResolvers;
  readonly key?: string | null | undefined;
  readonly input: unknown;
}

/** Runs a write of the caller, once per idempotency key. */
export async function writeOnce<T>(
  context: Context,
  { operation, key, input }: WriteCall,
  work: (write: Write, act: Act) => Promise<T>,
): Promise<T> {
  const { db, viewer, config } = context;
  const { actor, ...writer } = await authorOf(context);
  const act = actOf(context, actor);
  const scope = viewer.keyId ?? requirePerson(viewer);
  const caller = { id: scope, isEditor: true }; // authors are as trusted: each save of a draft takes a key
  const once = { operation, key, input, scope, caller, keepMs: config.IDEMPOTENCY_HOURS * HOUR_MS };
  return callOnce(db, once, act.at, (call, _begunAt, attempt) => work({ call, at: act.at, attempt, ...writer }, act));
}
