/** The stock of products. */
import type { FeedEvent } from '../../database/index.js';
import { performOnce } from '../../database/writes/idempotency.js';
import type { MutationResolvers, SubscriptionResolvers } from '../../generated/resolvers.js';
import { restock as restockProduct, type Stock } from '../../models/commerce/orders/inventory.js';
import { requireStockArgs, stockFeed } from '../../models/commerce/orders/inventory-feed.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { actOfViewer } from '../people/act.js';

export const Mutation: Pick<MutationResolvers, 'restock'> = {
  restock: async (_root, { sku, quantity, idempotencyKey: key }, context) => {
    const { db, store, viewer } = context;
    const act = await actOfViewer(context);
    const once = {
      scope: requirePerson(viewer),
      operation: 'restock',
      key,
      input: { sku, quantity },
      keepMs: store.keepAnswersMs,
    };
    // Same time as the audit entry, so that the key never outlives the entry.
    return performOnce(db, once, act.at, async (call) => {
      const outcome = await restockProduct(db, act, { call, sku, quantity });
      if ('__typename' in outcome) throw new SextantError('NOT_FOUND', outcome.message); // thrown inside, so that the key can be used again
      return outcome;
    });
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'stockChanged'> = {
  stockChanged: {
    subscribe: (_root, { skus, after }, { hub }) => hub.follow(stockFeed, requireStockArgs(skus), { after }),
    resolve: (event: FeedEvent<readonly Stock[], readonly Stock[]>) => ({
      cursor: event.cursor,
      reset: event.reset,
      stock: event.kind === 'snapshot' ? event.view : event.change,
    }),
  },
};
