/** Buying and selling. */
import type { MutationResolvers, QueryResolvers, TradeResultResolvers } from '../../generated/resolvers.js';
import { buyItem, findGoods, sellItem } from '../../models/game/acts/trade.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { resultType } from '../support/result-type.js';
import { runAct, storedId } from './act.js';

export const TradeResult: TradeResultResolvers = { __resolveType: resultType('Character') };

export const Query: Pick<QueryResolvers, 'goods'> = {
  goods: (_root, { characterId, shopkeeperId }, { db, viewer }) =>
    findGoods(db, requirePerson(viewer), storedId('Character', characterId), storedId('Character', shopkeeperId)),
};

export const Mutation: Pick<MutationResolvers, 'buyItem' | 'sellItem'> = {
  buyItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) =>
      buyItem(context.db, asked, storedId('Character', args.shopkeeperId), storedId('Item', args.itemId)),
    ),
  sellItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) =>
      sellItem(context.db, asked, storedId('Character', args.shopkeeperId), storedId('Item', args.itemId)),
    ),
};
