/** Accounts and transfers. */
import type { FeedEvent } from '../../database/index.js';
import type {
  AccountResolvers,
  MutationResolvers,
  OpenAccountInput,
  QueryResolvers,
  SubscriptionResolvers,
  TransferResolvers,
  TransferResultResolvers,
} from '../../generated/resolvers.js';
import {
  type AccountDocument,
  findAccount,
  findAccounts,
  openAccountAs,
  openAccount as openAccountOf,
  requireAccountName,
} from '../../models/commerce/account.js';
import { accountFeed } from '../../models/commerce/account-feed.js';
import { performOnce } from '../../models/commerce/idempotency.js';
import { transfer as transferMoney } from '../../models/commerce/transfer.js';
import { findPendingTransfers, findTransfers, findTransfersOf } from '../../models/commerce/transfer-list.js';
import type { Context } from '../../server/context.js';
import { hasRole, requirePerson } from '../../server/viewer.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { actOfViewer } from '../people/act.js';
import { ifOwned, ownerFilter } from './ownership.js';

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
};

export const TransferResult: TransferResultResolvers = {
  __resolveType: (result) => ('_id' in result ? 'Transfer' : (result.__typename ?? null)),
};

/** The account, if the caller may use it. */
async function findOwnAccount({ db, viewer }: Context, globalId: string): Promise<AccountDocument | null> {
  return ifOwned(await findAccount(db, idOfType('Account', globalId) ?? ''), viewer);
}

export const Query: Pick<QueryResolvers, 'account' | 'accounts' | 'transfers'> = {
  account: (_root, { id }, context) => findOwnAccount(context, id),
  accounts: (_root, { first, after, own }, { db, viewer }) =>
    findAccounts(db, ownerFilter(viewer, own), { first, after }),
  transfers: (_root, { first, after }, { db }) => findTransfers(db, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'openAccount' | 'transfer'> = {
  openAccount: async (_root, { input, idempotencyKey: key }, context) => {
    const { db, store, viewer, now } = context;
    const account = accountToOpen(context, input);
    const scope = requirePerson(viewer);
    // What only an administrator may do is told by the audit trail.
    const act = account.owner !== scope || account.opening.amount > 0 ? await actOfViewer(context) : null;
    const once = { scope, operation: 'openAccount', key, input: account, keepMs: store.keepAnswersMs };
    const at = now();
    return performOnce(db, once, at, (id) =>
      act ? openAccountAs(db, act, { id, ...account }) : openAccountOf(db, { id, ...account }, at),
    );
  },
  transfer: async (_root, { from, to, amount, idempotencyKey: key }, context) => {
    const { db, store, viewer, now } = context;
    const source = await findOwnAccount(context, from);
    const destination = idOfType('Account', to);
    if (!source || destination === null) return refuse('AccountNotFound', 'There is no such account');
    const input = { from: source._id, to: destination, amount };
    const scope = requirePerson(viewer);
    const once = { scope, operation: 'transfer', key, input, keepMs: store.keepAnswersMs };
    const at = now();
    return performOnce(db, once, at, (id) => transferMoney(db, id, input, at));
  },
};

/** What the caller may open. @throws SextantError FORBIDDEN @throws InputError */
function accountToOpen({ viewer, store }: Context, { owner, openingBalance }: OpenAccountInput) {
  const own = requirePerson(viewer);
  const person = owner == null ? own : idOfType('User', owner);
  const opening = openingBalance ?? { amount: 0, currency: store.currency };
  if (!hasRole(viewer, 'ADMIN') && (person !== own || opening.amount > 0))
    throw new SextantError('FORBIDDEN', 'Only administrators open accounts of others, or with a balance');
  if (opening.currency !== store.currency)
    throw new InputError('input.openingBalance.currency', `must be ${store.currency}`);
  return person === null
    ? { owner: null, name: requireAccountName('input.owner', owner ?? ''), opening }
    : { owner: person, opening };
}

export const Subscription: Pick<SubscriptionResolvers, 'accountChanged'> = {
  accountChanged: {
    subscribe: async (_root, { id, after }, context) => {
      const account = await findOwnAccount(context, id);
      if (!account) throw new SextantError('NOT_FOUND', 'There is no such account');
      return context.hub.follow(accountFeed, { id: account._id }, { after });
    },
    resolve: (event: FeedEvent<AccountDocument, AccountDocument>) => ({
      cursor: event.cursor,
      reset: event.reset,
      account: event.kind === 'snapshot' ? event.view : event.change,
    }),
  },
};
