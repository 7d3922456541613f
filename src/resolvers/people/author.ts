/** Authors of works of any domain. */
import type { AuthorResolvers } from '../../generated/resolvers.js';
import { toGlobalId } from '../../shared/global-id.js';

export const Author: Pick<AuthorResolvers, 'id'> = {
  id: ({ _id }) => (_id === undefined ? null : toGlobalId('User', _id)),
};
