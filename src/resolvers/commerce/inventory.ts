/** The stock of products. */
import type { MutationResolvers, SubscriptionResolvers } from '../../generated/resolvers.js';
import { restock, type Stock } from '../../models/commerce/orders/inventory.js';
import { requireStockArgs, stockFeed } from '../../models/commerce/orders/inventory-feed.js';
import { SextantError } from '../../shared/errors.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { runOnce } from '../support/once.js';

export const Mutation: Pick<MutationResolvers, 'restock'> = {
  restock: async (_root, { sku, quantity, idempotencyKey: key }, context) => {
    const act = await actOfViewer(context);
    const keyed = { operation: 'restock', key, input: { sku, quantity }, at: act.at } as const;
    return runOnce(context, keyed, async (call) => {
      const outcome = await restock(context.db, act, { call, sku, quantity });
      if ('__typename' in outcome) throw new SextantError('NOT_FOUND', outcome.message); // thrown inside, so that the key can be used again
      return outcome;
    });
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'stockChanged'> = {
  stockChanged: {
    subscribe: (_root, { skus, after }, { hub }) => hub.follow(stockFeed, requireStockArgs(skus), { after }),
    resolve: (event: FollowedEvent<readonly Stock[]>) => followedAs('stock', event),
  },
};
