/** The migration of nodes to the present form. */
import type { MutationResolvers, NodeMigrationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import {
  countOldNodes,
  findNodeMigration,
  formOf,
  startNodeMigration,
} from '../../models/content/migration/node-migration.js';
import { actOfViewer } from '../people/act.js';
import { workFields, workOwnerFilter } from '../support/work.js';

export const NodeMigration: NodeMigrationResolvers = { ...workFields, toForm: formOf };

export const Query: Pick<QueryResolvers, 'nodeMigration' | 'oldNodeCount'> = {
  nodeMigration: (_root, _args, { db }) => findNodeMigration(db),
  oldNodeCount: (_root, _args, { db }) => countOldNodes(db),
};

export const Mutation: Pick<MutationResolvers, 'migrateNodes'> = {
  migrateNodes: async (_root, _args, context) => {
    const { db, viewer, work } = context;
    const migration = await startNodeMigration(db, await actOfViewer(context), workOwnerFilter(viewer, true));
    if (migration.open) work.wake();
    return migration;
  },
};
