/** Which storage design suits a discussion. */
import type { QueryResolvers } from '../../generated/resolvers.js';
import { adviseOnDesign } from '../../models/comments/move/design-advice.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { notFound } from './comment.js';
import type { Subjects } from './subjects.js';

export function designAdviceModule(subjects: Subjects): ResolverModule {
  const Query: Pick<QueryResolvers, 'commentDesignAdvice'> = {
    commentDesignAdvice: async (_root, { nodeId }, context) => {
      const commented = await subjects.find(context, nodeId);
      if (!commented) throw notFound();
      return adviseOnDesign(context.db, commented.subject, context.now());
    },
  };
  return { Query };
}
