/** What a person in the network has published on the blogs. */
import type { ProfileResolvers } from '../../generated/resolvers.js';
import { findNodes } from '../../models/content/nodes/node-list.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';

const Profile: Pick<ProfileResolvers, 'nodes'> = {
  nodes: ({ _id: authorId }, { first, after }, { db }) =>
    findNodes(db, { authorId, state: 'PUBLISHED' }, { first, after }),
};

export const resolvers: DomainResolvers = { modules: [{ Profile }], nodes: {} };
