/** Violated invariants in the database. */
import type { QueryResolvers, ViolationResolvers } from '../../generated/resolvers.js';

export const Violation: Pick<ViolationResolvers, 'detail'> = {
  detail: ({ expected, found }) => `${found} where ${expected} was expected`,
};

export const Query: Pick<QueryResolvers, 'violations'> = {
  violations: (_root, _args, { maintenance }) => maintenance.check(),
};
