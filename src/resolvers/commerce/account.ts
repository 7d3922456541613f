/** Accounts. */
import type { FeedEvent } from '../../database/index.js';
import type {
  AccountResolvers,
  MutationResolvers,
  OpenAccountInput,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import {
  type AccountDocument,
  findAccounts,
  openAccount,
  openAccountAs,
  requireOpenable,
} from '../../models/commerce/money/account.js';
import { accountFeed, openedAccountFeed } from '../../models/commerce/money/account-feed.js';
import { findPendingTransfers, findTransfersOf } from '../../models/commerce/money/transfer-list.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { runOnce } from '../support/once.js';
import { actOnAccount } from './behalf.js';
import { findUsableAccount, ownerFilter } from './ownership.js';

export const Account: AccountResolvers = {
  id: ({ _id }) => toGlobalId('Account', _id),
  owner: ({ owner, name }) => (owner === null ? (name ?? '') : toGlobalId('User', owner)),
  ownerName: ({ owner, name }, _args, { loaders }) =>
    owner === null ? (name ?? '') : loaders().personName.load(owner),
  balance: ({ balance, currency }) => ({ amount: balance, currency }),
  pending: ({ pending }, _args, { db }) => findPendingTransfers(db, pending),
  transfers: ({ _id }, { first, after }, { db }) => findTransfersOf(db, _id, { first, after }),
};

export const Query: Pick<QueryResolvers, 'account' | 'accounts'> = {
  account: (_root, { id }, context) => findUsableAccount(context, idOfType('Account', id)),
  accounts: (_root, { first, after, own }, { db, viewer }) =>
    findAccounts(db, ownerFilter(viewer, own), { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'openAccount'> = {
  openAccount: async (_root, { input, idempotencyKey: key }, context) => {
    const { db, viewer } = context;
    const account = accountToOpen(context, input);
    // Actions reserved for administrators are recorded in the audit trail.
    const isOwn = account.owner === viewer.id;
    const act = isOwn
      ? account.opening.amount > 0 && (await actOfViewer(context))
      : await actOnAccount(context, { _id: '', ...account });
    return runOnce(context, { operation: 'openAccount', key, input: account }, (id, at) =>
      act ? openAccountAs(db, act, { id, ...account }) : openAccount(db, { id, ...account }, at),
    );
  },
};

/** The account to open. @throws SextantError FORBIDDEN the caller may not open it @throws InputError */
function accountToOpen({ viewer, store }: Context, { owner, openingBalance }: OpenAccountInput) {
  const opener = { id: requirePerson(viewer), isAdministrator: hasRole(viewer, 'ADMIN') };
  const person = owner == null ? opener.id : idOfType('User', owner);
  const wanted = {
    owner: person === null ? { name: owner ?? '' } : { person },
    opening: openingBalance ?? { amount: 0, currency: store.currency },
  };
  return requireOpenable(opener, wanted, store.currency);
}

export const Subscription: Pick<SubscriptionResolvers, 'accountChanged' | 'accountOpened'> = {
  accountOpened: {
    subscribe: (_root, { own, after }, { hub, viewer }) =>
      hub.follow(openedAccountFeed, { owner: ownerFilter(viewer, own) }, { after }),
    resolve: (event: FeedEvent<readonly AccountDocument[], AccountDocument>) =>
      followedAs('accounts', event.kind === 'snapshot' ? event : { ...event, change: [event.change] }),
  },
  accountChanged: {
    subscribe: async (_root, { id, after }, context) => {
      const account = await findUsableAccount(context, idOfType('Account', id));
      if (!account) throw new SextantError('NOT_FOUND', 'There is no such account');
      return context.hub.follow(accountFeed, { id: account._id }, { after });
    },
    resolve: (event: FollowedEvent<AccountDocument>) => followedAs('account', event),
  },
};
