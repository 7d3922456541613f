/** For the audit trail: on whose behalf an action is performed that concerns another user's money or order. */
import type { AccountDocument } from '../../models/commerce/money/account.js';
import type { Act } from '../../models/people/audit.js';
import { findAddress } from '../../models/people/user.js';
import type { Context } from '../../server/context/context.js';
import { actOfViewer } from '../people/act.js';

/** The fields that identify the owner of an account. */
type AccountOwner = Pick<AccountDocument, '_id' | 'owner' | 'name'>;

/** @returns null when the account is the viewer's own: that is not an administrative action */
export async function actOnAccount(context: Context, account: AccountOwner): Promise<Act | null> {
  if (account.owner !== null && account.owner === context.viewer.id) return null;
  return { ...(await actOfViewer(context)), onBehalfOf: await partyOf(context, account) };
}

/** The owner of an account: a user's email address, or the account's own name. */
export async function partyOf(context: Context, { owner, name, _id }: AccountOwner): Promise<string> {
  return owner === null ? (name ?? _id) : findAddress(context.db, owner);
}
