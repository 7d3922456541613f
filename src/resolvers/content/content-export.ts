/** Exports of content. */
import { randomUUID } from 'node:crypto';
import type { MutationResolvers } from '../../generated/resolvers.js';
import { startContentExport } from '../../models/content/export/content-export.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { nodeIdOf } from './node-type.js';

export const Mutation: Pick<MutationResolvers, 'exportContent'> = {
  exportContent: async (_root, { parentId }, context) => {
    const request = {
      id: randomUUID(),
      parentId: parentId ? nodeIdOf(parentId) : null,
      owner: requirePerson(context.viewer),
    };
    const work = await startContentExport(context.db, request, context.now());
    context.work.wake();
    return work;
  },
};
