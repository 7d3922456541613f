/** Moving a discussion into another storage design. */
import type {
  ChangeCommentDesignResultResolvers,
  CommentMoveResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import { inputOf } from '../../models/comments/move/comment-move.js';
import { findMoveUnderWay, startMove } from '../../models/comments/move/move-start.js';
import { refuse } from '../../shared/outcome.js';
import { actOfViewer } from '../people/act.js';
import type { ResolverModule } from '../support/domain-resolvers.js';
import { resultType } from '../support/result-type.js';
import { workFields, workOwnerFilter } from '../support/work.js';
import { notFound } from './comment.js';
import type { Subjects } from './subjects.js';

export function commentMoveModule(subjects: Subjects): ResolverModule {
  const CommentMove: CommentMoveResolvers = {
    ...workFields,
    from: (work) => inputOf(work).from,
    to: (work) => inputOf(work).to,
  };
  const ChangeCommentDesignResult: ChangeCommentDesignResultResolvers = { __resolveType: resultType('CommentMove') };

  const Query: Pick<QueryResolvers, 'commentMove'> = {
    commentMove: async (_root, { nodeId }, context) => {
      const commented = await subjects.find(context, nodeId);
      if (!commented) throw notFound();
      const discussion = await context.loaders().discussion.load(commented.subject.discussion);
      return discussion && findMoveUnderWay(context.db, discussion);
    },
  };

  const Mutation: Pick<MutationResolvers, 'changeCommentDesign'> = {
    changeCommentDesign: async (_root, { nodeId, design }, context) => {
      const commented = await subjects.find(context, nodeId);
      if (!commented) return refuse('CommentableNotFound', 'There is nothing with this id that can be commented on');
      const { subject, object } = commented;
      const name = new URL(await subjects.urlOf(context, subject.discussion, object)).pathname;
      const owner = workOwnerFilter(context.viewer, true);
      const move = { subject, hosts: context.commentHosts, name, to: design, owner };
      const outcome = await startMove(context.db, await actOfViewer(context), move);
      if (!('__typename' in outcome)) context.work.wake();
      return outcome;
    },
  };
  return { CommentMove, ChangeCommentDesignResult, Query, Mutation };
}
