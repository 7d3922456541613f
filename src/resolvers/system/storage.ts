/** The storage used by a collection. */
import type { QueryResolvers } from '../../generated/resolvers.js';
import { findStorage } from '../../models/system/storage.js';

export const Query: Pick<QueryResolvers, 'storage'> = {
  storage: (_root, { collection }, { db }) => findStorage(db, collection),
};
