/** Transfers and their reversals. */
import type {
  MutationResolvers,
  QueryResolvers,
  ReverseTransferResultResolvers,
  TransferResolvers,
  TransferResultResolvers,
} from '../../generated/resolvers.js';
import { findAccount } from '../../models/commerce/money/account.js';
import { findTransfer, transfer } from '../../models/commerce/money/transfer.js';
import { findTransfers } from '../../models/commerce/money/transfer-list.js';
import { reverseTransfer, transferNotFound } from '../../models/commerce/orders/transfer-reversal.js';
import { intendAct } from '../../models/people/audit.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { runOnce } from '../support/once.js';
import { resultType } from '../support/result-type.js';
import { actOnAccount, partyOf } from './behalf.js';
import { findUsableAccount } from './ownership.js';

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

export const Query: Pick<QueryResolvers, 'transfers'> = {
  transfers: (_root, { first, after }, { db }) => findTransfers(db, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'transfer' | 'reverseTransfer'> = {
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
