/** Orders. */
import type {
  DeleteOrderResultResolvers,
  MutationResolvers,
  OrderLineResolvers,
  OrderPartyResolvers,
  OrderRaiseResolvers,
  OrderResolvers,
  QueryResolvers,
  RaiseOrderQuantityResultResolvers,
  RefundOrderResultResolvers,
} from '../../generated/resolvers.js';
import { STORE_ACCOUNT } from '../../models/commerce/money/account.js';
import {
  deleteOrder,
  findOrder,
  findOrders,
  findOrdersOf,
  type OrderLine as OrderLineDocument,
  type OrderRaised,
} from '../../models/commerce/orders/order.js';
import { raiseOrderQuantity } from '../../models/commerce/orders/order-raise.js';
import { refundOrder } from '../../models/commerce/orders/order-refund.js';
import { findAddress } from '../../models/people/user.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { actOfViewer } from '../people/act.js';
import { runOnce } from '../support/once.js';
import { resultType } from '../support/result-type.js';
import { actOnAccount, partyOf } from './behalf.js';
import { findUsableAccount, findVisibleOrder, ownerFilter } from './ownership.js';

export const Order: OrderResolvers = {
  id: ({ _id }) => toGlobalId('Order', _id),
  total: ({ total, currency }) => ({ amount: total, currency }),
  lines: ({ lines, currency }) => lines.map((line) => ({ ...line, currency })),
  placedAt: ({ placed_at }) => placed_at,
  buyer: ({ owner }) => (owner === null ? null : { person: owner }),
  payer: async ({ account }, _args, { loaders }) => {
    const { owner, name } = (await loaders().account.load(account)) ?? { owner: null, name: undefined };
    return owner === null ? { name: name ?? '' } : { person: owner };
  },
  raises: ({ raised = [], currency }) => raised.map((one) => ({ ...one, currency })),
  refunds: ({ refunds = [], currency }) =>
    refunds.map(({ amount, at, raise }) => ({ amount: { amount, currency }, at, raise: raise ?? null })),
  enteredBy: ({ entered_by }) => (entered_by === undefined ? null : { person: entered_by }),
};

/** A raise, with the currency of its order. */
export type OrderRaiseOfOrder = OrderRaised & { readonly currency: string };

export const OrderRaise: OrderRaiseResolvers = {
  id: ({ cart }) => cart,
  quantity: ({ qty }) => qty,
  unitPrice: ({ price, currency }) => ({ amount: price, currency }),
  takenBackAt: ({ taken_back_at }) => taken_back_at ?? null,
};

export const RefundOrderResult: RefundOrderResultResolvers = { __resolveType: resultType('Order') };

/** A party of an order: a user, or the name of an account without a user. */
export type Party = { readonly person: string } | { readonly name: string };

export const OrderParty: OrderPartyResolvers = {
  id: (party) => ('person' in party ? toGlobalId('User', party.person) : null),
  name: (party, _args, { loaders }) => ('person' in party ? loaders().personName.load(party.person) : party.name),
};

/** A line, with the currency of its order. */
export type OrderLineOfOrder = OrderLineDocument & { readonly currency: string };

export const OrderLine: OrderLineResolvers = {
  product: ({ sku }, _args, { loaders }) => loaders().product.load(sku),
  quantity: ({ qty }) => qty,
  unitPrice: ({ price, currency }) => ({ amount: price, currency }),
};

export const DeletedOrder = {
  id: ({ deletedId }: { readonly deletedId: string }) => toGlobalId('Order', deletedId),
};

export const RaiseOrderQuantityResult: RaiseOrderQuantityResultResolvers = { __resolveType: resultType('Order') };

export const DeleteOrderResult: DeleteOrderResultResolvers = { __resolveType: resultType('DeletedOrder') };

const ACCOUNT_UNKNOWN = { reason: 'ACCOUNT_UNKNOWN' } as const;
const notFound = () => refuse('OrderNotFound', 'There is no such order');

export const Query: Pick<QueryResolvers, 'order' | 'orders'> = {
  order: (_root, { id }, context) => findVisibleOrder(context, idOfType('Order', id)),
  orders: (_root, { first, after, own }, { db, viewer }) => {
    const person = ownerFilter(viewer, own);
    return person === null ? findOrders(db, { first, after }) : findOrdersOf(db, person, { first, after });
  },
};

export const Mutation: Pick<MutationResolvers, 'raiseOrderQuantity' | 'refundOrder' | 'deleteOrder'> = {
  raiseOrderQuantity: async (_root, { orderId, sku, by, idempotencyKey: key }, context) => {
    const { db, store, viewer } = context;
    const order = await findVisibleOrder(context, idOfType('Order', orderId));
    if (!order) return notFound();
    // The user who entered the order may have lost access to the account that paid for it.
    const account = await findUsableAccount(context, order.account);
    if (!account) return refuse('PaymentDeclined', 'The account that paid is not yours', ACCOUNT_UNKNOWN);
    const enteredBy = requirePerson(viewer);
    const act = await actOnAccount(context, account);
    const keyed = { operation: 'raiseOrderQuantity', key, input: { order: order._id, sku, by } } as const;
    return runOnce(context, keyed, (call, at) =>
      raiseOrderQuantity(db, store.payment, { call, order, sku, by, enteredBy, act }, at),
    );
  },
  refundOrder: async (_root, { orderId: globalId, raise: one, idempotencyKey: key }, context) => {
    const { db, store } = context;
    const order = await findVisibleOrder(context, idOfType('Order', globalId));
    // The store pays, so the caller needs access to its account.
    const payer = order && (await findUsableAccount(context, STORE_ACCOUNT));
    if (!payer) return notFound();
    const [orderId, raise] = [order._id, one ?? null];
    const receiver = await findUsableAccount(context, order.account);
    const act = { ...(await actOfViewer(context)), onBehalfOf: await partyOf(context, receiver ?? payer) };
    return runOnce(context, { operation: 'refundOrder', key, input: { orderId, raise } }, (call, at) =>
      refundOrder(db, store.payment, { call, orderId, raise, act }, at),
    );
  },
  deleteOrder: async (_root, { orderId, idempotencyKey: key }, context) => {
    const { db, viewer } = context;
    const id = idOfType('Order', orderId);
    if (id === null) return notFound();
    const own = requirePerson(viewer);
    const buyer = (await findOrder(db, id))?.owner ?? own;
    const onBehalf = buyer !== own && { onBehalfOf: await findAddress(context.db, buyer) };
    const act = { ...(await actOfViewer(context)), ...onBehalf };
    return runOnce(context, { operation: 'deleteOrder', key, input: id, at: act.at }, async (call) =>
      (await deleteOrder(db, act, { call, id })) ? { deletedId: id } : notFound(),
    );
  },
};
