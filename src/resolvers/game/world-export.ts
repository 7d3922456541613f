/** Exports of the world. */
import { randomUUID } from 'node:crypto';
import type { MutationResolvers } from '../../generated/resolvers.js';
import { startWorldExport } from '../../models/game/export/world-export.js';
import { requirePerson } from '../../server/identity/viewer.js';

export const Mutation: Pick<MutationResolvers, 'exportWorld'> = {
  exportWorld: async (_root, _arguments, context) => {
    const request = { id: randomUUID(), owner: requirePerson(context.viewer) };
    const work = await startWorldExport(context.db, request, context.now());
    context.work.wake();
    return work;
  },
};
