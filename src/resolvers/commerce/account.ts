/** Accounts and transfers. */
import type { FeedEvent } from '../../database/index.js';
import type {
  AccountResolvers,
  MutationResolvers,
  OpenAccountInput,
  QueryResolvers,
  ReverseTransferResultResolvers,
  SubscriptionResolvers,
  TransferResolvers,
  TransferResultResolvers,
} from '../../generated/resolvers.js';
import {
  type AccountDocument,
  findAccount,
  findAccounts,
  openAccount,
  openAccountAs,
  requireOpenable,
} from '../../models/commerce/money/account.js';
import { accountFeed, openedAccountFeed } from '../../models/commerce/money/account-feed.js';
import { findTransfer, transfer } from '../../models/commerce/money/transfer.js';
import { findPendingTransfers, findTransfers, findTransfersOf } from '../../models/commerce/money/transfer-list.js';
import { reverseTransfer, transferNotFound } from '../../models/commerce/orders/transfer-reversal.js';
import { intendAct } from '../../models/people/audit.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { resultType } from '../support/result-type.js';
import { actOnAccount, partyOf } from './behalf.js';
import { runOnce } from './once.js';
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

export const Transfer: TransferResolvers = {
  id: ({ _id }) => toGlobalId('Transfer', _id),
  amount: ({ amount, currency }) => ({ amount, currency }),
  from: ({ from }) => toGlobalId('Account', from),
  to: ({ to }) => toGlobalId('Account', to),
  createdAt: ({ created_at }) => created_at,
  kind: ({ kind, reverses }) => (reverses === undefined ? (kind ?? 'TRANSFER') : 'REVERSAL'),
  reverses: ({ reverses }) => (reverses === undefined ? null : toGlobalId('Transfer', reverses)),
  reversedBy: ({ reversed_by }) => (reversed_by === undefined ? null : toGlobalId('Transfer', reversed_by)),
};

export const ReverseTransferResult: ReverseTransferResultResolvers = { __resolveType: resultType('Transfer') };

export const TransferResult: TransferResultResolvers = { __resolveType: resultType('Transfer') };

export const Query: Pick<QueryResolvers, 'account' | 'accounts' | 'transfers'> = {
  account: (_root, { id }, context) => findUsableAccount(context, idOfType('Account', id)),
  accounts: (_root, { first, after, own }, { db, viewer }) =>
    findAccounts(db, ownerFilter(viewer, own), { first, after }),
  transfers: (_root, { first, after }, { db }) => findTransfers(db, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'openAccount' | 'transfer' | 'reverseTransfer'> = {
  openAccount: async (_root, { input, idempotencyKey: key }, context) => {
    const { db, viewer } = context;
    const account = accountToOpen(context, input);
    // What only an administrator may do is recorded in the audit trail.
    const isOwn = account.owner === viewer.id;
    const act = isOwn
      ? account.opening.amount > 0 && (await actOfViewer(context))
      : await actOnAccount(context, { _id: '', ...account });
    return runOnce(context, { operation: 'openAccount', key, input: account }, (id, at) =>
      act ? openAccountAs(db, act, { id, ...account }) : openAccount(db, { id, ...account }, at),
    );
  },
  transfer: async (_root, { from, to, amount, idempotencyKey: key }, context) => {
    const { db } = context;
    const source = await findUsableAccount(context, idOfType('Account', from));
    const destination = await findAccount(db, idOfType('Account', to) ?? '');
    if (!source || !destination) return refuse('AccountNotFound', 'There is no such account');
    const input = { from: source._id, to: destination._id, amount };
    const act = await actOnAccount(context, source);
    const detail = `${amount.amount} ${amount.currency} ${await partyOf(context, destination)}`;
    return runOnce(context, { operation: 'transfer', key, input }, (call, at) => {
      const entry = act && intendAct(act, { action: 'MONEY_TRANSFERRED', subject: call, detail, call });
      return transfer(db, call, { ...input, ...(entry && { entry }) }, at);
    });
  },
  reverseTransfer: async (_root, { id: globalId, idempotencyKey: key }, context) => {
    const { db } = context;
    const given = await findTransfer(db, idOfType('Transfer', globalId) ?? '');
    // The account that received the money returns it.
    const payer = given && (await findUsableAccount(context, given.to));
    if (!payer) return transferNotFound();
    const { _id: id } = given;
    const source = await findAccount(db, given.from);
    const act = await actOnAccount(context, payer);
    const detail = `${given.amount} ${given.currency} ${source ? await partyOf(context, source) : given.from}`;
    return runOnce(context, { operation: 'reverseTransfer', key, input: id }, (call, at) => {
      const entry = act ? intendAct(act, { action: 'TRANSFER_REVERSED', subject: id, detail, call }) : undefined;
      return reverseTransfer(db, { call, id, entry }, at);
    });
  },
};

/** What the caller asks to open, if the caller may. @throws SextantError FORBIDDEN @throws InputError */
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
