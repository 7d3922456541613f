/** The group commit of hits, a field of `System`. */
import type { SystemResolvers } from '../../generated/resolvers.js';

export const System: Pick<SystemResolvers, 'groupCommit'> = {
  groupCommit: (_system, _args, { hits }) => hits.health,
};
