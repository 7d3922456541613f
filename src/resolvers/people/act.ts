/** The actor of an entry in the audit trail. */
import type { Act } from '../../models/people/audit.js';
import type { Context } from '../../server/context/context.js';
import { DAY_MS } from '../../shared/time.js';
import { requireAccount } from './viewer.js';

/** For an action that the viewer performs now. */
export async function actOfViewer(context: Context): Promise<Act> {
  const { viewer } = context;
  return actOf(context, viewer.profile?.email ?? (await requireAccount(context)).email);
}

/** @param actor an email address */
export function actOf({ address, config, now }: Context, actor: string): Act {
  const at = now();
  return { actor, address, at, keptUntil: new Date(at.getTime() + config.AUDIT_DAYS * DAY_MS) };
}
