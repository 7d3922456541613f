/** Orders. */
import type {
  DeleteOrderResultResolvers,
  MutationResolvers,
  OrderLineResolvers,
  OrderResolvers,
  QueryResolvers,
  RaiseOrderQuantityResultResolvers,
} from '../../generated/resolvers.js';
import { performOnce } from '../../models/commerce/idempotency.js';
import {
  deleteOrder as deleteOrderOf,
  findOrder,
  findOrders,
  type OrderLine as OrderLineDocument,
} from '../../models/commerce/order.js';
import { raiseOrderQuantity as raiseQuantityOf } from '../../models/commerce/order-raise.js';
import { requirePerson } from '../../server/viewer.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { actOfViewer } from '../people/act.js';
import { ifOwned, ownerFilter } from './ownership.js';

export const Order: OrderResolvers = {
  id: ({ _id }) => toGlobalId('Order', _id),
  total: ({ total, currency }) => ({ amount: total, currency }),
  lines: ({ lines, currency }) => lines.map((line) => ({ ...line, currency })),
  placedAt: ({ placed_at }) => placed_at,
};

/** A line, with the currency of its order. */
export type OrderLineOfOrder = OrderLineDocument & { readonly currency: string };

export const OrderLine: OrderLineResolvers = {
  quantity: ({ qty }) => qty,
  unitPrice: ({ price, currency }) => ({ amount: price, currency }),
};

export const DeletedOrder = {
  id: ({ deletedId }: { readonly deletedId: string }) => toGlobalId('Order', deletedId),
};

export const RaiseOrderQuantityResult: RaiseOrderQuantityResultResolvers = {
  __resolveType: (result) => ('_id' in result ? 'Order' : (result.__typename ?? null)),
};

export const DeleteOrderResult: DeleteOrderResultResolvers = {
  __resolveType: (result) => ('deletedId' in result ? 'DeletedOrder' : (result.__typename ?? null)),
};

const notFound = () => refuse('OrderNotFound', 'There is no such order');

export const Query: Pick<QueryResolvers, 'order' | 'orders'> = {
  order: async (_root, { id }, { db, viewer }) => ifOwned(await findOrder(db, idOfType('Order', id) ?? ''), viewer),
  orders: (_root, { first, after, own }, { db, viewer }) => findOrders(db, ownerFilter(viewer, own), { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'raiseOrderQuantity' | 'deleteOrder'> = {
  raiseOrderQuantity: async (_root, { orderId, sku, by, idempotencyKey: key }, { db, store, viewer, now }) => {
    const order = ifOwned(await findOrder(db, idOfType('Order', orderId) ?? ''), viewer);
    if (!order) return notFound();
    const once = {
      scope: requirePerson(viewer),
      operation: 'raiseOrderQuantity',
      key,
      input: { order: order._id, sku, by },
      keepMs: store.keepAnswersMs,
    };
    const at = now();
    return performOnce(db, once, at, (call) => raiseQuantityOf(db, store.payment, { call, order, sku, by }, at));
  },
  deleteOrder: async (_root, { orderId, idempotencyKey: key }, context) => {
    const { db, store, viewer, now } = context;
    const id = idOfType('Order', orderId);
    if (id === null) return notFound();
    const scope = requirePerson(viewer);
    const once = { scope, operation: 'deleteOrder', key, input: id, keepMs: store.keepAnswersMs };
    const act = await actOfViewer(context);
    return performOnce(db, once, now(), async (call) =>
      (await deleteOrderOf(db, act, { call, id })) ? { deletedId: id } : notFound(),
    );
  },
};
