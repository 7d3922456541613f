/** Money. */
import type { QueryResolvers } from '../../generated/resolvers.js';

export const Query: Pick<QueryResolvers, 'storeCurrency'> = {
  storeCurrency: (_root, _args, { store }) => store.currency,
};
