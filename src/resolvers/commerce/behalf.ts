/** Whose money an act touches, when it is not that of whoever acts: for the audit trail. */
import type { AccountDocument } from '../../models/commerce/account.js';
import type { Act } from '../../models/people/audit.js';
import { findUser } from '../../models/people/user.js';
import type { Context } from '../../server/context.js';
import { actOfViewer } from '../people/act.js';

/** What tells whose an account is. */
type AccountOwner = Pick<AccountDocument, '_id' | 'owner' | 'name'>;

/** @returns null when the account is the viewer's own: that is no administrative act */
export async function actOnAccount(context: Context, account: AccountOwner): Promise<Act | null> {
  if (account.owner !== null && account.owner === context.viewer.id) return null;
  return { ...(await actOfViewer(context)), onBehalfOf: await partyOf(context, account) };
}

/** Whose an account is: a person's e-mail address, or the account's own name. */
export async function partyOf(context: Context, { owner, name, _id }: AccountOwner): Promise<string> {
  return owner === null ? (name ?? _id) : addressOf(context, owner);
}

/** A person's e-mail address; the id of one who is no more, or whose account is kept elsewhere. */
export async function addressOf({ db }: Context, person: string): Promise<string> {
  return (await findUser(db, person))?.email ?? person;
}
