/**
 * Whose orders and accounts a caller may see, and whose money a caller may move. Checked on every call: a user who loses a role loses
 * its rights, including those to orders entered earlier.
 */
import { type AccountDocument, findAccountUsableBy } from '../../models/commerce/money/account.js';
import { findOrderVisibleTo, type OrderDocument } from '../../models/commerce/orders/order.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson, type Viewer } from '../../server/identity/viewer.js';

/**
 * @param own whether administrators, too, see only what is their own
 * @returns the user that a list is limited to; null for administrators, who see everything
 */
export function ownerFilter(viewer: Viewer, own = false): string | null {
  const id = requirePerson(viewer);
  return hasRole(viewer, 'ADMIN') && !own ? null : id;
}

/** @param id as stored @returns the account if the caller may see it and take money from it; otherwise null, as if it did not exist */
export async function findUsableAccount({ db, viewer }: Context, id: string | null): Promise<AccountDocument | null> {
  return findAccountUsableBy(db, ownerFilter(viewer), id);
}

/** @param id as stored @returns the order if the caller bought it, paid for it or is an administrator; otherwise null */
export async function findVisibleOrder({ db, viewer }: Context, id: string | null): Promise<OrderDocument | null> {
  return findOrderVisibleTo(db, ownerFilter(viewer), id);
}
