/** Group commit of hits, as a part of the server's health. */
import type { SystemResolvers } from '../../generated/resolvers.js';

export const System: Pick<SystemResolvers, 'groupCommit'> = {
  groupCommit: (_system, _args, { hits }) => hits.health,
};
