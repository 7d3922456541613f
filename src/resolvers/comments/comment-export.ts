/** Exports of comments. */
import { randomUUID } from 'node:crypto';
import type { MutationResolvers } from '../../generated/resolvers.js';
import { startCommentExport } from '../../models/comments/export/comment-export.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { notFound } from './comment.js';
import type { Subjects } from './subjects.js';

export function commentExportModule(subjects: Subjects): ResolverModule {
  const Mutation: Pick<MutationResolvers, 'exportComments'> = {
    exportComments: async (_root, { nodeId }, context) => {
      const commented = nodeId ? await subjects.find(context, nodeId) : null;
      if (nodeId && !commented) throw notFound();
      const request = {
        id: randomUUID(),
        below: commented?.subject.discussion ?? null,
        withPrivate: hasRole(context.viewer, 'ADMIN'),
        name: 'comments',
        owner: requirePerson(context.viewer),
      };
      const work = await startCommentExport(context.db, request, context.now());
      context.work.wake();
      return work;
    },
  };
  return { Mutation };
}
