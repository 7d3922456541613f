/** Imports of comments. */
import { randomUUID } from 'node:crypto';
import type { ImportCommentsResultResolvers, MutationResolvers } from '../../generated/resolvers.js';
import { startCommentImport } from '../../models/comments/comment-import.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { refuse } from '../../shared/outcome.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { resultType } from '../support/result-type.js';
import type { Subjects } from './subjects.js';

export function commentImportModule(subjects: Subjects): ResolverModule {
  const ImportCommentsResult: ImportCommentsResultResolvers = { __resolveType: resultType('DataImport') };

  const Mutation: Pick<MutationResolvers, 'importComments'> = {
    importComments: async (_root, { file, input: { nodeId, strict } }, context) => {
      const commented = nodeId ? await subjects.find(context, nodeId) : null;
      if (nodeId && !commented)
        return refuse('CommentableNotFound', 'There is nothing with this id that can be commented on');
      const upload = {
        id: randomUUID(),
        fileName: file.fileName,
        bytes: () => file.open(),
        below: commented?.subject.discussion ?? null,
        isStrict: strict ?? false,
        owner: requirePerson(context.viewer),
      };
      const outcome = await startCommentImport(context.db, upload, context.now());
      if ('_id' in outcome) context.work.wake();
      return outcome;
    },
  };
  return { ImportCommentsResult, Mutation };
}
